"""What a match leaves behind: plain data, made by the players' side and read by the judges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from harness.gtp import Colour

Reason = Literal["score", "resign", "illegal", "superko", "timeout", "crash", "protocol", "move-cap"]
FAILURES: frozenset[str] = frozenset({"illegal", "superko", "timeout", "crash", "protocol"})
"""Reasons for which a game is void: they say that a bot does not work, not how well it plays."""


class Search(NamedTuple):
    """One genmove: the number of the move in the game, from 1; `seconds` of wall clock."""

    move: int
    colour: Colour
    vertex: str
    nodes: int | None
    score: float | None
    seconds: float


class Played(NamedTuple):
    """One move: vertex as GTP writes it."""

    colour: Colour
    vertex: str


@dataclass(frozen=True)
class Game:
    """A game of the schedule. `pair` counts pairs of engines, `number` their games from 1."""

    id: str
    pair: int
    number: int
    black: str
    white: str
    opening: int  # number of the opening, from 0: games 1 and 2 of a pair share number 0

    def engine(self, colour: Colour) -> str:
        """The name of the engine that plays this colour."""
        return self.black if colour == "b" else self.white


@dataclass(frozen=True)
class Ending:
    """How a game ended. `winner` None is a draw; `offender` is the side that failed."""

    reason: Reason
    result: str  # as in SGF: B+3.5, W+R, 0
    winner: Colour | None
    offender: Colour | None = None
    detail: str = ""  # a sentence


@dataclass(frozen=True)
class Failure:
    """All that is known about a failed game, for the one who has to find out why."""

    offender: str
    command: str
    exit: str  # how the process ended, or that it ran
    reproduce: str  # a line for a shell
    transcript: str  # of the offender, with times
    other_transcript: str
    stderr: bytes  # the last of it


@dataclass(frozen=True)
class GameRecord:
    """A finished game. Times are ISO 8601 with zone."""

    game: Game
    board: tuple[int, float]  # size, komi
    opening: str  # what it is called: none, random 3, a file's name
    opening_moves: int
    moves: tuple[Played, ...]  # the opening's first
    searches: tuple[Search, ...]
    ending: Ending
    started: str
    finished: str
    failure: Failure | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # A match sends many of these from process to process: columns of plain values cost it least.
        columns = {
            "moves": tuple(zip(*self.moves, strict=True)),
            "searches": tuple(zip(*self.searches, strict=True)),
        }
        return _revived, ({**self.__dict__, **columns},)

    @property
    def void(self) -> bool:
        """Ended by a failure."""
        return self.ending.reason in FAILURES

    def seconds(self, colour: Colour) -> float:
        """All that a side has thought."""
        return sum(search.seconds for search in self.searches if search.colour == colour)

    def nodes(self, colour: Colour) -> int | None:
        """All playout moves of a side; None if it never told."""
        told = [s.nodes for s in self.searches if s.colour == colour and s.nodes is not None]
        return sum(told) if told else None


def _revived(state: dict[str, Any]) -> GameRecord:
    moves = tuple(map(Played._make, zip(*state["moves"], strict=True)))
    searches = tuple(map(Search._make, zip(*state["searches"], strict=True)))
    return GameRecord(**{**state, "moves": moves, "searches": searches})


@dataclass(frozen=True)
class Introduction:
    """What a started engine says about itself."""

    engine: str
    name: str
    version: str
    playouts: int | None = None
    commands: tuple[str, ...] = field(default=(), repr=False)
