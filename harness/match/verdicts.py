"""The verdicts on a run: standings, parity of each pair, playout lengths. Plain data, made by `judge`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.match.pairings import Pairing

if TYPE_CHECKING:
    from harness.stats import Ratings

EQUAL, DIFFERENT, UNDECIDED = "equal", "different", "undecided"


@dataclass(frozen=True)
class Standing:
    """A row of the standings. Void games are counted separately; points and Elo come from the other games."""

    rank: int
    bot: str
    games: int
    points: float
    score: float | None
    elo: float
    elo_low: float
    elo_high: float
    voids: int
    crashes: int
    timeouts: int
    illegal: int


@dataclass(frozen=True)
class PairParity:
    """Whether two bots score alike. `games` counts the games that were judged."""

    bot_a: str
    bot_b: str
    games: int
    score_a: float
    low: float
    high: float
    margin: float
    proved_margin: float
    verdict: str
    games_needed: float  # estimated number of games until a verdict; 0 with a verdict


@dataclass(frozen=True)
class PlayoutStatistics:
    """Playout lengths that a bot reported for the empty board, compared with the reference."""

    bot: str
    searches: int
    playouts: int
    nodes_per_playout: float
    reference: float
    deviation: float
    low: float
    high: float
    verdict: str


@dataclass(frozen=True)
class MatchVerdicts:
    """Everything that is inferred from a run."""

    pairs: tuple[Pairing, ...]
    standings: tuple[Standing, ...]
    parity: tuple[PairParity, ...]
    playouts: tuple[PlayoutStatistics, ...]
    ratings: Ratings
    crosstable: Mapping[tuple[str, str], tuple[float, int]]  # (bot, opponent): points, games
    duplicates: Mapping[str, str]  # game: the earlier game of the same bots, colours and moves
    failures: Mapping[str, Counter[str]]  # bot: the number of its failures by reason
    games: int  # stored
    black_points: float
    black_games: int

    @property
    def sound(self) -> bool:
        """No bot failed, no playout length deviates, and no pair is different."""
        verdicts = [row.verdict for row in self.parity] + [row.verdict for row in self.playouts]
        return DIFFERENT not in verdicts and not any(self.failures.values())

    @property
    def decided(self) -> bool:
        """Every pair is equal or different."""
        return all(row.verdict != UNDECIDED for row in self.parity)


def games_still_needed(games: float) -> str:
    """`games_needed` in words."""
    return "no end in sight" if math.isinf(games) else f"about {math.ceil(games):,} more games"
