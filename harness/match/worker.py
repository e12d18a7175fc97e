"""A process that plays games one after another, and owns the engines that it plays them with.

It speaks with the coordinator over one connection: games in, records out. A thread waits for what comes in,
so that the end of the coordinator, however sudden, is the end of the worker at once.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from harness.match.config import MatchConfig
from harness.match.core_sharing import CoreSharing
from harness.match.game import play_game
from harness.match.openings import OpeningBook
from harness.match.player import Player
from harness.match.records import Game, GameRecord, Introduction

MOST_ENGINES = 16
"""Engines that a worker keeps running at once; beyond that the longest unused is ended."""


@dataclass(frozen=True)
class Finished:
    """What a worker sends: a game, and what engines said about themselves when they were started for it."""

    record: GameRecord
    introductions: tuple[Introduction, ...]


class Stable:
    """The engines of one worker by name, kept from game to game as `restart` tells."""

    def __init__(self, config: MatchConfig) -> None:
        self._config = config
        self._players: dict[str, Player] = {}  # the longest unused first

    def pair(self, game: Game) -> tuple[Player, Player]:
        """The players of a game; they start their engines themselves."""
        black, white = self._player(game.black), self._player(game.white)
        for name in list(self._players)[: max(0, len(self._players) - MOST_ENGINES)]:
            self._players.pop(name).drop(politely=True)
        return black, white

    def after(self, record: GameRecord) -> None:
        """End the engine that has failed, or those of every game with `restart = "game"`."""
        if record.failure is not None:
            self._players[record.failure.offender].drop(politely=False)
        if self._config.run.restart == "game":
            for name in (record.game.black, record.game.white):
                self._players[name].drop(politely=True)

    def close(self, *, politely: bool) -> None:
        """End all engines."""
        for player in self._players.values():
            player.drop(politely=politely)

    def _player(self, name: str) -> Player:
        player = self._players.pop(name, None)
        if player is None:
            player = Player(self._config.engines[name], self._config.run.timeout)
        self._players[name] = player
        return player


def work(connection: Connection, config: MatchConfig, cores: Sequence[int]) -> None:
    """Play what comes in until None comes, or until nobody is there any more.

    `cores`: where this worker may be held, as `affinity` has it; none where the system cannot do that.
    """
    # Ctrl-C goes to the whole group; the coordinator decides. Not SIG_IGN: engines would inherit that.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    sharing = CoreSharing(cores) if cores and config.run.affinity == "auto" else None
    if cores and config.run.affinity is True:
        os.sched_setaffinity(0, cores)
    orders: queue.SimpleQueue[Game | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, orders), daemon=True).start()
    stable, book = Stable(config), OpeningBook(config.run)
    politely = False
    try:
        while (game := orders.get()) is not None:
            connection.send(finish(game, stable, book, config, sharing))
        politely = True
    finally:
        stable.close(politely=politely)
        with contextlib.suppress(OSError):
            connection.close()


def finish(
    game: Game,
    stable: Stable,
    book: OpeningBook,
    config: MatchConfig,
    sharing: CoreSharing | None = None,
) -> Finished:
    """Play a game with the engines of a stable, on one core if `sharing` thinks so."""
    black, white = stable.pair(game)
    known = black.introduction, white.introduction
    if sharing:
        sharing.before_game(black, white)
    record = play_game(game, config.run, book.opening(game.opening), black, white)
    if sharing:
        sharing.after_game(black, white, record)
    new = [
        player.introduction
        for player, before in zip((black, white), known, strict=True)
        if player.introduction is not None and player.introduction is not before
    ]
    stable.after(record)
    return Finished(record, tuple(new))


def _leave(*_: object) -> None:
    """SIGTERM: the game in play is dropped, its engines are ended on the way out."""
    raise SystemExit(0)


def _listen(connection: Connection, orders: queue.SimpleQueue[Game | None]) -> None:
    """Pass on what comes in. When the coordinator is gone, so are we: each engine's guard ends it."""
    try:
        while True:
            orders.put(connection.recv())
    except (EOFError, OSError):
        os._exit(1)
