"""Sequential test of two Elo differences: the generalised SPRT over pairs of games with colours exchanged.

H0: the first bot is `elo0` stronger. H1: it is `elo1` stronger. The distribution of the five scores of a pair
is unknown, so each hypothesis gets its most likely distribution (Van den Bergh 2019; Li, Liu & Ying 2014).
Formulas: docs/statistics.md, "SPRT".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from harness.stats.elo import NORMALIZED, SCORES, pair_points, score_of_elo
from harness.stats.evidence import Floats, StatsError, check_level

PASSED, FAILED, OPEN = "passed", "failed", "undecided"
Model = Literal["logistic", "normalized"]
EMPTY = 1e-3
"""A score that no pair has counts as this many pairs, so that no distribution excludes it. Chosen: as other
implementations do, so that their figures can be compared; it weighs nothing after a few pairs."""
SETTLED = 1e-9
"""Change of a multiplier with which Newton's method ends. Chosen: the likelihood is largest there, so the
error of the LLR is of the order of the square."""
MOST_STEPS = 100
"""Most steps of Newton's method; each step without progress halves the bracket."""
SIGMA_SETTLED = 1e-9
"""Change of the standard deviation with which the search for a normalized mean ends. Chosen: the LLR then
changes by less than a millionth."""
FIRST_ROWS = 256
"""The LLR is computed for this many pairs at once, then each time for as many as there were so far. Chosen: a
test that ended early costs nothing more when later pairs are added."""
OVERSHOOT = 0.583
"""Mean overshoot of a random walk with Normal steps over a boundary, in standard deviations of a step:
−ζ(½)/√(2π) (Siegmund 1985)."""


@dataclass(frozen=True)
class SprtEvidence:
    """The evidence of n pairs, in schedule order. A verdict, once reached, does not change.

    llr             log likelihood ratio of H1 to H0, after all pairs
    lower, upper    the test ends when the LLR reaches one of these bounds
    verdict         PASSED (H1 is accepted), FAILED (H0 is accepted) or OPEN
    decided_after   pairs after which the verdict was reached; None while open
    further         estimate of the further pairs until a verdict, if the score stays; 0 with a verdict,
                    infinite if the LLR is 0
    """

    pairs: int
    llr: float
    lower: float
    upper: float
    verdict: str
    decided_after: int | None
    further: float


