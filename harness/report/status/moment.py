"""A run at one moment: the data that its status file is made from, and the trails of its scores."""

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

RECENT = 12
"""Number of games that a status lists. Chosen: they fit a screen of the live page."""
GROWTH = 1.1
"""A trail gets a new point when the games have grown by this factor. Chosen: 100 points for 10,000 games."""
MOST_TRAILS = 24
"""Number of pairs with a trail, the first ones of the run. Chosen: the status stays below 100 kB."""


class TrailPoint(NamedTuple):
    """One point of a trail: the score (0 to 1) of a pair's first bot after some games, and its bounds."""

    games: int
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class RunMoment:
    """A run as it is now. `verdicts` is None until games are judged for the first time."""

    state: RunState
    started: str  # when this process started the run; ISO 8601 with zone
    config: MatchConfig
    engines: Sequence[StoredEngine]
    progress: ProgressMade
    verdicts: MatchVerdicts | None
    recent: Sequence[GameSummary]  # the newest first
    events: Sequence[StoredEvent]
    trails: Mapping[int, Sequence[TrailPoint]]  # by number of the pair
    doing: str = ""  # what the process does while no game is in play, such as "writing files"; else empty


@dataclass
class Trails:
    """The trails of the first MOST_TRAILS pairs: a point for each growth of the games by GROWTH."""

    # By number of the pair. The last point is the present one.
    points: dict[int, list[TrailPoint]] = field(default_factory=dict)

    def add(self, parity: Sequence[PairParity]) -> None:
        """Add the present score and bounds of each pair; a pair without a new game gets no point.

        The trail of a pair with fewer games than before begins anew: the games of an earlier program of a bot
        no longer count.
        """
        for row in parity[:MOST_TRAILS]:
            if (earlier := self.points.get(row.pair)) and earlier[-1].games > row.games:
                del self.points[row.pair]
            if not row.games:
                continue
            trail = self.points.setdefault(row.pair, [])
            if len(trail) > 1 and trail[-1].games < GROWTH * trail[-2].games:
                trail.pop()  # the newest point is always kept, the last but one only if GROWTH is reached
            elif trail and trail[-1].games == row.games:
                continue
            trail.append(TrailPoint(row.games, row.score_a, row.low, row.high))
