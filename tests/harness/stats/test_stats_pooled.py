"""Pooled comparisons keep their level, find deviations, and prove equality, by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from harness.stats import Estimate, PooledEvidence, PooledMean

PLAYOUTS = 200
RATIO = 4


def pooled(
    rng: np.random.Generator,
    positions: int,
    *,
    shift: float = 0.0,
    spread: float = 1.0,
    searches: int = 1,
    tail: bool = False,
) -> PooledEvidence:
    """The evidence about searches of many positions whose means and deviations differ."""
    pool = PooledMean(floor=1.0)
    for _ in range(positions):
        mean, sd = rng.uniform(20, 110), rng.uniform(4, 16)
        estimate, actual = _sample(rng, mean, sd, RATIO * searches * PLAYOUTS, tail)
        means = []
        for _ in range(searches):
            own, _ = _sample(rng, mean, sd, PLAYOUTS, tail)
            means.append((mean + spread * (own - mean) + shift, PLAYOUTS))
        pool.add(means, Estimate(estimate, actual, RATIO * searches * PLAYOUTS))
    evidence = pool.evidence(margin_share=0.0025)
    assert evidence is not None
    return evidence


def _sample(rng: np.random.Generator, mean: float, sd: float, count: int, tail: bool) -> tuple[float, float]:
    """Mean and standard deviation of a sample; with a `tail`, one playout in 2,000 is a long cycle."""
    if not tail:
        return rng.normal(mean, sd / np.sqrt(count)), sd
    values = rng.normal(mean, sd, count) + 200.0 * (rng.random(count) < 1 / 2000)
    return float(values.mean()), float(values.std())


@pytest.mark.parametrize("searches", [1, 5])
@pytest.mark.parametrize("tail", [False, True])
def test_a_right_bot_is_seldom_refused(searches: int, tail: bool) -> None:
    rng = np.random.default_rng(1)
    runs = [pooled(rng, 40, searches=searches, tail=tail) for _ in range(60 if tail else 120)]
    level = 0.02
    for name in ("p_value", "narrow_p", *([] if tail else ["wide_p"])):
        refused = sum(getattr(one, name) <= level for one in runs)
        assert refused <= 3 * level * len(runs) + 3, name  # e-values refuse less than their level allows
    if not tail:
        covered = sum(one.low <= 0.0 <= one.high for one in runs)
        assert covered >= 0.95 * len(runs)


def test_a_deviation_is_found_and_estimated() -> None:
    rng = np.random.default_rng(2)
    one = pooled(rng, 100, shift=-2.0)
    assert one.p_value < 1e-6
    assert one.low < -2.0 < one.high < 0.0
    assert one.equivalence_p == 1.0


def test_equality_within_the_margin_is_proved_and_not_at_the_margin() -> None:
    rng = np.random.default_rng(3)
    equal = pooled(rng, 1500)
    assert equal.equivalence_p < 0.05
    wrong = sum(pooled(rng, 300, shift=0.0025 * 65).equivalence_p <= 0.05 for _ in range(60))
    assert wrong <= 8


@pytest.mark.parametrize(("spread", "name"), [(0.3, "narrow_p"), (3.0, "wide_p")])
def test_a_wrong_spread_is_found(spread: float, name: str) -> None:
    assert getattr(pooled(np.random.default_rng(4), 60, spread=spread), name) < 1e-4


def test_an_evidence_needs_a_search() -> None:
    assert PooledMean(floor=1.0).evidence(margin=1.0) is None


def test_what_printing_explains_is_no_deviation() -> None:
    exact = PooledMean(floor=0.1, tolerance=0.0005)
    for _ in range(200):
        exact.add([(0.5005, 10**6)], Estimate(0.5, 0.5, 4 * 10**6))
    evidence = exact.evidence(margin=0.005)
    assert evidence is not None
    assert evidence.p_value == 1.0
    assert evidence.equivalence_p < 1e-6


def test_no_interval_exceeds_what_a_deviation_can_be() -> None:
    """Without a limit, few playouts give an interval many times as wide as scores (0 to 1) can differ."""
    scores, unlimited = PooledMean(floor=0.1, reach=1.0), PooledMean(floor=0.1)
    for pool in (scores, unlimited):
        pool.add([(0.5, 1)], Estimate(0.4, 0.5, 4))
    limited, wide = scores.evidence(margin=0.005), unlimited.evidence(margin=0.005)
    assert limited is not None
    assert wide is not None
    assert wide.low < -1.0 < 1.0 < wide.high
    assert (limited.low, limited.high) == (-1.0, 1.0)
    assert (limited.p_value, limited.equivalence_p) == (wide.p_value, wide.equivalence_p)


def test_an_impossible_report_keeps_its_interval() -> None:
    pool = PooledMean(floor=0.1, reach=1.0)
    pool.add([(7.0, 100_000)], Estimate(0.5, 0.5, 400_000))
    evidence = pool.evidence(margin=0.005)
    assert evidence is not None
    assert 1.0 < evidence.low < evidence.deviation < evidence.high
