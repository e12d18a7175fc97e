"""Test whether the mean of a playout statistic is that of the reference; valid after every search.

A search reports the sum of a statistic (moves, wins) over its P playouts. For a conforming bot the sum is
nearly Normal(P μ, P σ²). The reference's μ may be an estimate with a standard error.

The tests need two numbers of the searches so far: the *score*, a weighted sum of their deviations (not the
score of a game), and the *information*, the precision of the estimated deviation. See
`score_and_information`. The evidence against a hypothesis is an e-process, the growing capital of a bet, kept
as a logarithm (`harness.stats.evidence`). Formulas: docs/statistics.md, "Mean".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.evidence import Floats, StatsError, anytime_p, as_floats, check_level, mix, peak

# Bets against "no deviation": Normal mixtures of these widths, in margins; chosen: up to gross faults.
DEVIATION_SCALES = (1.0, 4.0, 16.0)
# Bets against "deviates by the margin or more": (assumed deviation in margins, weight of the bet). Chosen: a
# true deviation of 0 is decided soonest; a deviation of half the margin is still decided.
INSIDE = ((0.2, 0.9), (0.6, 0.1))
# `Reference.variance` is enlarged until the Normal approximation holds up to this many standard deviations.
# Chosen: p-values down to 1e-6 are used.
TAIL = 5.0


@dataclass(frozen=True)
class Reference:
    """Moments of one playout's statistic for a conforming bot.

    `se` is the standard error of `mean` (0: exact). `skew` and excess `kurtosis` correct the Normal
    approximation when a search has few playouts. Their defaults are upper bounds for playout lengths and for
    results near ½.
    """

    mean: float
    sd: float
    se: float = 0.0
    skew: float = 1.0
    kurtosis: float = 3.0

    def __post_init__(self) -> None:
        if not all(math.isfinite(v) for v in (self.mean, self.sd, self.se, self.skew, self.kurtosis)):
            raise StatsError(f"a reference must be finite: {self}")
        if self.sd < 0 or self.se < 0:
            raise StatsError(f"sd and se of a reference cannot be negative: {self}")
        if self.sd == 0 < self.se:
            raise StatsError("a reference with sd 0 must have se 0")

    @property
    def exact(self) -> bool:
        """True if each playout of a conforming bot has the value `mean`, so that one deviation is proof."""
        return self.sd == 0.0

    def variance(self, playouts: Floats) -> Floats:
        """Variance of sums of `playouts` playouts: P σ², enlarged where P is small."""
        excess = TAIL / 3.0 * abs(self.skew) / np.sqrt(playouts)
        excess = excess + TAIL**2 / 12.0 * max(0.0, self.kurtosis) / playouts
        return np.asarray(playouts * self.sd**2 * (1.0 + excess), dtype=np.float64)


@dataclass(frozen=True)
class MeanEvidence:
    """The evidence of k searches about the mean; valid after every search.

    Without searches, the p-values are 1, the interval is infinite and the information is 0.
    """

    searches: int
    playouts: int
    mean: float
    deviation: float  # estimated mean minus the reference's, per playout
    low: float  # bounds of the true deviation, at `confidence` for all searches together
    high: float
    margin: float
    confidence: float
    log_e: float  # largest so far of the e-process against "no deviation"
    p_value: float  # against "no deviation"
    equivalence_p: float  # against "deviates by `margin` or more"
    information: float  # 1 / variance of `deviation`, without the reference's own error; inf if exact

    @property
    def proved_margin(self) -> float:
        """The smallest margin that is shown to contain the deviation, at `confidence`."""
        return max(abs(self.low), abs(self.high))


@dataclass(frozen=True)
class PlayoutsNeeded:
    """Approximate numbers of further playouts until a decision; infinite if there will be none."""

    to_pass: float  # if the bot behaves like the reference from now on
    to_fail: float  # if the deviation observed so far is the true one

    @property
    def likely(self) -> float:
        """The smaller of the two: those of the decision that is likely to come first."""
        return min(self.to_pass, self.to_fail)


def judge_mean(
    totals: npt.ArrayLike,
    playouts: npt.ArrayLike,
    reference: Reference,
    *,
    margin: float,
    confidence: float = 0.95,
    tolerance: float = 1e-6,
    reach: float = math.inf,
) -> MeanEvidence:
    """Judge the mean per playout from the searches' `totals`, in the order they were made.

    `playouts` is P, one number or one for each search. `margin` is the largest absolute deviation per playout
    that is tolerated. With an exact reference, `tolerance` is the error of a total that printing may cause.
    `reach` is the largest possible deviation, where `bounds_within` cuts off the interval. Raises StatsError.
    """
    sums = as_floats(totals, "totals")
    counts = per_search(playouts, sums.size)
    check_level(confidence, "confidence")
    if not (margin >= 0.0 and math.isfinite(margin)):
        raise StatsError(f"margin must be finite and not negative: {margin!r}")
    if sums.size == 0:
        return _nothing(reference, margin, confidence)
    residuals = sums - counts * reference.mean
    if reference.exact:
        return _judge_exact(residuals, counts, reference, margin, confidence, tolerance)
    if margin == 0.0:
        raise StatsError("a margin of 0 needs an exact reference")
    score, information = score_and_information(residuals, counts, reference)
    log_e = deviation_log_e(score, information, reference.se, margin)
    above, below = equivalence_log_e(score, information, reference.se, margin)
    final_score, final_information = float(score[-1]), float(information[-1])
    deviation = final_score / final_information
    radius = interval_radius(final_information, reference.se, margin, 1.0 - confidence)
    low, high = bounds_within(deviation, radius, reach)
    return MeanEvidence(
        searches=sums.size,
        playouts=int(counts.sum()),
        mean=reference.mean + deviation,
        deviation=deviation,
        low=low,
        high=high,
        margin=margin,
        confidence=confidence,
        log_e=peak(log_e),
        p_value=anytime_p(log_e),
        equivalence_p=max(anytime_p(above), anytime_p(below)),
        information=final_information,
    )


def score_and_information(residuals: Floats, playouts: Floats, reference: Reference) -> tuple[Floats, Floats]:
    """Running score T and information I after each search (last axis): all that the tests need.

    If the bot deviates by d per playout, T is Normal(d I, I): T / I estimates d with the variance 1 / I.
    `residuals`: total of each search less the expected total.
    """
    variance = reference.variance(playouts)
    weight = playouts / variance
    return np.cumsum(residuals * weight, axis=-1), np.cumsum(playouts * weight, axis=-1)


def deviation_log_e(score: Floats, information: Floats, se: float, margin: float) -> Floats:
    """Log e-process against "no deviation": normal mixtures of several widths τ, averaged (Robbins 1970).

    Hypothesis: the deviation is Normal(0, se²), the reference's error. The bet: it is Normal(0, se² + τ²).
    """
    null = information + (information * se) ** 2
    terms = []
    for scale in DEVIATION_SCALES:
        terms.append(normal_mixture(score, null, (information * margin * scale) ** 2))
    return mix(np.stack(terms), axis=0)


def normal_mixture(score: Floats, null: Floats, added: Floats) -> Floats:
    """Log likelihood ratio of Normal(0, null + added) to Normal(0, null) at `score`; `added` may be tiny."""
    ratio = added / null
    return 0.5 * (score**2 / null * (ratio / (1.0 + ratio)) - np.log1p(ratio))


def equivalence_log_e(score: Floats, information: Floats, se: float, margin: float) -> tuple[Floats, Floats]:
    """Log e-processes against "deviates by ≥ +margin" and "by ≤ −margin": likelihood ratios (Wald 1945).

    The bets are on the deviations INSIDE the margin, on the side that is tested. Both sides must be refuted.
    """
    shrink = 1.0 + information * se**2
    above, below = [], []
    for share, weight in INSIDE:
        nearer = share * margin
        drift = 0.5 * (margin**2 - nearer**2) * information
        above.append((drift - (margin - nearer) * score) / shrink + math.log(weight))
        below.append((drift + (margin - nearer) * score) / shrink + math.log(weight))
    return np.logaddexp.reduce(np.stack(above)), np.logaddexp.reduce(np.stack(below))


def bounds_within(deviation: float, radius: float, reach: float) -> tuple[float, float]:
    """Return (low, high): the interval of a deviation, cut off at ± reach, the largest possible deviation.

    A deviation beyond `reach`, as a wrong bot may report it, keeps its whole interval.
    """
    if abs(deviation) > reach:
        return deviation - radius, deviation + radius
    return max(-reach, deviation - radius), min(reach, deviation + radius)


def interval_radius(information: float, se: float, margin: float, alpha: float) -> float:
    """Half width of the normal-mixture confidence sequence (Robbins 1970).

    Among such sequences it is the narrowest once its half width is about the margin.
    """
    null = information + (information * se) ** 2
    ratio = (information * margin) ** 2 / null
    bound = 2.0 * math.log(1.0 / alpha) + math.log1p(ratio)
    return math.sqrt(bound * null * (1.0 + 1.0 / ratio)) / information if ratio > 0.0 else math.inf


def playouts_needed(
    evidence: MeanEvidence, reference: Reference, *, alpha: float, beta: float, playouts: int
) -> PlayoutsNeeded:
    """Estimate how many more playouts, in searches of `playouts`, lead to a decision. Raises StatsError."""
    check_level(alpha, "alpha")
    check_level(beta, "beta")
    done_fail = evidence.p_value <= alpha
    done_pass = evidence.equivalence_p <= beta
    if done_fail or done_pass:
        return PlayoutsNeeded(0.0 if done_pass else math.inf, 0.0 if done_fail else math.inf)
    if reference.exact:  # the first search decides
        return PlayoutsNeeded(float(playouts), float(playouts))
    _, gain = score_and_information(np.zeros(1), np.array([float(playouts)]), reference)
    rate = float(gain[0]) / playouts
    return PlayoutsNeeded(
        _further_to_pass(evidence, reference.se, beta) / rate,
        _further_to_fail(evidence, reference.se, alpha) / rate,
    )


def _further_to_pass(evidence: MeanEvidence, se: float, beta: float) -> float:
    """Information that is missing until both one-sided e-processes reach 1/β, if the score stays as it is.

    Solves `equivalence_log_e` = log(1/β) for the information, with the first bet of INSIDE alone.
    """
    share, weight = INSIDE[0]
    nearer = share * evidence.margin
    goal = math.log(1.0 / (beta * weight))
    growth = 0.5 * (evidence.margin**2 - nearer**2) - goal * se**2
    if growth <= 0.0:
        return math.inf  # the reference is too inaccurate for this margin
    score = abs(evidence.deviation) * evidence.information
    return max(0.0, (goal + (evidence.margin - nearer) * score) / growth - evidence.information)


def _further_to_fail(evidence: MeanEvidence, se: float, alpha: float) -> float:
    """Information that is missing until the deviation e-process reaches 1/α, if the deviation stays."""
    if evidence.information == 0.0 or evidence.deviation == 0.0:
        return math.inf
    ladder = evidence.information * np.geomspace(1.0, 1e6, 2000)  # beyond 1e6 times as much: inf; chosen
    log_e = deviation_log_e(evidence.deviation * ladder, ladder, se, evidence.margin)
    over = np.flatnonzero(log_e >= math.log(1.0 / alpha))
    return float(ladder[over[0]] - evidence.information) if over.size else math.inf


def per_search(playouts: npt.ArrayLike, searches: int) -> Floats:
    """The number of playouts of each search. Raises StatsError if one is below 1 or the lengths differ."""
    counts = np.asarray(playouts, dtype=np.float64)
    if counts.ndim == 0:
        counts = np.full(searches, float(counts))
    if counts.shape != (searches,):
        raise StatsError(f"{counts.size} numbers of playouts for {searches} searches")
    if not np.all(np.isfinite(counts)) or np.any(counts < 1):
        raise StatsError("every search must have at least one playout")
    return counts


def _nothing(reference: Reference, margin: float, confidence: float) -> MeanEvidence:
    """Return the evidence of no search."""
    return MeanEvidence(
        searches=0,
        playouts=0,
        mean=reference.mean,
        deviation=0.0,
        low=-math.inf,
        high=math.inf,
        margin=margin,
        confidence=confidence,
        log_e=0.0,
        p_value=1.0,
        equivalence_p=1.0,
        information=0.0,
    )


def _judge_exact(
    residuals: Floats,
    counts: Floats,
    reference: Reference,
    margin: float,
    confidence: float,
    tolerance: float,
) -> MeanEvidence:
    """Judge against a reference without variance: a search has the expected total, or proves a deviation."""
    total = float(counts.sum())
    deviation = float(residuals.sum()) / total
    same = bool(np.all(np.abs(residuals) <= tolerance))
    return MeanEvidence(
        searches=residuals.size,
        playouts=int(total),
        mean=reference.mean + deviation,
        deviation=deviation,
        low=deviation,
        high=deviation,
        margin=margin,
        confidence=confidence,
        log_e=0.0 if same else math.inf,
        p_value=1.0 if same else 0.0,
        equivalence_p=0.0 if same else 1.0,
        information=math.inf,
    )
