"""Test whether two bots score equally, from pairs of games with colours exchanged, in schedule order.

The score of a pair is 0, ½, 1, 1½ or 2. Half of this score, called x in the code, lies between 0 and 1; its
mean is p, the score per game, whatever its distribution. A pair with a win and a draw has x = 0.75. Bets on
these numbers begin with a capital of 1. If a hypothesis about p holds, the capital of bets against it is
unlikely to get large, so a large capital refutes it (an e-process, see `evidence`). The values of p that no
bet refutes are a confidence sequence (Waudby-Smith & Ramdas 2024). Formulas: docs/statistics.md, "Parity".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.elo import SCORES
from harness.stats.evidence import Floats, StatsError, anytime_p, as_floats, check_level, crossing, mix
from harness.stats.special import root

# Defaults of a match: margin of the score per game, error rates of the verdicts "different" and "equal",
# confidence of the interval. Chosen: docs/statistics.md lists the games that they need.
MARGIN = 0.03
ALPHA = 0.001
BETA = 0.05
CONFIDENCE = 0.95
# Bets as fractions of the largest safe bet, which cannot lose more than the capital. Chosen: the smallest
# still grow over tens of thousands of pairs.
STAKES: Floats = np.geomspace(0.004, 0.8, 12)
# Larger bets on "different": (fraction, share of the capital). They decide gross differences in few games.
# Chosen: the largest fraction is just below 1, so that one lost pair of games does not end the bet.
GROSS_STAKES = ((0.9, 0.1), (0.999, 0.2))
# Part of the capital of an "equal" bet that is on p near ½; the rest is on any p inside the margin; chosen.
CENTRED = 0.98
# The bet on p near ½, as a share of the bet that grows fastest at p = ½. "Equal" needs two bets won, against
# p ≥ ½ + margin and p ≤ ½ − margin. A share below 1 wins the slower one sooner; chosen.
STAKE_SHARE = 0.8
# Assumed variance of half a pair's score before any game (fair games without draws), and its weight in pairs.
FAIR_VARIANCE, FAIR_WEIGHT = 0.125, 25.0
# A forecast beyond this multiple of the pairs played is infinite; chosen: longer than any match.
HORIZON = 1e5

EQUAL, DIFFERENT, UNDECIDED = "equal", "different", "undecided"


@dataclass(frozen=True)
class Stakes:
    """A mixture of bets: fractions of the largest safe bet, and each one's log share of the capital."""

    fractions: Floats
    log_shares: Floats


EQUAL_SHARES = Stakes(STAKES, np.full(STAKES.size, -math.log(STAKES.size)))
"""All STAKES, with equal shares of the capital."""


def _with_gross_stakes() -> Stakes:
    gross, shares = (np.array(column) for column in zip(*GROSS_STAKES, strict=True))
    left = (1.0 - shares.sum()) / STAKES.size
    return Stakes(
        np.concatenate([STAKES, gross]), np.log(np.concatenate([np.full(STAKES.size, left), shares]))
    )


MIXED = _with_gross_stakes()
"""GROSS_STAKES with their shares, and STAKES in equal parts of the rest of the capital."""


@dataclass(frozen=True)
class ParityEvidence:
    """The evidence of n pairs about p, the first bot's mean score per game; valid after every pair."""

    pairs: int
    score: float  # so far; ½ without pairs
    low: float  # bounds of p, at `confidence` for all pairs together
    high: float
    confidence: float
    margin: float
    verdict: str
    decided_after: int | None  # pairs after which `verdict` was reached; None while undecided
    different_p: float  # p-value against |p − ½| ≤ margin
    to_equal: float  # further *games* until EQUAL, about, if p = ½ from now on
    to_different: float  # further *games* until DIFFERENT, about, if p is the score so far

    @property
    def games(self) -> int:
        """Games in the sample."""
        return 2 * self.pairs

    @property
    def proved_margin(self) -> float:
        """The bound on |p − ½| that holds with probability `confidence`."""
        return max(abs(self.low - 0.5), abs(self.high - 0.5))

    @property
    def games_needed(self) -> float:
        """Approximate number of further games until a verdict; 0 if decided, infinite if none is foreseen."""
        return 0.0 if self.decided_after is not None else min(self.to_equal, self.to_different)


