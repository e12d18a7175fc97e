"""Change points: what is found, and how often one is found where nothing has changed."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, fisher_exact, ttest_ind

from harness.stats import change_points
from harness.stats.change_points import SHORTEST, mean_changes, share_changes
from tests.parameters import slow_but, thorough_but
from tests.thorough import Mutant

ALPHA = 0.05


def naive(values: Sequence[float]) -> list[tuple[int, int, float]]:
    """The slow twin: (at, found, p) of each change of the mean, by scipy's own test of two samples."""
    found: list[tuple[int, int, float]] = []
    start = 0
    for end in range(len(values)):
        size = end + 1 - start
        splits = range(start + SHORTEST, end + 2 - SHORTEST)
        each = [(ttest_ind(values[start:at], values[at : end + 1]).pvalue, at) for at in splits]
        if not each:
            continue
        p, at = min(each)
        if p * len(each) * size * (size - 1) <= ALPHA:
            found.append((at, end, p * len(each) * size * (size - 1)))
            start = at
    return found


@pytest.mark.parametrize(
    "seed",
    thorough_but(
        (0, 1),
        range(10),
        Mutant(
            "harness/stats/change_points.py",
            "shortest = SHORTEST",
            "shortest = SHORTEST + 1",
            "tests/harness/stats/test_stats_change_points.py::"
            "test_changes_of_the_mean_are_those_of_the_slow_twin[0]",
        ),
    ),
)
def test_changes_of_the_mean_are_those_of_the_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=40) + np.repeat([0.0, 6.0, -3.0, -3.0], 10)
    expected = naive(values.tolist())
    assert expected
    found = [(c.at, c.found, c.p_value) for c in mean_changes(values.tolist(), ALPHA)]
    assert [each[:2] for each in found] == [each[:2] for each in expected]
    np.testing.assert_allclose([each[2] for each in found], [each[2] for each in expected], rtol=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 20), min_size=2, max_size=6))
def test_a_change_of_a_share_is_never_surer_than_fishers_test_of_some_split(wins: list[int]) -> None:
    played = [20] * len(wins)
    for change in share_changes(wins, played, 0.999):
        tables = [
            [[sum(part), 20 * len(part) - sum(part)] for part in (wins[:at], wins[at : change.found + 1])]
            for at in range(1, change.found + 1)
        ]
        if len(share_changes(wins, played, 0.999)) == 1:
            surest = min(fisher_exact(np.array(table)).pvalue for table in tables)
            assert change.p_value >= surest * change.found * (1 - 1e-9)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 30), st.floats(0, 1)), min_size=2, max_size=12), st.floats(1e-6, 0.9)
)
def test_the_quick_bounds_of_a_share_change_no_result(drawn: list[tuple[int, float]], alpha: float) -> None:
    games = [played for played, _ in drawn]
    points = [round(2 * played * share) / 2 for played, share in drawn]
    found = share_changes(points, games, alpha)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(change_points._Shares, "lower_bounds", lambda *_: None)
        assert share_changes(points, games, alpha) == found


@pytest.mark.parametrize("games", [1, 24, 10**9 - 1])
def test_a_share_is_tested_exactly_only_where_it_may_have_changed(
    games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = change_points._fisher_tests
    tested: list[int] = []

    def counted(points: Any, played: Any) -> Any:
        tested.append(len(points))
        return exact(points, played)

    monkeypatch.setattr(change_points, "_fisher_tests", counted)
    points = np.random.default_rng(1).binomial(games, 0.5, size=120).astype(float)
    assert share_changes(points.tolist(), [games] * 120, 0.001) == ()
    assert len(tested) < 20  # a test after each value would be 119


def test_half_points_count() -> None:
    (change,) = share_changes([2.5] * 20 + [7.5] * 20, [10] * 40, ALPHA)
    assert (change.at, change.before, change.after) == (20, 0.25, 0.75)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=2, max_size=6))
def test_half_points_make_no_change_surer_than_whole_points_around_them(halves: list[int]) -> None:
    """Each split, by Fisher's test of the whole numbers beside its points that are nearest to no change."""
    points, played = [half / 2 for half in halves], [20] * len(halves)
    for change in share_changes(points, played, 0.999)[:1]:
        seen = points[: change.found + 1]
        surest = 1.0
        for at in range(1, len(seen)):
            left, right = sum(seen[:at]), sum(seen[at:])
            rounded = itertools.product(
                (math.floor(left), math.ceil(left)), (math.floor(right), math.ceil(right))
            )
            tables = [[[a, 20 * at - a], [b, 20 * (len(seen) - at) - b]] for a, b in rounded]
            surest = min(surest, max(fisher_exact(np.array(table)).pvalue for table in tables))
        assert change.p_value >= surest * (1 - 1e-9)


@pytest.mark.parametrize("kind", slow_but(["mean"], ["mean", "share"]))
def test_the_error_rate_holds_over_the_whole_length(kind: str) -> None:
    """150 series of 60 values without a change: at most 5 % have one (chance to fail below 1e-6)."""
    rng = np.random.default_rng(2026)
    wrong = 0
    for _ in range(60):
        if kind == "mean":
            wrong += bool(mean_changes(rng.normal(111, 0.3, 60).tolist(), ALPHA))
        else:
            wrong += bool(share_changes(rng.binomial(100, 0.5, 60).tolist(), [100] * 60, ALPHA))
    assert wrong <= binom.isf(1e-6, 150, ALPHA)


def test_a_large_change_is_found_with_the_third_value_after_it() -> None:
    rng = np.random.default_rng(1)
    values = [*rng.normal(0, 1, 20), *rng.normal(15, 1, 10)]
    (change,) = mean_changes(values, ALPHA)
    assert (change.at, change.found) == (20, 22)
    assert change.after - change.before == pytest.approx(15, abs=2)


def test_two_outliers_are_no_change() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, 30)
    values[[12, 13]] += 50
    assert mean_changes(values.tolist(), ALPHA) == ()


def test_a_series_that_never_varies_has_changed_when_it_differs() -> None:
    assert mean_changes([111.0] * 50, ALPHA) == ()
    assert mean_changes([0.0] * 50, ALPHA) == ()
    (change,) = mean_changes([111.3] * 6 + [111.4] * 3, ALPHA)
    assert (change.at, change.found) == (6, 8)
    assert change.p_value < 1e-20


def test_empty_and_short_series_have_no_change() -> None:
    for length in range(4):
        assert mean_changes([float(n) for n in range(length)], ALPHA) == ()
    assert share_changes([], [], ALPHA) == share_changes([5], [10], ALPHA) == ()
