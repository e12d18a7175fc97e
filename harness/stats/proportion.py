"""A proportion against a given value, or against a least value, at any time.

Beta-binomial mixtures (Ville 1939; Robbins 1970; Howard et al. 2021). All formulas: docs/statistics.md,
"Proportion".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import betaln, xlog1py, xlogy

from harness.stats.evidence import Floats, anytime_p, as_floats, check_level, peak

# Bounds nearer than this to 0 or 1 are not looked for: the bound is then 0 or 1 itself.
EDGE = 1e-12


@dataclass(frozen=True)
class ProportionEvidence:
    """What n trials say about a proportion. `p_value` is anytime-valid against the hypothesis asked for."""

    trials: float
    successes: float
    estimate: float
    low: float
    high: float
    confidence: float
    log_e: float
    p_value: float


def judge_proportion(
    successes: npt.ArrayLike, trials: npt.ArrayLike, expected: float, *, confidence: float = 0.95
) -> ProportionEvidence:
    """Test "the proportion is `expected`", given `successes[i]` of `trials[i]` at look i (not cumulated).

    Raises ValueError.
    """
    won, lost = _running(successes, trials)
    return _evidence(won, lost, within_log_e(won, lost, expected, expected), confidence, expected)


def judge_at_least(
    successes: npt.ArrayLike, trials: npt.ArrayLike, least: float, *, confidence: float = 0.95
) -> ProportionEvidence:
    """Test "the proportion is `least` or more", as for a choice out of a set with probability ≥ 1 − ε."""
    won, lost = _running(successes, trials)
    return _evidence(won, lost, within_log_e(won, lost, least, 1.0), confidence, least)


def interval(won: float, lost: float, alpha: float) -> tuple[float, float]:
    """Confidence sequence for a proportion: where the mixture is below 1/α. Halves are allowed."""
    total = won + lost
    if total == 0:
        return 0.0, 1.0
    goal = math.log(1.0 / alpha)

    def excess(p: float) -> float:
        return float(betaln(1.0 + won, 1.0 + lost) - xlogy(won, p) - xlog1py(lost, -p)) - goal

    centre = won / total
    least, most = EDGE, 1.0 - EDGE
    low = float(brentq(excess, least, centre)) if won > 0 and excess(least) > 0.0 else 0.0
    high = float(brentq(excess, centre, most)) if lost > 0 and excess(most) > 0.0 else 1.0
    return low, high


def _swap(won: float, lost: float, q: float, goal: float) -> float:
    """As `excess`, in terms of 1 − p, which is where precision near 1 is to be had."""
    return float(betaln(1.0 + won, 1.0 + lost) - xlogy(lost, q) - xlog1py(won, -q)) - goal


def within_log_e(won: Floats, lost: Floats, low: float, high: float) -> Floats:
    """Log e-process against a proportion in [low, high]: uniform mixture over the likeliest of these."""
    if not 0.0 <= low <= high <= 1.0:
        raise ValueError(f"a proportion lies between 0 and 1, not {low!r}")
    total = np.maximum(won + lost, 0.5)  # nothing seen yet: any value will do
    best = np.clip(won / total, low, high)
    with np.errstate(divide="ignore"):  # an impossible outcome has likelihood 0, and log e = inf
        null = xlogy(won, best) + xlog1py(lost, -best)
    return np.asarray(betaln(1.0 + won, 1.0 + lost) - null, dtype=np.float64)


def _running(successes: npt.ArrayLike, trials: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Cumulated successes and failures at each look."""
    won = as_floats(successes, "successes")
    of = np.asarray(trials, dtype=np.float64)
    of = np.full(won.size, float(of)) if of.ndim == 0 else as_floats(of, "trials")
    if of.shape != won.shape or np.any(won < 0.0) or np.any(won > of):
        raise ValueError("each look has from 0 to all of its trials as successes")
    return np.cumsum(won), np.cumsum(of - won)


def _evidence(
    won: Floats, lost: Floats, log_e: Floats, confidence: float, centre: float
) -> ProportionEvidence:
    check_level(confidence, "confidence")
    w, n = (float(won[-1]), float(won[-1] + lost[-1])) if won.size else (0.0, 0.0)
    low, high = interval(w, n - w, 1.0 - confidence)
    estimate = w / n if n else centre
    return ProportionEvidence(n, w, estimate, low, high, confidence, peak(log_e), anytime_p(log_e))