def judge_parity(
    pair_scores: npt.ArrayLike,
    *,
    margin: float = MARGIN,
    alpha: float = ALPHA,
    beta: float = BETA,
    confidence: float = CONFIDENCE,
) -> ParityEvidence:
    """Judge the first bot's scores 0, ½, 1, 1½ or 2 of pairs of games, in schedule order.

    A verdict, once reached, does not change. Raises StatsError for scores, levels or a margin out of range.
    """
    for name, level in (("alpha", alpha), ("beta", beta), ("confidence", confidence)):
        check_level(level, name)
    if not 0.0 < margin < 0.5:
        raise StatsError(f"margin must lie between 0 and ½, not {margin!r}")
    scores = as_floats(pair_scores, "pair_scores")
    if np.any(scores < 0.0) or np.any(scores > 2.0):
        raise StatsError("the score of a pair of games must lie between 0 and 2")
    x = scores / 2.0
    not_above, not_below = equal_log_e(x, margin)
    different = different_log_e(x, margin)
    verdict, after = first_verdict(not_above, not_below, different, alpha, beta)
    low, high = mean_interval(x, 1.0 - confidence)
    return ParityEvidence(
        pairs=x.size,
        score=float(x.mean()) if x.size else 0.5,
        low=low,
        high=high,
        confidence=confidence,
        margin=margin,
        verdict=verdict,
        decided_after=after,
        different_p=anytime_p(different),
        to_equal=2.0 * _further_to_equal(x, not_above, not_below, margin, beta),
        to_different=2.0 * _further_to_different(x, different, margin, alpha),
    )


def equal_log_e(x: Floats, margin: float) -> tuple[Floats, Floats]:
    """Return logs of e-processes against (mean ≥ ½ + margin, mean ≤ ½ − margin), after each number `x`.

    The numbers lie in [0, 1].
    """
    return _against_mean_at_least(x, margin), _against_mean_at_least(1.0 - x, margin)


def different_log_e(x: Floats, margin: float, stakes: Stakes = MIXED) -> Floats:
    """Log e-process against |mean − ½| ≤ margin: bets on more than ½ + margin and on less than ½ − margin."""
    both = [bets_on_more(one, 0.5 + margin, stakes) for one in (x, 1.0 - x)]
    return mix(np.stack(both))


def mean_interval(x: Floats, alpha: float) -> tuple[float, float]:
    """Return (low, high) of the mean of numbers in [0, 1]: the means that the bets do not refute at α.

    It holds after every number.
    """
    values, counts = np.unique(x, return_counts=True)
    return interval_of_counts(values, counts, alpha)


def interval_of_counts(values: Floats, counts: npt.NDArray[np.int64], alpha: float) -> tuple[float, float]:
    """Return what `mean_interval` returns for a sample with `counts[i]` numbers of `values[i]`."""
    if not counts.sum():
        return 0.0, 1.0
    return _lower_bound(values, counts, alpha / 2.0), 1.0 - _lower_bound(1.0 - values, counts, alpha / 2.0)


def score_interval(counts: Sequence[int], alpha: float = 1.0 - CONFIDENCE) -> tuple[float, float]:
    """Return (low, high), bounds of the mean score per game that are valid at any time.

    `counts`: the numbers of pairs with 0, ½, 1, 1½ and 2 points.
    """
    return interval_of_counts(SCORES, np.array(counts), alpha)


def _lower_bound(values: Floats, counts: npt.NDArray[np.int64], alpha: float) -> float:
    """The largest mean that the bets on "more than this mean" refute at α, by root finding; 0 without one."""

    def excess(mean: float) -> float:
        gains = np.log1p(STAKES[:, None] * (values / mean - 1.0))
        return float(mix(gains @ counts)) + math.log(alpha)

    average = float(values @ counts / counts.sum())
    least = 1e-9
    if average <= least or excess(least) <= 0.0:
        return 0.0
    return float(root(excess, least, average)) if excess(average) < 0.0 else average


def _against_mean_at_least(x: Floats, margin: float) -> Floats:
    """Log e-process against mean ≥ ½ + margin; most of the capital is on a mean of ½ (CENTRED)."""
    bound = 0.5 + margin
    centred = np.cumsum(np.log1p(_centred_stakes(x, margin) * (bound - x)))
    anywhere = bets_on_more(1.0 - x, 1.0 - bound)
    return np.logaddexp(math.log(CENTRED) + centred, math.log1p(-CENTRED) + anywhere)


