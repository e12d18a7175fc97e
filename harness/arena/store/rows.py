"""The rows that a store returns: plain immutable data. Readers see neither SQL nor column positions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from harness.arena.clock import TimeControl
from harness.arena.records import FAILURES, ClockReading, ScoredBy, Scoring
from harness.gtp import Colour


class StoredEngine(NamedTuple):
    """An engine of the run. It reported the fields after `name`; they are None before its first start.

    `playouts` is that of the config, or None, if the engine does not report it.
    """

    name: str
    reported_name: str | None
    reported_version: str | None
    playouts: int | None  # per search


class GameResult(NamedTuple):
    """The result of a game, for the judges. `winner` None is a draw, `offender` None: no side failed."""

    game_id: str
    pair: int
    number: int  # of the game within its pair, from 1
    black: str
    white: str
    winner: Colour | None
    offender: Colour | None
    reason: str
    moves_hash: bytes  # equal for equal sequences of moves
    seconds: float  # both sides' time for their moves
    own_moves: int  # number of moves after the opening; a resignation is no move
    size: int  # of the board
    shape: bytes = b""  # equal for equal sequences of moves, up to rotation and reflection of the board

    @property
    def void(self) -> bool:
        """True if a side failed. The game does not count, unless the config has `forfeits = "loss"`."""
        return self.reason in FAILURES


class StoredGame(NamedTuple):
    """A finished game. `winner` and `offender` are names of engines; times are ISO 8601 with zone."""

    game_id: str
    pair: int
    number: int  # of the game within its pair, from 1
    black: str
    white: str
    size: int
    komi: float
    opening: str
    opening_moves: int
    result: str  # as in SGF
    winner: str | None
    reason: str
    offender: str | None
    detail: str
    moves: str  # such as "bE5 wpass": colour and vertex, the moves of the opening first
    move_count: int
    black_seconds: float
    white_seconds: float
    black_nodes: int | None
    white_nodes: int | None
    started: str
    finished: str
    seconds: float | None = None  # of the whole game, by a monotonic clock; None in older runs
    handicap_bonus: int | None = None  # points that White gets for handicap stones; None: no handicap
    scored_by: ScoredBy | None = None  # the fields of `scoring`
    area_result: str | None = None
    black_says: str | None = None
    white_says: str | None = None
    referee_says: str | None = None
    dead: str | None = None

    @property
    def scoring(self) -> Scoring | None:
        """How the game was scored; None if nobody was asked."""
        if self.scored_by is None or self.area_result is None:
            return None
        says = self.black_says, self.white_says, self.referee_says
        return Scoring(self.scored_by, self.area_result, *says, self.dead)

    @property
    def void(self) -> bool:
        """True if a side failed. The game does not count, unless the config has `forfeits = "loss"`."""
        return self.reason in FAILURES


class ScoredGame(NamedTuple):
    """A scored game of which a player or the referee reports another result than our own count."""

    game_id: str
    result: str
    scored_by: ScoredBy
    area_result: str
    black_says: str | None
    white_says: str | None
    referee_says: str | None


class StoredSearch(NamedTuple):
    """One genmove; `move` is the number of the move in its game, from 1."""

    game_id: str
    move: int
    colour: Colour
    bot: str
    vertex: str
    nodes: int | None
    score: float | None
    seconds: float

    @property
    def has_report(self) -> bool:
        """Return True if the bot reported a search. For a pass, zeros are no report."""
        if self.vertex == "pass":
            return bool(self.nodes or self.score)
        return self.nodes is not None or self.score is not None


class StoredClocks(NamedTuple):
    """The time controls of a game (None: no clock), and what the clocks showed after the moves."""

    black: str | None
    white: str | None
    readings: tuple[ClockReading, ...]

    def control(self, colour: Colour) -> TimeControl | None:
        """The time control of a side; None if it has no clock."""
        text = self.black if colour == "b" else self.white
        return None if text is None else TimeControl.parse(text)


class FirstSearch(NamedTuple):
    """The first search after the opening of a game, if the bot reported its nodes."""

    bot: str
    game_id: str
    opening: tuple[str, ...]  # moves such as "bE5"
    nodes: int


class StoredFailure(NamedTuple):
    """The record of a failed game. `offender` is the engine that failed."""

    game_id: str
    offender: str
    reason: str
    detail: str
    command: str
    exit: str
    reproduce: str
    transcript: str
    other_transcript: str
    stderr: bytes


class StoredEvent(NamedTuple):
    """Something that happened to the run.

    `kind`: "start", "complete" and "stop" of playing ("stop" also of an audit); "benched", "lost" (a worker),
    "program" (has changed), "question" (has changed), "audit", "salvaged".
    """

    at: str
    kind: str
    text: str


QUESTION_CHANGED = "question"
"""Kind of the event that records a change of the question of a run that had games already."""


def question_changes(events: Iterable[StoredEvent]) -> tuple[str, ...]:
    """The changes of the question of a run, such as "after 8 games: elo1: 20 became 40"."""
    return tuple(event.text for event in events if event.kind == QUESTION_CHANGED)


def is_complete(events: Iterable[StoredEvent]) -> bool:
    """Return True if the last start of a run played all games, and nobody stopped its audit.

    A start that was killed has no "complete" or "stop".
    """
    kinds = [event.kind for event in events if event.kind in ("start", "stop", "complete")]
    return kinds[-1:] == ["complete"]
