"""Two one-sided tests: shown to be the same, within a margin.

At a fixed number of observations (Schuirmann 1987), and at any time for a proportion against ½.
All formulas: docs/statistics.md, "Equivalence".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import binom, norm, t

from harness.stats.evidence import Floats, as_floats, check_level
from harness.stats.proportion import within_log_e


@dataclass(frozen=True)
class Tost:
    """p-values against "at or below the low margin" and "at or above the high one"."""

    above_low: float
    below_high: float

    @property
    def p_value(self) -> float:
        """Equivalence is shown at this level or above."""
        return max(self.above_low, self.below_high)


def tost_mean(values: npt.ArrayLike, low: float, high: float) -> Tost:
    """Show that the mean lies in (low, high), by t-tests; fixed sample. Fewer than 2 values show nothing."""
    sample = as_floats(values, "values")
    _check_margins(low, high)
    if sample.size < 2:
        return Tost(1.0, 1.0)
    mean, se = float(sample.mean()), float(sample.std(ddof=1)) / math.sqrt(sample.size)
    if se == 0.0:
        return Tost(0.0 if mean > low else 1.0, 0.0 if mean < high else 1.0)
    freedom = sample.size - 1
    return Tost(float(t.sf((mean - low) / se, freedom)), float(t.cdf((mean - high) / se, freedom)))


def tost_proportion(successes: int, trials: int, low: float, high: float) -> Tost:
    """Show that a proportion lies in (low, high), by exact binomial tests; fixed number of trials."""
    _check_margins(low, high)
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    return Tost(float(binom.sf(successes - 1, trials, low)), float(binom.cdf(successes, trials, high)))


def half_log_e(results: npt.ArrayLike, margin: float) -> tuple[Floats, Floats]:
    """Log e-processes against p ≥ ½ + margin and p ≤ ½ − margin, from results 0, ½, 1 of games in order.

    Likelihood ratios of p = ½ (Wald 1945). Both over 1/β show p to be within the margin. With draws they stay
    valid, as the ratio is convex in the result.
    """
    won = _results(results)
    if not 0.0 < margin < 0.5:
        raise ValueError(f"margin must lie between 0 and ½, not {margin!r}")
    for_win, for_loss = -math.log1p(2.0 * margin), -math.log1p(-2.0 * margin)
    against_more = np.cumsum(won * for_win + (1.0 - won) * for_loss)
    against_less = np.cumsum(won * for_loss + (1.0 - won) * for_win)
    return against_more, against_less


def off_half_log_e(results: npt.ArrayLike, margin: float) -> Floats:
    """Log e-process against |p − ½| ≤ margin, from results 0, ½, 1 of single games in order."""
    won = np.cumsum(_results(results))
    return within_log_e(won, np.arange(1, won.size + 1) - won, 0.5 - margin, 0.5 + margin)


def fixed_n(sd: float, deviation: float, alpha: float, power: float) -> float:
    """Observations after which a two-sided z-test at `alpha` finds `deviation` with probability `power`."""
    check_level(alpha, "alpha")
    check_level(power, "power")
    if deviation == 0.0:
        return math.inf
    return float(((norm.isf(alpha / 2.0) + norm.ppf(power)) * sd / deviation) ** 2)


def _results(results: npt.ArrayLike) -> Floats:
    won = as_floats(results, "results")
    if np.any(won < 0.0) or np.any(won > 1.0):
        raise ValueError("a game's result lies between 0 and 1")
    return won


def _check_margins(low: float, high: float) -> None:
    if not low < high:
        raise ValueError(f"the low margin {low!r} must be below the high one {high!r}")
