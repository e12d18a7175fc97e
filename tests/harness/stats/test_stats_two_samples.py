"""Tests of two samples: error rates by simulation, formulas against scipy's own, edges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_ind

from harness.stats.two_samples import CONSTANT_FROM, compare_choices, compare_means, compare_variances

RUNS = 600


def test_means_against_scipy() -> None:
    rng = np.random.default_rng(1)
    for size in (2, 7, 30):
        one, two = rng.normal(0, 1, size), rng.normal(0.4, 3, size + 3)
        wanted = ttest_ind(one, two, equal_var=False)
        seen = compare_means(one, two)
        interval = wanted.confidence_interval(0.95)
        assert seen.p_value == pytest.approx(wanted.pvalue)
        assert (seen.low, seen.high) == pytest.approx((interval.low, interval.high))


def test_equivalence_against_scipy() -> None:
    rng = np.random.default_rng(2)
    for shift in (0.0, 0.5, 2.0):
        one, two = rng.normal(shift, 1, 20), rng.normal(0, 2, 20)
        more = ttest_ind(one, two - 1.0, equal_var=False, alternative="greater")  # Schuirmann 1987
        less = ttest_ind(one, two + 1.0, equal_var=False, alternative="less")
        wanted = max(more.pvalue, less.pvalue)
        assert compare_means(one, two, margin=1.0).equivalence_p == pytest.approx(wanted)


@pytest.mark.parametrize("searches", [5, 24])
@pytest.mark.parametrize("rate", [0.05, 0.01])
def test_equal_bots_rarely_differ(at_most: Any, searches: int, rate: float) -> None:
    rng = np.random.default_rng(3)
    totals = rng.normal(111_000, 506, (RUNS, 2, searches))
    at_most([compare_means(a, b).p_value <= rate for a, b in totals], rate)
    at_most([compare_variances(a, b) <= rate for a, b in totals], rate)


def test_rare_events_do_not_deceive(at_most: Any) -> None:
    # One playout in a thousand is one move longer: totals are Poisson, far from Normal.
    rng = np.random.default_rng(4)
    totals = 3000.0 + rng.poisson(1.0, (RUNS, 2, 16))
    at_most([compare_means(a, b).p_value <= 0.01 for a, b in totals], 0.01)


def test_different_bots_are_rarely_called_equivalent(at_most: Any) -> None:
    rng = np.random.default_rng(5)
    totals = rng.normal(0, 1, (RUNS, 2, 16)) + np.array([[1.0], [0.0]])
    at_most([compare_means(a, b, margin=1.0).equivalence_p <= 0.05 for a, b in totals], 0.05)


def test_a_difference_is_found(at_least: Any) -> None:
    # 3 standard deviations of the difference of the means, tested at 0.05: power 0.82 (noncentral t, 46)
    rng = np.random.default_rng(6)
    totals = rng.normal(0, 1, (RUNS, 2, 24)) + np.array([[3.0 * math.sqrt(2 / 24)], [0.0]])
    at_least([compare_means(a, b).p_value <= 0.05 for a, b in totals], 0.8)


def test_certain_values() -> None:
    three, two = [3.0] * CONSTANT_FROM, [2.0] * CONSTANT_FROM
    assert compare_means(three, two, margin=0.5).p_value == 0.0
    assert compare_means(three, two, margin=0.5).equivalence_p == 1.0
    assert compare_means(three, three).p_value == 1.0
    assert compare_means(three, three).equivalence_p == 0.0
    few = compare_means(three[:2], two[:2])
    assert (few.p_value, few.equivalence_p) == (1.0, 1.0)


def test_printing_is_no_difference() -> None:
    exact, printed = [1 / 3] * 6, [0.333] * 6
    assert compare_means(exact, printed, tolerance=0.0005).p_value == 1.0
    assert compare_means(exact, printed).p_value == 0.0


def test_too_little_to_tell() -> None:
    assert compare_means([1.0], [2.0]).p_value == 1.0
    assert compare_means([], []).high == math.inf
    assert compare_variances([1.0, 2.0], [5.0, 5.0]) == 1.0


def test_a_fixed_seed_shows_in_the_spread() -> None:
    rng = np.random.default_rng(7)
    assert compare_variances([7.0] * 8, rng.normal(0, 1, 8)) == 0.0
    assert compare_variances([7.0] * 8, [9.0] * 8) == 1.0


@pytest.mark.parametrize("shares", [(1.0,), (0.5, 0.5), (0.9, 0.1), tuple([1 / 40] * 40)])
def test_equal_choices_rarely_differ(at_most: Any, shares: tuple[float, ...]) -> None:
    rng = np.random.default_rng(8)
    chosen = rng.choice(len(shares), p=shares, size=(1000, 2, 24))
    p_values = np.array([compare_choices(a.tolist(), b.tolist(), 82) for a, b in chosen])
    for rate in (0.2, 0.05, 0.01):
        at_most(p_values <= rate, rate)


def test_the_bet_on_choices_is_fair() -> None:
    # Not sampled: every way in which two bots of the same shares can choose, with its probability.
    shares, total = (0.7, 0.2, 0.1), 0.0
    for code in range(3**6):
        moves = [code // 3**place % 3 for place in range(6)]
        probability = math.prod(shares[move] for move in moves)
        total += probability * (compare_choices(moves[:3], moves[3:], 3) <= 0.5)
    assert total <= 0.5


def test_other_choices_are_found(at_least: Any) -> None:
    rng = np.random.default_rng(9)
    one = rng.choice(3, p=(0.9, 0.1, 0.0), size=(300, 24))
    two = rng.choice(3, p=(0.1, 0.2, 0.7), size=(300, 24))
    at_least(
        [compare_choices(a.tolist(), b.tolist(), 82) <= 1e-4 for a, b in zip(one, two, strict=True)], 0.9
    )


def test_wrong_use_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be paired"):
        compare_choices(["A1"], [], 82)
    with pytest.raises(ValueError, match="must not be negative"):
        compare_means([1.0, 2.0], [1.0, 2.0], margin=-1.0)


@pytest.mark.parametrize("value", [0.7, 0.422, 111.063])
def test_constants_that_floats_round_do_not_differ(value: float) -> None:
    """The mean of equal floats may be rounded: their computed variance is then not 0."""
    for made in range(CONSTANT_FROM, 25):
        few, more = [value] * made, [value] * (made + 1)
        assert compare_variances(few, more) == 1.0
        assert compare_variances(few, [value + 0.008] * made) == 1.0
        found = compare_means(few, more)
        assert (found.difference, found.p_value, found.equivalence_p) == (0.0, 1.0, 0.0)