def _centred_stakes(x: Floats, margin: float) -> Floats:
    """λ = STAKE_SHARE · margin / (variance + margin²), with the variance about ½ before each pair."""
    squares = np.concatenate([[0.0], np.cumsum((x - 0.5) ** 2)])[: x.size]
    variance = (FAIR_VARIANCE * FAIR_WEIGHT + squares) / (FAIR_WEIGHT + np.arange(x.size))
    largest = 0.9 / (0.5 - margin)  # λ = 1 / (½ - margin) could lose the whole capital
    return np.asarray(np.minimum(STAKE_SHARE * margin / (variance + margin**2), largest), dtype=np.float64)


def bets_on_more(x: Floats, bound: float, stakes: Stakes = EQUAL_SHARES) -> Floats:
    """Return the log of an e-process against "mean ≤ bound", after each of the values `x` (0 to 1).

    It averages bets of several sizes on a greater mean, weighted by their shares.
    """
    gains = np.cumsum(np.log1p(stakes.fractions[:, None] * (x / bound - 1.0)), axis=1)
    return np.asarray(np.logaddexp.reduce(gains + stakes.log_shares[:, None]), dtype=np.float64)


def first_verdict(
    not_above: Floats, not_below: Floats, different: Floats, alpha: float, beta: float
) -> tuple[str, int | None]:
    """Return the first verdict and the number of pairs after which it was reached; else (UNDECIDED, None).

    `not_above` and `not_below` are the log e-processes of `equal_log_e`, of which "equal" needs both;
    `different` is that of `different_log_e`.
    """
    unequal = crossing(different, alpha)
    sides = (crossing(not_above, beta), crossing(not_below, beta))
    equal = None if None in sides else max(side for side in sides if side is not None)
    if unequal is not None and (equal is None or unequal <= equal):
        return DIFFERENT, unequal
    return (EQUAL, equal) if equal is not None else (UNDECIDED, None)


def _further_to_equal(x: Floats, not_above: Floats, not_below: Floats, margin: float, beta: float) -> float:
    """Further pairs until both bets on "equal" are won, if the mean is ½ and the variance stays."""
    won = math.log(1.0 / beta)

    def lacking(log_e: Floats) -> float:
        """The log capital that the centred bet lacks. It begins with the part CENTRED of the capital."""
        if x.size and float(log_e.max()) >= won:
            return 0.0
        return won - math.log(CENTRED) - (float(log_e[-1]) if x.size else 0.0)

    variance = (FAIR_VARIANCE * FAIR_WEIGHT + float(((x - 0.5) ** 2).sum())) / (FAIR_WEIGHT + x.size)
    # The mean growth of the log capital per pair, λ margin − λ² (variance + margin²) / 2, with the λ of
    # `_centred_stakes`.
    growth = STAKE_SHARE * (1.0 - 0.5 * STAKE_SHARE) * margin**2 / (variance + margin**2)
    return max(lacking(not_above), lacking(not_below)) / growth


def _further_to_different(x: Floats, different: Floats, margin: float, alpha: float) -> float:
    """Further pairs until the difference is proved, if the scores stay as observed."""
    goal = math.log(1.0 / alpha)
    if x.size == 0:
        return math.inf
    if float(different.max()) >= goal:
        return 0.0
    values, counts = np.unique(x, return_counts=True)
    bound = 0.5 + margin
    fractions = MIXED.fractions[:, None]
    up = np.log1p(fractions * (values / bound - 1.0)) @ counts
    down = np.log1p(fractions * ((1.0 - values) / bound - 1.0)) @ counts
    both, shares = np.concatenate([up, down]), np.tile(MIXED.log_shares, 2) - math.log(2.0)

    def excess(log_factor: float) -> float:
        """The log capital above the goal, after the pairs so far times this factor."""
        return float(np.logaddexp.reduce(both * math.exp(log_factor) + shares)) - goal

    far = math.log(HORIZON)
    if excess(far) <= 0.0:
        return math.inf
    if excess(0.0) >= 0.0:  # only by rounding: the capital has not reached the goal so far
        return 0.0
    return x.size * max(0.0, math.exp(root(excess, 0.0, far)) - 1.0)
