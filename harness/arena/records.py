"""The records of a match, as plain data: written while a game is played, read by the store and the judges."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Literal, NamedTuple

from harness.gtp import Colour

Reason = Literal["score", "resign", "illegal", "superko", "timeout", "crash", "protocol", "move-cap", "time"]
"""`time` is a loss on the clock, which counts. `timeout` is a failure: no answer within the time limit."""
TIME_IS_OVER = "the time for the game is over"
"""Words in the detail of a loss on time."""
NO_SCORE = "reports no score"
"""Words in the detail of a scored game whose score an engine did not report: "NAME reports no score: WHY"."""
OTHER_RUNS = "another process of its program was running"
OPPONENT_RUNS = "its opponent, of the same program, was running"
"""Words in `Failure.exit`: another process of the failed engine's program was running at the failure."""
ON_STDERR = " (on stderr: "
"""Words in the detail of a failure, before a line that the engine wrote to stderr."""
FAILURES: frozenset[str] = frozenset({"illegal", "superko", "timeout", "crash", "protocol"})
"""Reasons for which a game is void: a bot does not work, so the game says nothing about its strength."""
MOST_LOG = 1 << 22
"""Most bytes of a log that is read. A log that conform writes is shorter."""


class Search(NamedTuple):
    """One genmove, and the answers to ref-nodes and ref-score after it; None for those that are not known.

    `move` is the number of the move in the game, from 1; `seconds` is wall-clock time.
    """

    move: int
    colour: Colour
    vertex: str
    nodes: int | None
    score: float | None
    seconds: float


class Played(NamedTuple):
    """One move. The vertex is written as in GTP."""

    colour: Colour
    vertex: str


class ClockReading(NamedTuple):
    """The display of a side's clock after its move number `move`."""

    move: int
    seconds: float  # left of the main time, or of the current period of byo-yomi
    counted: int  # in byo-yomi: stones left in the period, or periods left; 0 in the main time


class Clocks(NamedTuple):
    """The time controls of both sides as texts, see `TimeControl`; None for a side without a clock."""

    black: str | None
    white: str | None


class Setup(NamedTuple):
    """The set-up of an opening: how many first moves are its stones, and the handicap of the config or file.

    `handicap` is None if a file sets up stones and names no handicap.
    """

    stones: int
    handicap: int | None


class Comment(NamedTuple):
    """An engine's comment on one of its own moves."""

    move: int  # number of the move in the game, from 1
    text: str


@dataclass(frozen=True)
class Game:
    """A game that is to be played. `pair` and `number`, the game within its pair, count from 1."""

    id: str
    pair: int
    number: int
    black: str
    white: str
    opening: int  # number of the opening, from 0; games 1 and 2 of a pair share opening 0

    def engine(self, colour: Colour) -> str:
        """The name of the engine that plays this colour."""
        return self.black if colour == "b" else self.white


@dataclass(frozen=True)
class Ending:
    """The end of a game. `winner` None is a draw; `offender` is the side that failed, None if no side did."""

    reason: Reason
    result: str  # as in SGF: B+3.5, W+R, 0
    winner: Colour | None
    offender: Colour | None = None
    detail: str = ""  # a sentence; empty if there is nothing to add


ScoredBy = Literal["area", "players", "referee"]


class Scoring(NamedTuple):
    """How a game was scored. Results are written as in SGF; None: not asked, or no answer that is a score.

    scored_by      who decided the result: our own count ("area"), both "players", or the "referee" engine
    area_result    our own count under the rules of the game, with every stone alive
    black_says     the result that Black reports; `white_says` and `referee_says` likewise
    dead           the stones that both players call dead, if our own count without them is the result
    """

    scored_by: ScoredBy
    area_result: str
    black_says: str | None = None
    white_says: str | None = None
    referee_says: str | None = None
    dead: str | None = None  # vertices

    @property
    def disputed(self) -> bool:
        """True if a player or the referee reports another result than our own count."""
        return any(says not in (None, self.area_result) for says in self[2:5])


@dataclass(frozen=True)
class Failure:
    """Everything that is known about a failed game, so that the author of the bot can find the cause."""

    offender: str
    command: str
    exit: str  # how the process ended, "was running" or "was not started"; OTHER_RUNS or OPPONENT_RUNS
    reproduce: str  # a command line for a shell
    transcript: str  # of the offender, with times
    other_transcript: str  # of its opponent
    stderr: bytes  # the end of it


