"""The mean's judge: error rates under continuous looking, power, exact references, planning."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from harness.stats import Reference, judge_mean, playouts_needed
from harness.stats.mean import deviation_log_e, equivalence_log_e, interval_radius, score_and_information

P = 1000
PLAIN = Reference(
    111.06, 16.02, skew=0.0, kurtosis=0.0
)  # no allowance for small P: the sharpest test of the level
MARGIN = 0.0025 * 111.06
RUNS, SEARCHES = 4_000, 150


def residuals(seed: int, deviation: float = 0.0, runs: int = RUNS, searches: int = SEARCHES) -> Any:
    rng = np.random.default_rng(seed)
    return rng.normal(P * deviation, 16.02 * math.sqrt(P), size=(runs, searches))


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001])
def test_false_alarms_under_continuous_looking(at_most: Any, alpha: float) -> None:
    score, information = score_and_information(residuals(1), np.full(SEARCHES, float(P)), PLAIN)
    at_most((deviation_log_e(score, information, 0.0, MARGIN) >= -math.log(alpha)).any(axis=1), alpha)


def test_false_alarms_with_a_coarse_table_and_mixed_numbers_of_playouts(at_most: Any) -> None:
    rng = np.random.default_rng(2)
    counts = rng.choice([100.0, 1000.0, 5000.0], size=60)
    se = 0.3  # larger than the margin
    error = rng.normal(0.0, se, size=(RUNS, 1))
    shifted = rng.normal(0.0, 16.02, size=(RUNS, 60)) * np.sqrt(counts) + error * counts
    score, information = score_and_information(shifted, counts, PLAIN)
    log_e = deviation_log_e(score, information, se, MARGIN)
    at_most((log_e >= math.log(100.0)).any(axis=1), 0.01)
    naive = deviation_log_e(score, information, 0.0, MARGIN)
    assert (naive >= math.log(100.0)).any(axis=1).mean() > 0.2  # the error of the table matters here


def test_false_alarms_at_small_p_with_a_skewed_statistic(at_most: Any) -> None:
    # Length = geometric with success 1/5: mean 5, variance 20, skew (2 − q) / √(1 − q) ≈ 2.01, kurtosis 6.05.
    q, playouts = 0.2, 30
    rng = np.random.default_rng(3)
    totals = rng.negative_binomial(playouts, q, size=(RUNS, 40)).astype(np.float64) + playouts
    reference = Reference(
        1 / q, math.sqrt(0.8) / q, skew=(2 - q) / math.sqrt(1 - q), kurtosis=6 + q**2 / (1 - q)
    )
    score, information = score_and_information(totals - playouts / q, np.full(40, float(playouts)), reference)
    for alpha in (0.01, 0.001):
        log_e = deviation_log_e(score, information, 0.0, 0.05)
        at_most((log_e >= -math.log(alpha)).any(axis=1), alpha)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_bot_at_the_margin_is_not_passed(at_most: Any, side: float) -> None:
    score, information = score_and_information(
        residuals(4, side * MARGIN), np.full(SEARCHES, float(P)), PLAIN
    )
    above, below = equivalence_log_e(score, information, 0.0, MARGIN)
    passed = (above.max(axis=1) >= math.log(20.0)) & (below.max(axis=1) >= math.log(20.0))
    at_most(passed, 0.05)


def test_power_against_deviations_and_for_equivalence(at_least: Any) -> None:
    counts = np.full(SEARCHES, float(P))
    for relative, searches in ((0.01, 15), (0.005, 50), (0.0025, SEARCHES)):
        score, information = score_and_information(residuals(5, relative * 111.06, 2000), counts, PLAIN)
        log_e = deviation_log_e(score, information, 0.0, MARGIN)[:, :searches]
        at_least((log_e >= math.log(1000.0)).any(axis=1), 0.9)
    score, information = score_and_information(residuals(6, 0.0, 2000), counts, PLAIN)
    above, below = equivalence_log_e(score[:, :80], information[:80], 0.0, MARGIN)
    at_least((above.max(axis=1) >= math.log(20.0)) & (below.max(axis=1) >= math.log(20.0)), 0.9)


def test_confidence_sequence_covers_at_all_times(at_most: Any) -> None:
    score, information = score_and_information(residuals(7), np.full(SEARCHES, float(P)), PLAIN)
    radius = np.array([interval_radius(float(i), 0.0, MARGIN, 0.05) for i in information])
    at_most((np.abs(score / information) > radius).any(axis=1), 0.05)


def test_the_mixture_is_a_likelihood_ratio_of_gaussian_vectors() -> None:
    # Slow twin: densities of the totals under both hypotheses, with the table's error common to all.
    counts = np.array([500.0, 1000.0, 200.0])
    x = np.array([300.0, -800.0, 400.0])
    se = 0.02
    score, information = score_and_information(x, counts, PLAIN)
    noise = np.diag(counts * PLAIN.sd**2)
    null = multivariate_normal(np.zeros(3), noise + se**2 * np.outer(counts, counts))
    ratios = []
    for scale in (1.0, 4.0, 16.0):
        wide = se**2 + (scale * MARGIN) ** 2
        ratios.append(
            math.exp(
                multivariate_normal(np.zeros(3), noise + wide * np.outer(counts, counts)).logpdf(x)
                - null.logpdf(x)
            )
        )
    assert float(deviation_log_e(score, information, se, MARGIN)[-1]) == pytest.approx(
        math.log(np.mean(ratios))
    )
    inside = [
        weight
        * math.exp(
            multivariate_normal(counts * share * MARGIN, null.cov).logpdf(x)
            - multivariate_normal(counts * MARGIN, null.cov).logpdf(x)
        )
        for share, weight in ((0.2, 0.9), (0.6, 0.1))
    ]
    above, _ = equivalence_log_e(score, information, se, MARGIN)
    assert float(above[-1]) == pytest.approx(math.log(sum(inside)))


def test_exact_reference_settles_at_once() -> None:
    exact = Reference(3.0, 0.0)
    right = judge_mean([3000.0, 3000.0], P, exact, margin=0.0)
    assert (right.p_value, right.equivalence_p, right.deviation) == (1.0, 0.0, 0.0)
    wrong = judge_mean([3000.0, 2999.0], P, exact, margin=0.1)
    assert (wrong.p_value, wrong.equivalence_p) == (0.0, 1.0)
    assert wrong.deviation == pytest.approx(-0.0005)
    assert judge_mean([3000.4], P, exact, margin=0.0, tolerance=0.5).equivalence_p == 0.0


def test_playouts_needed_is_about_right() -> None:
    needed = functools.partial(playouts_needed, alpha=0.001, beta=0.05, playouts=P)
    nothing = judge_mean([], P, PLAIN, margin=MARGIN)
    plan = needed(nothing, PLAIN)
    # n (m² − (m/5)²) / 2σ² = ln(20 / 0.9), so n = 2 · 3.101 · 16.02² / (0.96 · 0.27765²) = 21,508
    assert plan.to_pass == pytest.approx(21_508, rel=1e-3)
    assert plan.to_fail == math.inf
    seen = judge_mean([P * (111.06 + 1.0)] * 3, P, PLAIN, margin=MARGIN)
    further = needed(seen, PLAIN).to_fail
    searches = math.ceil(further / P)
    assert judge_mean([P * (111.06 + 1.0)] * (3 + searches), P, PLAIN, margin=MARGIN).p_value <= 0.001
    assert judge_mean([P * (111.06 + 1.0)] * (2 + searches), P, PLAIN, margin=MARGIN).p_value > 0.001
    decided = judge_mean([P * 111.06] * 100, P, PLAIN, margin=MARGIN)
    assert needed(decided, PLAIN).likely == 0.0
    coarse = Reference(111.06, 16.02, se=1.0)
    assert needed(nothing, coarse).to_pass == math.inf


@pytest.mark.parametrize(
    ("totals", "playouts", "margin"),
    [
        ([[1.0]], P, 1.0),
        ([1.0], 0, 1.0),
        ([1.0, 2.0], [P], 1.0),
        ([1.0], P, -1.0),
        ([1.0], P, 0.0),
        ([1.0], P, math.nan),
    ],
)
def test_nonsense_is_refused(totals: Any, playouts: Any, margin: float) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        judge_mean(totals, playouts, PLAIN, margin=margin)


def test_reference_must_make_sense() -> None:
    for bad in ({"sd": -1.0}, {"sd": math.inf}, {"sd": 0.0, "se": 1.0}, {"sd": 1.0, "se": -1.0}):
        with pytest.raises(ValueError, match="reference"):
            Reference(1.0, **bad)


def test_extreme_scales_stay_finite() -> None:
    rng = np.random.default_rng(9)
    for _ in range(200):
        scale, sd, margin = (
            10.0 ** rng.uniform(-8, 12),
            10.0 ** rng.uniform(-8, 6),
            10.0 ** rng.uniform(-9, 6),
        )
        reference = Reference(111.0, sd, se=sd * 10.0 ** rng.uniform(-6, 1))
        evidence = judge_mean(rng.normal(0.0, scale, 3), 10, reference, margin=margin)
        assert 0.0 <= evidence.p_value <= 1.0
        assert 0.0 <= evidence.equivalence_p <= 1.0
        assert evidence.low <= evidence.deviation <= evidence.high
        assert playouts_needed(evidence, reference, alpha=1e-5, beta=0.05, playouts=10).likely >= 0.0


def test_no_interval_exceeds_what_a_deviation_can_be() -> None:
    """Without a limit, the interval of a score (0 to 1) from few playouts is wider than scores can differ."""
    reference = Reference(mean=0.5, sd=0.5, se=0.0005)
    wide = judge_mean([1.0], 1, reference, margin=0.025)
    limited = judge_mean([1.0], 1, reference, margin=0.025, reach=1.0)
    assert wide.high > 1.0
    assert (limited.low, limited.high) == (max(-1.0, wide.low), 1.0)
    assert limited.p_value == wide.p_value
