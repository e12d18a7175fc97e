"""Elo difference of two bots with its error, and likelihood of superiority, from pairs of games.

The two games of a pair share an opening, so their results depend on each other. The variance therefore comes
from the scores of pairs (the pentanomial model), not from single games. Formulas: docs/statistics.md, "Elo".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.evidence import Floats, StatsError, as_floats

SCORES: Floats = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""The possible scores per game of a pair of games: both lost, …, both won."""
Z95 = 1.959964
"""Standard errors on each side of an interval of 95 %."""
NORMALIZED = 800.0 / math.log(10.0)
"""Normalized Elo of a mean that lies one standard deviation of a game above ½."""


def score_of_elo(elo: float) -> float:
    """The expected score per game of a bot that is `elo` stronger."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_of_score(score: float) -> float:
    """The Elo difference with this expected score; infinite for 0 and 1."""
    if score <= 0.0:
        return -math.inf
    return math.inf if score >= 1.0 else -400.0 * math.log10(1.0 / score - 1.0)


def count_pairs(pair_scores: npt.ArrayLike) -> tuple[int, int, int, int, int]:
    """The number of pairs with 0, ½, 1, 1½ and 2 points. Raises StatsError for other scores."""
    points = pair_points(pair_scores)
    lost, lower, middle, higher, won = (int(count) for count in np.bincount(points, minlength=5))
    return lost, lower, middle, higher, won


def pair_points(pair_scores: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """The scores 0, ½, 1, 1½, 2 as numbers of half points, 0 to 4. Raises StatsError for other scores."""
    doubled = 2.0 * as_floats(pair_scores, "pair_scores")
    points = np.rint(doubled).astype(np.int64)
    if np.any(points != doubled) or np.any(points < 0) or np.any(points > 4):
        raise StatsError("the score of a pair of games must be 0, ½, 1, 1½ or 2")
    return points


@dataclass(frozen=True)
class EloDifference:
    """The Elo difference of the first bot, at one look: after a number of games that was fixed before.

    elo     logistic; infinite if the bot won or lost every game
    error   half of the interval of 95 %, in Elo; infinite if the interval reaches a score of 0 or 1
    los     likelihood of superiority: probability that the difference is positive
    """

    elo: float
    error: float
    los: float


def elo_difference(counts: Sequence[int]) -> EloDifference:
    """The Elo difference from the number of pairs with 0, ½, 1, 1½ and 2 points; 0 ± ∞ without pairs."""
    pairs = sum(counts)
    if pairs == 0:
        return EloDifference(0.0, math.inf, 0.5)
    shares = np.array(counts) / pairs
    mean = float(shares @ SCORES)
    error = math.sqrt(float(shares @ (SCORES - mean) ** 2) / pairs)
    if error == 0.0:  # all pairs alike: the variance is that of fair games without draws
        error = math.sqrt(0.125 / pairs)
    low, high = (elo_of_score(mean + side * Z95 * error) for side in (-1.0, 1.0))
    half = (high - low) / 2.0 if math.isfinite(high) and math.isfinite(low) else math.inf
    los = 0.5 * math.erfc(-(mean - 0.5) / error / math.sqrt(2.0))
    return EloDifference(elo_of_score(mean), half, los)
