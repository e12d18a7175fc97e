"""Test whether results of searches repeat more often than by chance: a fixed seed shows after few searches.

Formulas: docs/statistics.md, "Repeats".
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.evidence import Floats, StatsError, anytime_p, mix, peak

# The bets are on these rates of repeats; chosen: from one search in a hundred to nearly every search.
REPEAT_RATES = (0.01, 0.1, 0.5, 0.9, 0.999)


@dataclass(frozen=True)
class RepeatEvidence:
    """The evidence of repeated results."""

    searches: int
    repeats: int  # searches whose result an earlier search had
    expected: float  # upper bound of the mean of `repeats` for a conforming bot
    log_e: float  # the largest so far
    p_value: float  # against "results repeat by chance only"; valid after every search


def judge_repeats(results: Sequence[Hashable], likeliest: float) -> RepeatEvidence:
    """Judge the results of searches, in order, for example the total or (total, score).

    A result repeats if any earlier search had it: of 5, 7, 5 the third one does. By chance, this happens with
    a probability of at most (number of different earlier results) · `likeliest`.

    `likeliest` bounds the probability of every single result of a search. Raises StatsError unless it is
    above 0 and at most 1.
    """
    if not 0.0 < likeliest <= 1.0:
        raise StatsError(
            f"likeliest is {likeliest!r}: expected a bound on a probability, above 0 and at most 1"
        )
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
    """Upper bound of the probability of any one total of `playouts` playouts, by the Normal approximation.

    `sd` is the standard deviation of one playout; possible totals lie `step` apart. 1 if `sd` is 0.
    """
    if sd <= 0.0:
        return 1.0
    return min(1.0, step / (sd * math.sqrt(2.0 * math.pi * playouts)))


def _repeat_log_e(repeated: npt.NDArray[np.bool_], chance: Floats) -> Floats:
    """Log e-process: likelihood ratios of repeating at a fixed rate to repeating by chance."""
    terms = []
    for rate in REPEAT_RATES:
        usable = (chance > 0.0) & (chance < rate)  # no bet where chance explains as much
        safe = np.where(usable, chance, 0.5)
        gain = np.where(repeated, np.log(rate / safe), np.log((1.0 - rate) / (1.0 - safe)))
        terms.append(np.cumsum(np.where(usable, gain, 0.0)))
    return mix(np.stack(terms))
