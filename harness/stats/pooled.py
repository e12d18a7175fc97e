"""Test of the mean over searches of many positions, each compared with its own estimated reference.

At position j, the bot makes n playouts and the reference makes R. If the bot conforms, both have the same
mean μ_j and standard deviation σ_j. With h_j = n R / (n + R), the sum of h_j (bot's mean − reference's mean)
over the positions then has the mean 0, and each position adds an independent term of variance h_j σ_j²
(Jennison & Turnbull 1997). Formulas: docs/statistics.md, "Audit".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from harness.stats.dispersion import CAP, NARROW, WIDE
from harness.stats.evidence import anytime_p, mix
from harness.stats.mean import bounds_within, equivalence_log_e, interval_radius, normal_mixture

# Widths of the Normal mixtures that bet against "equal means", in standard deviations of one playout. Chosen:
# each is 5 times the one before.
DEVIATIONS = (0.01, 0.05, 0.25)
CONFIDENCE = 0.95
# A search counts for the spread if its standard error is at least this multiple of the printing error.
# Chosen: printing then adds about 1 % to the spread.
COARSE = 4.0


@dataclass(frozen=True)
class Estimate:
    """The mean and the standard deviation of one playout's statistic, from `playouts` playouts."""

    mean: float
    sd: float
    playouts: int


@dataclass(frozen=True)
class PooledEvidence:
    """The evidence of many searches about one statistic of a playout. All p-values are valid at any time."""

    searches: int
    playouts: int
    reference: float  # mean of the reference over the positions, with the weights h
    deviation: float  # the bot's mean minus the reference's, per playout
    low: float  # bounds of the true deviation, at any time with 95 % confidence; infinite at a margin of 0
    high: float
    margin: float
    p_value: float  # against "the means are equal"
    equivalence_p: float  # against "the means differ by `margin` or more"
    spread: float  # standard deviation of the searches, as a multiple of the expected one; 1 if unknown
    narrow_p: float  # against "the spread is not too small"
    wide_p: float  # against "the spread is not too large"


class PooledMean:
    """Adds up the searches of one bot: `add` takes a position, `evidence` judges all so far.

    The memory does not grow with the number of searches.
    `floor` is the least standard deviation of a playout that is used: the reference's playouts give a smaller
    one where they missed rare outcomes. `tolerance` is the largest printing error of a reported mean. `reach`
    is the largest possible deviation: the interval ends there at the latest.
    """

    def __init__(self, *, floor: float, tolerance: float = 0.0, reach: float = math.inf) -> None:
        self._floor = floor
        self._tolerance = tolerance
        self._reach = reach
        self.searches = 0
        self.playouts = 0
        self._weight = 0.0  # sum of h
        self._expected = 0.0  # sum of h · mean of the reference
        self._excess = 0.0  # sum of h · deviation
        self._variance = 0.0  # of _excess
        self._clipped = 0.0  # sum of √h · clipped deviation in standard errors
        self._squares = 0.0  # of the searches' deviations in standard errors, clipped
        self._spread_searches = 0

    def add(self, means: list[tuple[float, int]], reference: Estimate) -> None:
        """Add all searches of one position (at least one), each as (mean per playout, number of playouts)."""
        count = sum(playouts for _, playouts in means)
        mean = sum(value * playouts for value, playouts in means) / count
        sd = max(reference.sd, self._floor)
        h = count * reference.playouts / (count + reference.playouts)
        deviation = mean - reference.mean
        self.searches += len(means)
        self.playouts += count
        self._weight += h
        self._expected += h * reference.mean
        self._excess += h * deviation
        self._variance += h * sd**2
        self._clipped += math.sqrt(h) * _clip(self._past_printing(deviation) * math.sqrt(h) / sd)
        for value, playouts in means:
            error = sd * math.sqrt(1.0 / playouts + 1.0 / reference.playouts)
            if reference.sd >= self._floor and error >= COARSE * self._tolerance:
                self._squares += _clip((value - reference.mean) / error) ** 2
                self._spread_searches += 1

    def evidence(self, margin_share: float | None = None, margin: float = 0.0) -> PooledEvidence | None:
        """The evidence so far; None without searches.

        margin_share   the margin as a share of the reference's mean; None: `margin` is the margin
        """
        if self._weight == 0.0:
            return None
        reference = self._expected / self._weight
        margin = margin_share * reference if margin_share is not None else margin
        deviation = self._excess / self._weight
        # score ~ Normal(d · information, information) for a deviation d
        information = np.asarray(self._weight**2 / self._variance)
        beyond = self._past_printing(deviation)
        above, below = equivalence_log_e(information * beyond, information, 0.0, margin)
        radius = interval_radius(float(information), 0.0, margin, 1.0 - CONFIDENCE)
        low, high = bounds_within(deviation, radius, self._reach)
        narrow, wide = (self._spread_log_e(scales) for scales in (NARROW, WIDE))
        return PooledEvidence(
            searches=self.searches,
            playouts=self.playouts,
            reference=reference,
            deviation=deviation,
            low=low,
            high=high,
            margin=margin,
            p_value=anytime_p(self._mean_log_e()),
            equivalence_p=max(anytime_p(above), anytime_p(below)),
            spread=math.sqrt(self._squares / self._spread_searches) if self._spread_searches else 1.0,
            narrow_p=anytime_p(narrow),
            wide_p=anytime_p(wide),
        )

    def _mean_log_e(self) -> float:
        """Log e-process against equal means: normal mixtures of the widths DEVIATIONS, averaged."""
        score, weight = np.asarray(self._clipped), np.asarray(self._weight)
        terms = [normal_mixture(score, weight, (weight * width) ** 2) for width in DEVIATIONS]
        return float(mix(np.stack(terms)))

    def _spread_log_e(self, scales: tuple[float, ...]) -> float:
        """Log likelihood ratio of the standard deviations `scales` to 1, averaged."""
        terms = [0.5 * self._squares * (1.0 - s**-2) - self._spread_searches * math.log(s) for s in scales]
        return float(mix(np.array(terms)))

    def _past_printing(self, deviation: float) -> float:
        """The part of a deviation that printing cannot explain."""
        return math.copysign(max(0.0, abs(deviation) - self._tolerance), deviation)


def standard_errors(value: float, playouts: int, reference: Estimate, floor: float) -> float:
    """The mean of a search minus that of its reference, in standard errors; `floor` as in `PooledMean`."""
    sd = max(reference.sd, floor)
    return (value - reference.mean) / (sd * math.sqrt(1.0 / playouts + 1.0 / reference.playouts))


def _clip(deviation: float) -> float:
    """Limit a deviation to CAP standard errors: far tails of playout lengths are not Normal."""
    return min(CAP, max(-CAP, deviation))