@dataclass(frozen=True)
class GameRecord:
    """A finished game. Times are ISO 8601 with zone, `duration` is in seconds of a monotonic clock."""

    game: Game
    board: tuple[int, float]  # size, komi
    opening: str  # name of the opening: none, random 3, the name of a file
    opening_moves: int  # 0 if the set-up of the game failed
    moves: Sequence[Played]  # the moves of the opening first
    searches: Sequence[Search]
    ending: Ending
    started: str
    finished: str
    failure: Failure | None = None
    setup: Setup | None = None  # of an opening that sets up stones
    programs: tuple[str | None, str | None] = (None, None)  # hashes of the files of Black and White
    duration: float | None = None
    bonus: int = 0  # points that White gets for handicap stones when the area is counted
    comments: Sequence[Comment] = ()
    logs: tuple[bytes, bytes] | None = None  # GTP logs of Black and White (`packed_log`); None: not kept
    scoring: Scoring | None = None  # None: nobody was asked for the score
    clocks: Clocks | None = None  # None: no side has a clock
    readings: Sequence[ClockReading] = ()  # by the number of the move

    @property
    def void(self) -> bool:
        """True if a side failed. The game does not count, unless the config has `forfeits = "loss"`."""
        return self.ending.reason in FAILURES

    @property
    def handicap_rows(self) -> Sequence[tuple[int, int]]:
        """One pair (number of handicap stones, points that White gets for them); empty without a handicap."""
        stones = self.setup.handicap if self.setup is not None else None
        return [(stones, self.bonus)] if stones is not None and stones >= 2 else []

    @cached_property
    def moves_text(self) -> str:
        """The moves as they are stored: colour and vertex, such as "bE5 wpass"."""
        return " ".join(f"{move.colour}{move.vertex}" for move in self.moves)

    def seconds(self, colour: Colour) -> float:
        """The total time of a side's searches."""
        return sum([search.seconds for search in self.searches if search.colour == colour], 0.0)

    def nodes(self, colour: Colour) -> int | None:
        """The total nodes of a side's searches; None if it reported none."""
        reported = [s.nodes for s in self.searches if s.colour == colour and s.nodes is not None]
        return sum(reported) if reported else None


def packed_log(text: str) -> bytes:
    """Return the text of a GTP log, compressed by zlib."""
    return zlib.compress(text.encode())


def unpacked_log(data: bytes) -> str:
    """The text of `packed_log`, at most MOST_LOG bytes of it, or the beginning of the text of a cut log.

    Raises ValueError for bytes that zlib has not written.
    """
    try:
        return zlib.decompressobj().decompress(data, MOST_LOG).decode("utf-8", "replace")
    except zlib.error as error:
        raise ValueError(str(error)) from None


def moves_hash(moves: str) -> bytes:
    """A hash of the stored text of moves: equal for equal sequences of moves."""
    return blake2b(moves.encode(), digest_size=16).digest()


@dataclass(frozen=True)
class GameSummary:
    """Summary of a finished game for the observers of a run."""

    game: Game
    ending: Ending
    move_count: int
    searches: int  # their number
    finished: str  # ISO 8601 with zone
    programs: tuple[str | None, str | None]  # hashes of the files of Black and White
    scoring: Scoring | None = None

    @property
    def failed(self) -> str | None:
        """The name of the engine that failed; None if none did."""
        offender = self.ending.offender
        return None if offender is None else self.game.engine(offender)

    @classmethod
    def of(cls, record: GameRecord) -> GameSummary:
        """The summary of a record."""
        return cls(
            game=record.game,
            ending=record.ending,
            move_count=len(record.moves),
            searches=len(record.searches),
            finished=record.finished,
            programs=record.programs,
            scoring=record.scoring,
        )


@dataclass(frozen=True)
class Introduction:
    """What is known of an engine after its start.

    engine     its name in the config
    name       its answer to name; `version` and `commands` are those to version and list_commands
    playouts   per search: that of the config, or its answer to ref-playouts; None if unknown
    """

    engine: str
    name: str
    version: str
    playouts: int | None = None
    commands: tuple[str, ...] = field(default=(), repr=False)
