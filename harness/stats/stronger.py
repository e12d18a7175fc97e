"""Test whether a bot is stronger or weaker than another one, valid after every pair of games.

The e-processes are those of `parity`, against a mean score of at most ½, and of at least ½. Formulas:
docs/statistics.md, "Stronger".
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy.typing as npt

from harness.stats.elo import pair_points
from harness.stats.evidence import Floats, check_level, crossing
from harness.stats.parity import HORIZON, bets_on_more

STRONGER, WEAKER, UNDECIDED = "stronger", "weaker", "undecided"


@dataclass(frozen=True)
class StrongerEvidence:
    """The evidence of n pairs, in schedule order. A verdict, once reached, does not change.

    verdict         STRONGER or WEAKER, for the first bot, or UNDECIDED
    decided_after   pairs after which the verdict was reached; None while undecided
    further         estimate of the further pairs until a verdict, if the score stays: 0 with a verdict,
                    infinite if none is foreseen
    """

    pairs: int
    verdict: str
    decided_after: int | None
    further: float


def judge_stronger(pair_scores: npt.ArrayLike, *, alpha: float = 0.05) -> StrongerEvidence:
    """Judge the first bot's scores 0, ½, 1, 1½ or 2 of pairs of games, in schedule order.

    `alpha`: largest probability that equal bots are ever called stronger or weaker. Raises StatsError for
    other scores, and unless `alpha` is above 0 and below 1.
    """
    check_level(alpha, "alpha")
    x: Floats = pair_points(pair_scores) / 4.0
    level = alpha / 2.0
    bets = {STRONGER: bets_on_more(x, 0.5), WEAKER: bets_on_more(1.0 - x, 0.5)}
    found = [
        (after, verdict) for verdict, log_e in bets.items() if (after := crossing(log_e, level)) is not None
    ]
    if found:
        after, verdict = min(found)
        return StrongerEvidence(x.size, verdict, after, 0.0)
    return StrongerEvidence(x.size, UNDECIDED, None, _further(x.size, bets.values(), -math.log(level)))


def _further(pairs: int, bets: Collection[Floats], goal: float) -> float:
    """Further pairs until a bet is won, if its capital grows as it did so far; infinite beyond HORIZON."""
    if pairs == 0:
        return math.inf
    best = max(float(log_e[-1]) for log_e in bets)
    needed = pairs * (goal / best - 1.0) if best > 0.0 else math.inf
    return needed if needed <= HORIZON * pairs else math.inf
