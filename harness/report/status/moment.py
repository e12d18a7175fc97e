"""A run at one moment: everything that its status says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from harness.arena.config.tables import MatchConfig
from harness.arena.records import GameSummary
from harness.arena.run.events import ProgressMade
from harness.arena.store.rows import StoredEngine, StoredEvent
from harness.arena.verdicts import MatchVerdicts, PairParity

RunState = Literal["playing", "complete", "stopped"]

GROWTH = 1.1
"""A trail gets a new point when the games have grown by this factor. Chosen: 100 points for 10,000 games."""
MOST_TRAILS = 24
"""Pairs with a trail, in the order of the pairs. Chosen: the status stays below 100 kB."""


class TrailPoint(NamedTuple):
    """The score of a pair's first bot after some games, with its bounds."""

    games: int
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class RunMoment:
    """A run as it is now. `verdicts` is None before the first judging."""

    state: RunState
    started: str  # this start of the run; ISO 8601 with zone
    config: MatchConfig
    engines: Sequence[StoredEngine]
    progress: ProgressMade
    verdicts: MatchVerdicts | None
    recent: Sequence[GameSummary]  # the newest first
    events: Sequence[StoredEvent]
    trails: Mapping[tuple[str, str], Sequence[TrailPoint]]  # by pair
    doing: str = ""  # what the process does while no game is in play, such as "writing files"


@dataclass
class Trails:
    """The bounds of each pair as its games grow, with a point for each growth by the factor GROWTH."""

    points: dict[tuple[str, str], list[TrailPoint]] = field(default_factory=dict)

    def add(self, parity: Sequence[PairParity]) -> None:
        """Add the present bounds of the first MOST_TRAILS pairs. A newest point too near is replaced."""
        for row in parity[:MOST_TRAILS]:
            if not row.games:
                continue
            trail = self.points.setdefault((row.bot_a, row.bot_b), [])
            if len(trail) > 1 and trail[-1].games < GROWTH * trail[-2].games:
                trail.pop()  # the newest point always counts, the one before only where it is far enough
            elif trail and trail[-1].games == row.games:
                continue
            trail.append(TrailPoint(row.games, row.score_a, row.low, row.high))
