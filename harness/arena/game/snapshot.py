"""Takes snapshots of games in play: the board of a game, about once a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.arena.records import Game, Played
from harness.files import timestamp
from harness.go import Position

SECONDS = 1.0
"""Least time between two snapshots of one worker. Chosen: often enough for people who watch."""

STONES = ".XO"
"""The signs of an empty point, of a black stone and of a white stone."""


@dataclass(frozen=True)
class Snapshot:
    """The board of a game after some move. `stones` goes row by row from A1, with the signs of STONES."""

    game_id: str
    black: str
    white: str
    size: int
    move: int  # number of moves so far, those of the opening included
    last: str  # the last move, such as "bE5"
    stones: str
    at: str  # time of the snapshot, ISO 8601 with zone
    clocks: str = ""  # the time left for both sides, in words; empty without a clock


class Camera:
    """Takes a snapshot of the games of one worker when enough time has passed since the last snapshot."""

    def __init__(
        self,
        send: Callable[[Snapshot], object],
        on_move: Callable[[], object] = lambda: None,
        seconds: float = SECONDS,
    ) -> None:
        """`send` gets each snapshot, at most one in `seconds`; `on_move` is called after each move."""
        self._send = send
        self._on_move = on_move
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def on_move(
        self, game: Game, position: Position, moves: Sequence[Played], clocks: Callable[[], str] = lambda: ""
    ) -> None:
        """Send a snapshot if the last one is old enough. Called after each move.

        `clocks` is called for a snapshot, and returns the time left for both sides in words.
        """
        self._on_move()
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._seconds
        stones = "".join(STONES[stone] for stone in position.fingerprint)  # a fingerprint has a byte a point
        last = moves[-1]
        self._send(
            Snapshot(
                game_id=game.id,
                black=game.black,
                white=game.white,
                size=position.size,
                move=len(moves),
                last=f"{last.colour}{last.vertex}",
                stones=stones,
                at=timestamp(),
                clocks=clocks(),
            )
        )
