"""Ratings and multiplicity: against other solvers, coverage, and the cases that break others."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from harness.stats import Meeting, holm, rate


def expected_score(elo: float) -> float:
    """The score that a lead of so many Elo means, by Elo's definition."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


@pytest.mark.slow  # statsmodels takes seconds to load; the intervals below show a wrong model too
def test_much_data_agrees_with_logistic_regression() -> None:
    import statsmodels.api as sm

    meetings = [
        Meeting("a", "b", 4000, 2600.0),
        Meeting("b", "a", 4000, 2100.0),
        Meeting("b", "c", 4000, 2500.5),
        Meeting("c", "b", 4000, 2300.0),
        Meeting("a", "c", 4000, 3000.0),
        Meeting("c", "a", 4000, 1700.5),
    ]
    index = {"a": 0, "b": 1, "c": 2}
    rows, points = [], []
    for m in meetings:  # c is the base of the regression
        row = np.zeros(3)
        for name, sign in ((m.black, 1.0), (m.white, -1.0)):
            if name != "c":
                row[index[name]] += sign
        row[2] = 1.0
        rows.append(row)
        points.append([m.black_points, m.games - m.black_points])
    fit = sm.GLM(np.array(points), np.array(rows), family=sm.families.Binomial()).fit()
    unit = 400 / math.log(10)
    ratings = rate(meetings)
    difference, se = ratings.difference("a", "c")
    assert difference == pytest.approx(fit.params[0] * unit, abs=0.2)  # the prior pulls a little
    assert se == pytest.approx(fit.bse[0] * unit, rel=0.01)
    assert ratings.black_elo == pytest.approx(fit.params[2] * unit, abs=0.2)
    assert sum(bot.elo for bot in ratings.bots) == pytest.approx(0.0, abs=1e-9)
    assert [bot.name for bot in ratings.bots] == ["a", "b", "c"]
    assert ratings.bots[0].games == 16_000
    assert ratings.bots[0].points == 2600 + 1900 + 3000 + 2299.5


def test_400_elo_are_ten_to_one() -> None:
    """Enough games that the prior takes less than a hundredth of an Elo point."""
    games, won = 1_100_000_000, 1_000_000_000.0
    ratings = rate([Meeting("a", "b", games, won), Meeting("b", "a", games, games - won)])
    assert ratings.difference("a", "b")[0] == pytest.approx(400.0, abs=0.01)
    assert ratings.black_elo == pytest.approx(0.0, abs=0.01)


def test_intervals_cover(at_least: Any) -> None:
    rng = np.random.default_rng(1)
    truth = {"a": 60.0, "b": 0.0, "c": -60.0}
    covered: list[bool] = []
    for _ in range(100):
        meetings = []
        for black, white in itertools.permutations(truth, 2):
            p = expected_score(truth[black] - truth[white] + 30.0)
            meetings.append(Meeting(black, white, 100, float(rng.binomial(100, p))))
        covered.extend(bot.low <= truth[bot.name] <= bot.high for bot in rate(meetings).bots[:1])
    at_least(covered, 0.93)


@pytest.mark.parametrize(
    "meetings",
    [
        [],
        [Meeting("a", "b", 1, 1.0)],
        [Meeting("a", "b", 1, 0.5)],
        [Meeting("a", "b", 100_000, 100_000.0)],
        [Meeting("a", "b", 1000, 0.0), Meeting("b", "a", 1000, 1000.0)],
        [Meeting("a", "b", 10, 10.0), Meeting("c", "d", 10, 0.0)],
        [Meeting("a", "a", 10, 7.0)],
        [Meeting("a", "b", 0, 0.0)],
    ],
)
def test_cases_that_have_no_maximum_likelihood_survive(meetings: list[Meeting]) -> None:
    ratings = rate(meetings, names=["a", "alone"])
    assert {"a", "alone"} <= {bot.name for bot in ratings.bots}
    for bot in ratings.bots:
        assert -5000 < bot.low <= bot.elo <= bot.high < 5000
    assert math.isfinite(ratings.black_elo)
    assert ratings.difference("a", "alone")[1] > 0


def test_colours_exchanged_cancel_the_first_player() -> None:
    ratings = rate([Meeting("a", "b", 100, 80.0), Meeting("b", "a", 100, 80.0)])
    assert ratings.difference("a", "b")[0] == pytest.approx(0.0, abs=1e-6)
    assert ratings.black_elo > 150


def test_nonsense_is_refused() -> None:
    for games, points in ((1, 2.0), (-1, 0.0), (1, -1.0), (1, math.nan)):
        with pytest.raises(ValueError, match="points"):
            rate([Meeting("a", "b", games, points)])


def test_holm_is_the_closed_test_of_bonferroni() -> None:
    """A hypothesis is refused if Bonferroni refuses each set of hypotheses with it (Marcus et al. 1976)."""
    rng = np.random.default_rng(2)
    for _ in range(10):
        p = [float(value) for value in rng.random(5) ** 4]
        sets = [s for n in range(1, 6) for s in itertools.combinations(range(5), n)]
        closed = {i: max(min(1.0, len(s) * min(p[j] for j in s)) for s in sets if i in s) for i in range(5)}
        budget = holm({str(i): value for i, value in enumerate(p)}, 0.05)
        assert set(budget.refused) == {str(i) for i in closed if closed[i] <= 0.05}
        assert {s.name: s.adjusted for s in budget.shares} == pytest.approx(
            {str(i): value for i, value in closed.items()}
        )


def test_budget_edges() -> None:
    assert holm({}, 0.01).shares == ()
    assert holm({}, 0.01).spent == 0.0
    assert holm({"a": 0.0, "b": 1.0}, 0.001).refused == ("a",)
    for bad in (math.nan, -0.1, 1.1):
        with pytest.raises(ValueError, match="p-value"):
            holm({"a": bad}, 0.01)