@dataclass(frozen=True)
class Hypotheses:
    """The two Elo differences and the error rates of a test.

    alpha   probability of PASSED where the difference is elo0 or less
    beta    probability of FAILED where the difference is elo1 or more
    model   the unit of the differences: usual (logistic) Elo, or normalized Elo (docs/statistics.md)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            check_level(getattr(self, name), name)
        if not self.elo0 < self.elo1:
            raise StatsError(f"elo0 must be below elo1, not {self.elo0!r} and {self.elo1!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the log likelihood ratio (Wald 1945): (the test fails below, it passes above)."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)


def judge_sprt(pair_scores: npt.ArrayLike, hypotheses: Hypotheses) -> SprtEvidence:
    """Judge the first bot's scores of pairs of games, in schedule order.

    Raises StatsError for a score that is not 0, ½, 1, 1½ or 2.
    """
    points = pair_points(pair_scores)
    lower, upper = hypotheses.bounds
    counts = np.cumsum(points[:, None] == np.arange(5), axis=0, dtype=np.float64)
    last = float(llr(counts[-1:], hypotheses)[0]) if points.size else 0.0
    start = 0
    while start < points.size:
        path = llr(counts[start : max(2 * start, FIRST_ROWS)], hypotheses)
        over = np.flatnonzero((path >= upper) | (path <= lower))
        if over.size:
            verdict = PASSED if path[over[0]] >= upper else FAILED
            return SprtEvidence(points.size, last, lower, upper, verdict, start + int(over[0]) + 1, 0.0)
        start += path.size
    goal = upper if last > 0.0 else lower
    further = points.size * (goal / last - 1.0) if last else math.inf
    return SprtEvidence(points.size, last, lower, upper, OPEN, None, further)


def llr(counts: Floats, hypotheses: Hypotheses) -> Floats:
    """The log likelihood ratio of H1 to H0 for each row of counts of the five scores of a pair.

    A row such as [1, 4, 10, 5, 1] counts the pairs with 0, ½, 1, 1½ and 2 points.
    """
    filled = np.where(counts > 0.0, counts, EMPTY)
    total = filled.sum(axis=1)
    shares = filled / total[:, None]
    if hypotheses.model == "logistic":
        null, other = (
            _log_tilt(shares, SCORES - score_of_elo(elo)) for elo in (hypotheses.elo0, hypotheses.elo1)
        )
    else:
        null, other = (
            _normalized_log_tilt(shares, elo / NORMALIZED) for elo in (hypotheses.elo0, hypotheses.elo1)
        )
    # The most likely share under a hypothesis is share / tilt.
    return np.asarray(total * (shares * (null - other)).sum(axis=1), dtype=np.float64)


def _log_tilt(shares: Floats, distance: Floats) -> Floats:
    """Log of the tilt: the divisor of each share that gives the most likely shares under a hypothesis.

    shares     observed shares of the five scores, a row for each sample
    distance   of each score from the mean that the hypothesis demands; one row, or one for each sample

    The tilt is 1 + θ d for the distance d, where θ gives d the mean 0 under the divided shares (Owen 1988). θ
    is found by Newton's method; the middle of the bracket replaces a step that leaves the bracket.
    """
    low, high = -1.0 / distance.max(axis=-1), -1.0 / distance.min(axis=-1)
    low, high = (np.broadcast_to(bound, shares.shape[:1]).copy() for bound in (low, high))
    theta = np.zeros(shares.shape[0])
    for _ in range(MOST_STEPS):
        parts = distance / (1.0 + theta[:, None] * distance)
        slope = (shares * parts).sum(axis=1)  # falls with θ; the root is wanted
        low, high = np.where(slope > 0.0, theta, low), np.where(slope > 0.0, high, theta)
        wanted = theta + slope / (shares * parts**2).sum(axis=1)
        inside = (wanted > low) & (wanted < high)
        step = np.where(inside, wanted, 0.5 * (low + high)) - theta
        theta = theta + step
        if not step.size or float(np.abs(step).max()) < SETTLED:
            break
    return np.asarray(np.log1p(theta[:, None] * distance), dtype=np.float64)


def _normalized_log_tilt(shares: Floats, deviations: float) -> Floats:
    """The log tilt (see `_log_tilt`) with which the mean is ½ + `deviations` standard deviations of a game.

    The condition is linear in the shares once their mean and standard deviation are known, so the tilt and
    these two are computed in turns until the standard deviation settles.
    """
    t = math.sqrt(2.0) * deviations  # in standard deviations of the score of a pair
    mean, sigma = _moments(np.full_like(shares, 0.2))
    tilt = np.zeros_like(shares)
    for _ in range(MOST_STEPS):
        spread = 1.0 + ((mean[:, None] - SCORES) / sigma[:, None]) ** 2
        tilt = _log_tilt(shares, SCORES - 0.5 - 0.5 * t * sigma[:, None] * spread)
        before = sigma
        mean, sigma = _moments(shares * np.exp(-tilt))
        if not sigma.size or float(np.abs(sigma - before).max()) < SIGMA_SETTLED:
            break
    return tilt


def _moments(shares: Floats) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of the score per game, for each row of shares."""
    mean = shares @ SCORES
    variance = (shares * (SCORES - mean[:, None]) ** 2).sum(axis=1)
    return np.asarray(mean, dtype=np.float64), np.asarray(np.sqrt(variance), dtype=np.float64)


@dataclass(frozen=True)
class Expectation:
    """The average course of a test: the probability of PASSED, and the mean number of pairs."""

    passed: float
    pairs: float


def expect(mean: float, variance: float, hypotheses: Hypotheses) -> Expectation:
    """Return the average course of a test whose pairs have this mean and variance of the score per game.

    The variance must be positive. The LLR is close to a Brownian motion (Wald 1945); its steps overshoot the
    bounds (Siegmund 1985).
    """
    if hypotheses.model == "logistic":
        s0, s1 = (score_of_elo(elo) for elo in (hypotheses.elo0, hypotheses.elo1))
    else:
        s0, s1 = (
            0.5 + math.sqrt(2.0 * variance) * elo / NORMALIZED for elo in (hypotheses.elo0, hypotheses.elo1)
        )
    drift = (s1 - s0) * (mean - 0.5 * (s0 + s1)) / variance
    step = (s1 - s0) / math.sqrt(variance)
    lower, upper = hypotheses.bounds
    lower, upper = lower - OVERSHOOT * step, upper + OVERSHOOT * step
    h = -2.0 * drift / step**2  # exp(h · LLR) has the same mean after every pair, so it yields `passed`
    if abs(h) < 1e-9:  # the limits of both formulas below for h → 0
        return Expectation(-lower / (upper - lower), -lower * upper / step**2)
    passed = math.expm1(h * lower) / (math.exp(h * lower) - math.exp(h * upper))
    return Expectation(passed, (passed * upper + (1.0 - passed) * lower) / drift)
