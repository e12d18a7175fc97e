"""Tests whether two bots behave alike: two samples of searches are compared, without a reference.

Means and variances of the nearly Normal totals are tested by Welch's t test (1947) and Fisher's F test; the
number of searches must then not depend on their results. Choices are tested by an e-value that is valid for
any number of outcomes and searches (Turner, Ly & Grünwald 2024). Formulas: docs/statistics.md, "Two samples".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats import special
from harness.stats.evidence import Floats, StatsError, as_floats, check_level

CONSTANT_FROM = 5
"""A value that is equal in this many searches on each side is taken for constant; chosen."""


@dataclass(frozen=True)
class Difference:
    """The evidence of two samples about the difference of their means, first minus second.

    `p_value` is against "no difference", `equivalence_p` against "differs by the margin or more". The true
    difference lies between `low` and `high` with the given confidence. With fewer than 2 values in a sample,
    `difference` is NaN. Then, and if both samples are constant and one has fewer than CONSTANT_FROM values,
    the p-values are 1 and the interval is infinite.
    """

    difference: float
    low: float
    high: float
    p_value: float
    equivalence_p: float


def compare_means(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    margin: float = 0.0,
    tolerance: float = 0.0,
    confidence: float = 0.95,
) -> Difference:
    """Welch's test against "no difference", and one-sided tests against a difference of `margin` or more.

    The first `tolerance` of a difference may come from printing: the tests count the rest.
    Raises StatsError for values that are not finite, a negative margin or tolerance, and unless `confidence`
    is above 0 and below 1.
    """
    one, two = as_floats(first, "first"), as_floats(second, "second")
    check_level(confidence, "confidence")
    if margin < 0.0 or tolerance < 0.0:
        raise StatsError("margin and tolerance must not be negative")
    if min(one.size, two.size) < 2:
        return Difference(math.nan, -math.inf, math.inf, 1.0, 1.0)
    gap = _mean(one) - _mean(two)
    beyond = max(0.0, abs(gap) - tolerance)
    parts = [_squared_error(one), _squared_error(two)]
    error = math.sqrt(sum(parts))
    if error == 0.0:
        return _certain(gap, beyond, margin, min(one.size, two.size))
    degrees = sum(parts) ** 2 / sum(
        part**2 / (sample.size - 1) for part, sample in zip(parts, (one, two), strict=True)
    )
    radius = error * float(special.stdtrit(degrees, (1.0 + confidence) / 2.0))
    return Difference(
        gap,
        gap - radius,
        gap + radius,
        min(1.0, 2.0 * float(special.stdtr(degrees, -beyond / error))),
        float(special.stdtr(degrees, (beyond - margin) / error)),
    )


def compare_variances(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """P-value against equal variances of two Normal samples: the two-sided F test.

    1 if a sample has fewer than CONSTANT_FROM values, or if both are constant; else 0 if one is constant.
    Raises StatsError for values that are not finite.
    """
    one, two = as_floats(first, "first"), as_floats(second, "second")
    if min(one.size, two.size) < CONSTANT_FROM:
        return 1.0
    variances = _variance(one), _variance(two)
    if min(variances) == 0.0:
        return 1.0 if variances[0] == variances[1] else 0.0
    ratio = variances[0] / variances[1]
    degrees = one.size - 1, two.size - 1
    tails = special.fdtrc(*degrees, ratio), special.fdtr(*degrees, ratio)
    return min(1.0, 2.0 * float(min(tails)))


def compare_choices(first: Sequence[Hashable], second: Sequence[Hashable], outcomes: int) -> float:
    """P-value against "both sides choose each outcome equally often", from two series of equal length.

    One search of each side makes a pair. The bet on an outcome is the ratio of the share that it has had so
    far on its own side to the mean of its shares on both sides. Each side starts as if one search had been
    split equally among all `outcomes`. Valid at any stopping time. Raises StatsError if the lengths differ.
    """
    if len(first) != len(second):
        raise StatsError(f"{len(first)} searches cannot be paired with {len(second)}: expected equal numbers")
    counts: tuple[Counter[Hashable], Counter[Hashable]] = (Counter(), Counter())
    log_e = highest = 0.0
    for made, pair in enumerate(zip(first, second, strict=True)):
        for side, outcome in enumerate(pair):
            shares = [(counted[outcome] + 1.0 / outcomes) / (made + 1.0) for counted in counts]
            log_e += math.log(2.0 * shares[side] / sum(shares))
        for counted, outcome in zip(counts, pair, strict=True):
            counted[outcome] += 1
        highest = max(highest, log_e)
    return math.exp(-highest)


def _squared_error(sample: Floats) -> float:
    return _variance(sample) / sample.size


def _mean(sample: Floats) -> float:
    """Mean of the values; exactly their value if they are equal."""
    return float(sample.mean()) if np.ptp(sample) > 0.0 else float(sample[0])


def _variance(sample: Floats) -> float:
    """Variance of at least two values; exactly 0 if they are equal, although their mean may be rounded."""
    return float(sample.var(ddof=1)) if np.ptp(sample) > 0.0 else 0.0


def _certain(gap: float, beyond: float, margin: float, searches: int) -> Difference:
    """Judge two constant samples: certain from CONSTANT_FROM searches on; before, they show nothing."""
    sure = searches >= CONSTANT_FROM
    return Difference(
        gap,
        gap if sure else -math.inf,
        gap if sure else math.inf,
        0.0 if sure and beyond > 0.0 else 1.0,
        0.0 if sure and beyond <= margin else 1.0,  # `<=`: equal constants are equal within a margin of 0
    )
