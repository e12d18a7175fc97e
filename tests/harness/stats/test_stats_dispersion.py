"""Dispersion, dependence and repeats of searches: error rates, power, lattices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from harness.stats import (
    Reference,
    judge_dispersion,
    judge_repeats,
    judge_serial,
    normal_likeliest,
)
from harness.stats.dispersion import NARROW, WIDE, _scale_log_e, ratio_interval, recursive_residuals
from harness.stats.evidence import mix

P = 1000
REFERENCE = Reference(111.06, 16.02, skew=0.0, kurtosis=0.0)
SD = 16.02 * math.sqrt(P)
RUNS, SEARCHES = 4_000, 60


def simulated(seed: int, runs: int = RUNS, searches: int = SEARCHES) -> Any:
    return np.random.default_rng(seed).normal(111.06 * P, SD, size=(runs, searches))


def test_residuals_are_independent_and_standard_whatever_the_mean() -> None:
    # They are linear in the totals: the matrix of that map must have orthonormal rows.
    counts = np.array([100.0, 1000.0, 300.0, 50.0])
    unit = np.eye(4) * np.sqrt(counts) * 16.02  # each total moved by one of its standard deviations
    rows = np.stack([recursive_residuals(u, counts, REFERENCE) for u in unit], axis=1)
    assert rows @ rows.T == pytest.approx(np.eye(3), abs=1e-12)
    assert recursive_residuals(counts * 7.0, counts, REFERENCE) == pytest.approx(np.zeros(3), abs=1e-12)


@pytest.mark.parametrize("playouts", [30, 1000])
def test_false_alarms_with_skewed_playouts(at_most: Any, playouts: int) -> None:
    # Geometric lengths, as skewed (2.0) as they come
    q = 0.2
    totals = np.random.default_rng(8).negative_binomial(playouts, q, size=(3_000, SEARCHES)).astype(float)
    counts = np.full(SEARCHES, float(playouts))
    residuals = recursive_residuals(totals, counts, Reference(4.0, math.sqrt(1 - q) / q))
    for scales in (NARROW[2:], WIDE):
        at_most((_scale_log_e(residuals, scales) >= math.log(1000.0)).any(axis=1), 0.001)


@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_false_alarms_of_the_dispersion(at_most: Any, alpha: float) -> None:
    residuals = recursive_residuals(simulated(1), np.full(SEARCHES, float(P)), REFERENCE)
    log_e = mix(np.stack([_scale_log_e(residuals, NARROW), _scale_log_e(residuals, WIDE)]))
    at_most((log_e >= -math.log(alpha)).any(axis=1), alpha)


@pytest.mark.parametrize("playouts", [30, 200])
def test_false_alarms_on_a_coarse_lattice_with_skew(at_most: Any, playouts: int) -> None:
    # One playout is 2 moves or, with chance 0.05, 3: totals have a deviation of 1.2 or 3.1 only.
    rng = np.random.default_rng(2)
    p = 0.05
    totals = 2.0 * playouts + rng.binomial(playouts, p, size=(1000, 40))
    reference = Reference(2 + p, math.sqrt(p * (1 - p)))
    at_most([judge_dispersion(x, playouts, reference).p_value <= 0.01 for x in totals], 0.01)
    at_most([judge_serial(x, playouts, reference).p_value <= 0.01 for x in totals], 0.01)


def test_wrong_dispersion_is_found_with_its_direction(at_least: Any) -> None:
    narrow, wide = [], []
    for x in simulated(3, 300):
        too_narrow = judge_dispersion(111.06 * P + 0.4 * (x - 111.06 * P), P, REFERENCE)
        too_wide = judge_dispersion(111.06 * P + 2.0 * (x - 111.06 * P), P, REFERENCE)
        narrow.append(too_narrow.narrow_p <= 1e-4 and too_narrow.wide_p > 0.01)
        wide.append(too_wide.wide_p <= 1e-4 and too_wide.narrow_p > 0.01)
    at_least(narrow, 0.9)
    at_least(wide, 0.9)


def test_a_fixed_seed_is_found_in_few_searches() -> None:
    assert judge_dispersion([111_060.0] * 6, P, REFERENCE).narrow_p < 1e-5
    assert judge_dispersion([111_060.0] * 6, P, REFERENCE).ratio == 0.0
    # but equal totals are no wonder where the lattice is as coarse as the spread
    assert judge_dispersion([1.0] * 6, 1, Reference(1.0, 0.5)).narrow_p > 0.01


def test_ratio_interval_covers(at_most: Any) -> None:
    residuals = recursive_residuals(simulated(4, 300), np.full(SEARCHES, float(P)), REFERENCE)
    outside = []
    for row in residuals:
        bounds = [ratio_interval(float((row[:n] ** 2).sum()), n, 0.05) for n in (5, 20, 59)]
        outside.append(any(not low <= 1.0 <= high for low, high in bounds))
    at_most(outside, 0.05)
    low, high = ratio_interval(10_000.0, 10_000, 0.05)
    assert 0.9 < low < 1.0 < high < 1.1


def test_serial_dependence(at_most: Any, at_least: Any) -> None:
    right = simulated(5, 1500)
    at_most([judge_serial(x, P, REFERENCE).p_value <= 0.01 for x in right], 0.01)
    drifting, alternating = right[:300].copy(), []
    for i in range(1, SEARCHES):
        drifting[:, i] = (
            111.06 * P
            + 0.7 * (drifting[:, i - 1] - 111.06 * P)
            + math.sqrt(0.51) * (right[:300, i] - 111.06 * P)
        )
    found = [judge_serial(x, P, REFERENCE) for x in drifting]
    at_least([e.p_value <= 0.01 for e in found], 0.8)
    for x in right[:300]:
        alternating.append(judge_serial(np.repeat(x[: SEARCHES // 3], 3), P, REFERENCE).p_value <= 1e-3)
    at_least(alternating, 0.9)


def test_a_reference_without_variance_is_refused() -> None:
    with pytest.raises(ValueError, match="no variance"):
        judge_dispersion([1.0, 2.0], P, Reference(3.0, 0.0))
    with pytest.raises(ValueError, match="lags"):
        judge_serial([1.0, 2.0], P, REFERENCE, lags=0)


def test_normal_approximation_of_the_likeliest_total_agrees_with_the_exact_one() -> None:
    value = np.full(33, 1 / 33)
    total = np.ones(1)
    for _ in range(100):
        total = np.convolve(total, value)
    sd = math.sqrt((33**2 - 1) / 12)
    assert normal_likeliest(sd, 100) == pytest.approx(total.max(), rel=0.01)
    assert normal_likeliest(0.0, 100) == 1.0


def test_false_alarms_of_repeats(at_most: Any) -> None:
    rng = np.random.default_rng(6)
    results = rng.integers(0, 50, size=(1500, 60))  # hits become frequent, then certain
    at_most([judge_repeats(row.tolist(), 1 / 50).p_value <= 0.05 for row in results], 0.05)


def test_repeats_betray_a_seed_that_returns() -> None:
    run = [111_060 + 7 * i for i in range(5)]
    evidence = judge_repeats(run * 2, normal_likeliest(16.02, P))
    assert evidence.repeats == 5
    assert evidence.p_value < 1e-6
    assert judge_repeats(["a"] * 50, 1.0).p_value == 1.0  # everything is the same by right
    assert judge_repeats([], 0.5).p_value == 1.0
    for likeliest in (0.0, 1.5):
        with pytest.raises(ValueError, match="likeliest"):
            judge_repeats([1], likeliest)
