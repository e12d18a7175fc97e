"""Do results repeat more often than by chance? Finds a fixed seed after few searches.

All formulas: docs/statistics.md, "Repeats".
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.evidence import Floats, StatsError, anytime_p, mix, peak

# Alternatives: rates at which a search repeats an earlier one.
REPEAT_RATES = (0.01, 0.1, 0.5, 0.9, 0.999)


@dataclass(frozen=True)
class RepeatEvidence:
    """How many searches repeat an earlier one, how many do so by chance at most, and a p-value."""

    searches: int
    repeats: int
    expected: float
    log_e: float
    p_value: float


def judge_repeats(results: Sequence[Hashable], likeliest: float) -> RepeatEvidence:
    """Judge repeated results, in order; `likeliest` bounds the probability of any single result of a search.

    A result is any hashable value: the total, or total and score together. Raises StatsError.
    """
    if not 0.0 < likeliest <= 1.0:
        raise StatsError(f"likeliest must be a probability above 0, not {likeliest!r}")
    seen: set[Hashable] = set()
    repeated, chance = [], []
    for result in results:
        repeated.append(result in seen)
        chance.append(min(1.0, len(seen) * likeliest))
        seen.add(result)
    bound = np.array(chance)
    log_e = _repeat_log_e(np.array(repeated, dtype=bool), bound)
    return RepeatEvidence(len(repeated), sum(repeated), float(bound.sum()), peak(log_e), anytime_p(log_e))


def normal_likeliest(sd: float, playouts: int, step: float = 1.0) -> float:
    """Probability of the likeliest total, at most 1, in the normal approximation; `sd` is of one playout."""
    if sd <= 0.0:
        return 1.0
    return min(1.0, step / (sd * math.sqrt(2.0 * math.pi * playouts)))


def _repeat_log_e(repeated: npt.NDArray[np.bool_], chance: Floats) -> Floats:
    """Log e-process: likelihood ratios of repeating at a fixed rate to repeating by chance."""
    if repeated.size == 0:
        return np.zeros(0)
    terms = []
    for rate in REPEAT_RATES:
        usable = (chance > 0.0) & (chance < rate)  # no bet where chance explains as much
        safe = np.where(usable, chance, 0.5)
        gain = np.where(repeated, np.log(rate / safe), np.log((1.0 - rate) / (1.0 - safe)))
        terms.append(np.cumsum(np.where(usable, gain, 0.0)))
    return mix(np.stack(terms))
