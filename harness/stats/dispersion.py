"""Tests of the dispersion of repeated searches of one position, and of their independence.

Too little dispersion shows a fixed seed, too much shows correlated playouts. Searches that depend on earlier
ones show a poor random number generator. The tests do not depend on the bot's mean: each search is compared
with the mean of the searches before it. Formulas: docs/statistics.md, "Dispersion".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from harness.stats.evidence import Floats, StatsError, anytime_p, as_floats, check_level, mix, peak
from harness.stats.mean import Reference, per_search
from harness.stats.special import root

# The bets are on these standard deviations, as multiples of the reference's. Chosen: from a fixed seed (0.01)
# and playouts counted twice (1.4) to gross dependence (6).
NARROW = (0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.85)
WIDE = (1.15, 1.4, 2.0, 3.0, 6.0)
# A narrow bet is left out below this many distances of possible totals; chosen: rounding alone then decides.
COARSE = 1.5
# Residuals are clipped at this many standard deviations, because far tails are not Normal; chosen: a Normal
# residual is beyond it once in 16,000 searches.
CAP = 4.0
# The bets are on these correlations of a search with an earlier one; chosen: weak, medium, strong.
CORRELATIONS = (-0.9, -0.6, -0.3, 0.3, 0.6, 0.9)
MILD = (-0.3, 0.3)  # used where possible totals lie too far apart for the stronger ones


@dataclass(frozen=True)
class DispersionEvidence:
    """The evidence of k searches, from k − 1 residuals (see `recursive_residuals`).

    All p-values are valid after every search. `low` and `high` bound the true ratio after every search, with
    probability `confidence`; they are computed at the first use.
    """

    searches: int
    ratio: float  # observed standard deviation divided by the expected one; 1 without data
    squares: float  # sum of the squared residuals
    confidence: float
    log_e: float
    p_value: float  # against "the ratio is 1"
    narrow_p: float  # against "the ratio is not too small"
    wide_p: float  # against "the ratio is not too large"

    @property
    def low(self) -> float:
        """The lower bound of the true ratio."""
        return self._interval[0]

    @property
    def high(self) -> float:
        """The upper bound of the true ratio; infinite without data."""
        return self._interval[1]

    @cached_property
    def _interval(self) -> tuple[float, float]:
        return ratio_interval(self.squares, self.searches - 1, 1.0 - self.confidence)


@dataclass(frozen=True)
class SerialEvidence:
    """Correlation of each search with the search `lag` places before it, for the lag with most evidence.

    With fewer than three searches it has the lag 1, the correlation 0 and the p-value 1.
    """

    searches: int
    lag: int
    correlation: float
    log_e: float
    p_value: float


def judge_dispersion(
    totals: npt.ArrayLike,
    playouts: npt.ArrayLike,
    reference: Reference,
    *,
    step: float = 1.0,
    confidence: float = 0.95,
) -> DispersionEvidence:
    """Judge the dispersion of the searches' `totals`, in the order they were made.

    `step` is the distance between possible totals (1 for moves, ½ for wins with draws). Bets on standard
    deviations below about that distance are left out, because totals are then equal by chance; the widest bet
    of NARROW always stays. Raises StatsError, also for a reference without variance.
    """
    check_level(confidence, "confidence")
    sums, counts = _check_input(totals, playouts, reference)
    if sums.size < 2:
        return DispersionEvidence(sums.size, 1.0, 0.0, confidence, 0.0, 1.0, 1.0, 1.0)
    residuals = recursive_residuals(sums, counts, reference)
    coarseness = _step_in_deviations(step, reference, counts)
    narrow = _scale_log_e(residuals, tuple(s for s in NARROW if s >= COARSE * coarseness) or (NARROW[-1],))
    wide = _scale_log_e(residuals, WIDE)
    both = mix(np.stack([narrow, wide]))
    return DispersionEvidence(
        searches=sums.size,
        ratio=math.sqrt(float(np.mean(residuals**2))),
        squares=float((residuals**2).sum()),
        confidence=confidence,
        log_e=peak(both),
        p_value=anytime_p(both),
        narrow_p=anytime_p(narrow),
        wide_p=anytime_p(wide),
    )


def judge_serial(
    totals: npt.ArrayLike, playouts: npt.ArrayLike, reference: Reference, *, step: float = 1.0, lags: int = 3
) -> SerialEvidence:
    """Judge whether a search depends on any of the `lags` searches before it. Raises StatsError.

    `totals`, `playouts`, `reference` and `step` are those of `judge_dispersion`.
    """
    if lags < 1:
        raise StatsError(f"lags must be at least 1, not {lags}")
    sums, counts = _check_input(totals, playouts, reference)
    if sums.size < 3:
        return SerialEvidence(sums.size, 1, 0.0, 0.0, 1.0)
    residuals = np.clip(recursive_residuals(sums, counts, reference), -CAP, CAP)
    coarseness = _step_in_deviations(step, reference, counts)
    rhos = tuple(r for r in CORRELATIONS if 1.0 - r**2 >= coarseness**2) or MILD
    per_lag = np.stack([_lag_log_e(residuals, lag, rhos) for lag in range(1, lags + 1)])
    log_e = mix(per_lag)
    strongest = int(np.argmax(per_lag[:, -1])) + 1
    return SerialEvidence(
        sums.size, strongest, _correlation(residuals, strongest), peak(log_e), anytime_p(log_e)
    )


def recursive_residuals(totals: Floats, playouts: Floats, reference: Reference) -> Floats:
    """Deviation of each search but the first from the mean of the searches before, in standard deviations.

    For a bot with the reference's variance they are independent and Normal(0, 1), whatever its mean (Brown,
    Durbin & Evans 1975). Shape (..., k) in, (..., k − 1) out.
    """
    made = np.cumsum(playouts, axis=-1)
    mean = np.cumsum(totals, axis=-1) / made
    variance = reference.sd**2 * (1.0 / playouts[..., 1:] + 1.0 / made[..., :-1])
    gap = totals[..., 1:] / playouts[..., 1:] - mean[..., :-1]
    return np.asarray(gap / np.sqrt(variance), dtype=np.float64)


def ratio_interval(squares: float, residuals: int, alpha: float) -> tuple[float, float]:
    """Return (low, high) of the ratio of standard deviations, from the sum of squared residuals.

    A confidence sequence: it has every ratio c for which the e-process against "the standard deviation is c
    times the reference's" is below 1/α. The bets are on few ratios, so the interval is never narrower than
    about ± 7 %. It is (0, ∞) without residuals. If all are 0, the e-process is the same for every ratio; the
    interval is then set to (0, 1 / NARROW[0]).
    """
    if residuals < 1 or squares <= 0.0:
        return 0.0, math.inf if residuals < 1 else 1.0 / NARROW[0]
    scales = np.array(NARROW + WIDE)

    def excess(log_ratio: float) -> float:
        """The log e-value against this ratio, above log 1/α."""
        scaled = squares / math.exp(2.0 * log_ratio)
        terms = -residuals * np.log(scales) + 0.5 * scaled * (1.0 - scales**-2)
        return float(mix(terms)) - math.log(1.0 / alpha)

    centre = 0.5 * math.log(squares / residuals)
    if excess(centre) >= 0.0:  # only by rounding: the mixture has ratios on both sides
        return math.exp(centre), math.exp(centre)
    reach = 40.0  # of the logarithm: e^40 is beyond every ratio that searches can have
    lower = root(excess, centre - reach, centre) if excess(centre - reach) > 0 else -math.inf
    upper = root(excess, centre, centre + reach) if excess(centre + reach) > 0 else math.inf
    return math.exp(lower), math.exp(upper)


def _scale_log_e(residuals: Floats, scales: tuple[float, ...]) -> Floats:
    """Log e-process along the last axis: likelihood ratios Normal(0, s²) to Normal(0, 1), averaged over s."""
    squares = np.minimum(residuals**2, CAP**2)
    return mix(np.stack([np.cumsum(0.5 * squares * (1.0 - s**-2) - math.log(s), axis=-1) for s in scales]))


def _lag_log_e(residuals: Floats, lag: int, rhos: tuple[float, ...]) -> Floats:
    """Log e-process against independence, averaged over the correlations ρ.

    The bet: a residual is Normal(ρ w, 1 − ρ²), where w is the residual `lag` places before it.
    """
    if residuals.size <= lag:
        return np.zeros(residuals.size)
    now, before = residuals[lag:], residuals[:-lag]
    terms = []
    for rho in rhos:
        rest = 1.0 - rho**2
        step = -0.5 * math.log(rest) - 0.5 * (now - rho * before) ** 2 / rest + 0.5 * now**2
        terms.append(np.concatenate([np.zeros(lag), np.cumsum(step)]))
    return mix(np.stack(terms))


def _step_in_deviations(step: float, reference: Reference, playouts: Floats) -> float:
    """`step` in standard deviations of the total of the search with fewest playouts. Raises StatsError."""
    if not step >= 0.0:
        raise StatsError(f"step must not be negative: {step!r}")
    return step / (reference.sd * math.sqrt(float(playouts.min())))


def _correlation(residuals: Floats, lag: int) -> float:
    """Sample correlation about 0 at `lag`; 0 if there is nothing to correlate."""
    squares = float((residuals**2).sum())
    return float((residuals[lag:] * residuals[:-lag]).sum()) / squares if squares > 0.0 else 0.0


def _check_input(
    totals: npt.ArrayLike, playouts: npt.ArrayLike, reference: Reference
) -> tuple[Floats, Floats]:
    """Return totals and playouts of each search. Raises StatsError, also for an exact reference."""
    if reference.exact:
        raise StatsError("the reference has no variance to compare with")
    sums = as_floats(totals, "totals")
    return sums, per_search(playouts, sums.size)
