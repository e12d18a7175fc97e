"""The events of a match. `run_match`, runners and the audit yield them; handlers print them and write files.

`MatchStarted` comes first; `MatchEnded` or `MatchFailed` comes last. Every game that is stored in between has
one `GameEnded`, and a `GameStarted` before it; the events of games stored shortly before `MatchFailed` may be
missing. `PairDecided` of each decided pair comes before `MatchEnded`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from harness.arena.config.tables import MatchConfig
from harness.arena.game.snapshot import Snapshot
from harness.arena.judge.live import NewGames
from harness.arena.records import Game, GameSummary
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts, PairParity

NoticeKind = Literal[
    "opening",
    "playouts",
    "program",
    "benched",
    "worker-lost",
    "worker-stopped",
    "scorer",
    "clock",
    "question",
]


@dataclass(frozen=True)
class Event:
    """Something that became known in a match."""


@dataclass(frozen=True)
class MatchStarted(Event):
    """The run in `folder` is open. It stays locked until the last event was handled.

    total    games of the whole run
    stored   games that earlier starts have stored
    store    where handlers read games; open until the last event was handled
    """

    folder: Path
    config: MatchConfig
    total: int
    stored: int
    store: Store = field(repr=False)


@dataclass(frozen=True)
class PhaseStarted(Event):
    """A phase of the match begins: the games, the audit after them, or the final judgement."""

    name: Literal["games", "audit", "verdicts"]


@dataclass(frozen=True)
class GameStarted(Event):
    """A game was given to a worker. The event is repeated if the game is given out again."""

    game: Game


@dataclass(frozen=True)
class GameEnded(Event):
    """A game was played and stored."""

    summary: GameSummary


@dataclass(frozen=True)
class EngineFailed(Event):
    """The engine failed in the game that has just ended. `in_a_row` counts its consecutive failed games."""

    engine: str
    summary: GameSummary
    in_a_row: int


@dataclass(frozen=True)
class NoticeGiven(Event):
    """A sentence that a user should read. `engine`: the engine that it is about, or empty."""

    kind: NoticeKind
    text: str
    engine: str = ""


@dataclass(frozen=True)
class PairDecided(Event):
    """A pair has a verdict. The event is repeated if a later judgement changes the verdict."""

    parity: PairParity


@dataclass(frozen=True)
class MatchJudged(Event):
    """The verdicts on the games so far, of each pair up to its first missing game."""

    verdicts: MatchVerdicts
    new: NewGames


@dataclass(frozen=True)
class ProgressMade(Event):
    """The progress of a match. The event comes about twice a second.

    total      games of the whole run; 0 if it has no end
    done       games that are stored, those of earlier starts included
    done_here  games that this start has stored; `moves_here` are the moves that engines searched for in them
    seconds    since this start
    benched    by engine, the reason why it gets no more games in this start
    boards     by number of the worker, the board that it sent last
    """

    total: int
    done: int
    done_here: int = 0
    moves_here: int = 0
    seconds: float = 0.0
    benched: Mapping[str, str] = field(default_factory=dict)
    boards: Mapping[int, Snapshot] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Games per second in this start."""
        return self.done_here / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Estimate of the time for the games that are left.

        None before a game of this start has ended, and for a run without an end.
        """
        return (self.total - self.done) / self.rate if self.rate > 0 and self.total else None


@dataclass(frozen=True)
class SearchesAudited(Event):
    """The audit, or the diagnosis after it, has done this many of its planned searches."""

    activity: Literal["audit", "diagnosis"]
    done: int
    planned: int


@dataclass(frozen=True)
class MatchEnded(Event):
    """The last event: the verdicts on all stored games.

    complete   False after a stop, or if the limit of games of this start left games to play
    benched    engines that got no more games in this start because they failed
    left       games of these engines that were not played
    """

    verdicts: MatchVerdicts
    complete: bool
    benched: tuple[str, ...] = ()
    left: int = 0


@dataclass(frozen=True)
class MatchFailed(Event):
    """The last event of a match that an error or an interrupt ends. Stored games stay stored."""

    error: BaseException
