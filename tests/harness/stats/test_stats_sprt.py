"""SPRT, Elo difference and "stronger": beside slow twins, published figures, and simulated matches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from harness.stats import Hypotheses, StatsError, elo_difference, judge_sprt, judge_stronger
from harness.stats.elo import NORMALIZED, SCORES, elo_of_score, score_of_elo
from harness.stats.parity import mean_interval, score_interval
from harness.stats.question_rates import (
    PUBLISHED,
    PUBLISHED_ELO,
    Openings,
    pair_shares,
    published_table,
    simulate_sprt,
    simulate_stronger,
    sprt_table,
    stronger_table,
)
from harness.stats.sprt import expect, llr
from tests.parameters import slow_but

COUNTS = [(10, 20, 30, 25, 15), (5, 2, 40, 3, 9), (300, 900, 2500, 1000, 290)]


def slow_llr(counts: Sequence[int], hypotheses: Hypotheses) -> float:
    """The ratio of the largest likelihoods under both hypotheses, by a general optimiser."""
    observed = np.array(counts, dtype=float)

    def shares(free: Any) -> Any:
        weights = np.exp(free - np.max(free))
        return weights / weights.sum()

    def most(elo: float) -> float:
        def gap(free: Any) -> Any:
            p = shares(free)
            mean = p @ SCORES
            if hypotheses.model == "logistic":
                return mean - score_of_elo(elo)
            return (mean - 0.5) / np.sqrt(p @ (SCORES - mean) ** 2) - math.sqrt(2.0) * elo / NORMALIZED

        found: Any = minimize(  # type: ignore[call-overload]
            lambda free: -(observed @ np.log(shares(free))),
            np.log(observed),
            constraints={"type": "eq", "fun": gap},
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 500},
        )
        assert abs(gap(found.x)) < 1e-6
        return -float(found.fun)

    return most(hypotheses.elo1) - most(hypotheses.elo0)


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_the_ratio_is_that_of_the_largest_likelihoods(counts: Sequence[int], model: Any) -> None:
    tested = Hypotheses(-10.0, 30.0, model=model)
    fast = float(llr(np.array([counts], dtype=float), tested)[0])
    assert fast == pytest.approx(slow_llr(counts, tested), abs=2e-3, rel=2e-3)


@pytest.mark.parametrize(("counts", "model", "elo0", "elo1", "value"), PUBLISHED)
def test_published_ratios(counts: Any, model: Any, elo0: float, elo1: float, value: float) -> None:
    tested = Hypotheses(elo0, elo1, model=model)
    assert float(llr(np.array([counts], dtype=float), tested)[0]) == pytest.approx(value, abs=0.005, rel=5e-4)


@pytest.mark.parametrize(("counts", "elo", "error", "los"), PUBLISHED_ELO)
def test_published_elo_differences(counts: Any, elo: float, error: float, los: float) -> None:
    found = elo_difference(counts)
    assert found.elo == pytest.approx(elo, abs=0.005)
    assert found.error == pytest.approx(error, abs=0.006)
    assert found.los == pytest.approx(los, abs=5e-5)


def test_the_elo_difference_is_that_of_its_textbook() -> None:
    rng = np.random.default_rng(1)
    scores = SCORES[rng.choice(5, size=400, p=[0.1, 0.2, 0.3, 0.25, 0.15])]
    counts = tuple(int((scores == score).sum()) for score in SCORES)
    found, error = elo_difference(counts), scores.std() / math.sqrt(scores.size)
    assert found.elo == pytest.approx(elo_of_score(float(scores.mean())))
    assert found.los == pytest.approx(norm.cdf((scores.mean() - 0.5) / error))
    low, high = (elo_of_score(float(scores.mean() + z * error)) for z in (-1.959964, 1.959964))
    assert found.error == pytest.approx((high - low) / 2.0)


def test_elo_without_games_and_after_wins_or_losses_alone() -> None:
    assert elo_difference((0, 0, 0, 0, 0)) == elo_difference([0] * 5)
    assert elo_difference((0, 0, 0, 0, 0)).los == 0.5
    won, lost = elo_difference((0, 0, 0, 0, 3)), elo_difference((3, 0, 0, 0, 0))
    assert (won.elo, lost.elo) == (math.inf, -math.inf)
    assert won.los == pytest.approx(1.0 - lost.los)
    assert 0.99 < won.los < 1.0
    assert elo_difference((0, 0, 7, 0, 0)).los == 0.5


def test_a_verdict_stands_and_depends_on_order_only() -> None:
    rng = np.random.default_rng(2)
    scores = 2.0 * SCORES[rng.choice(5, size=3000, p=pair_shares(40.0, Openings()))]
    tested = Hypotheses(0.0, 20.0)
    whole = judge_sprt(scores, tested)
    assert whole.verdict == "passed"
    assert whole.decided_after is not None
    before = judge_sprt(scores[: whole.decided_after - 1], tested)
    assert (before.verdict, before.decided_after) == ("undecided", None)
    assert before.lower < before.llr < before.upper
    assert before.further > 0.0
    at = judge_sprt(scores[: whole.decided_after], tested)
    assert at.llr >= at.upper == whole.upper
    assert (at.verdict, at.decided_after, at.further) == ("passed", whole.decided_after, 0.0)
    turned = judge_sprt(2.0 - scores, Hypotheses(-20.0, 0.0))  # the same test, seen by the other bot
    assert (turned.verdict, turned.decided_after) == ("failed", whole.decided_after)


def test_nothing_is_decided_without_games() -> None:
    assert judge_sprt([], Hypotheses(0.0, 5.0)).verdict == "undecided"
    assert judge_stronger([]).verdict == "undecided"
    for scores in ([2.0], [0.0], [1.0]):
        assert math.isfinite(judge_sprt(scores, Hypotheses(0.0, 5.0)).llr)
        assert math.isfinite(judge_sprt(scores, Hypotheses(0.0, 5.0, model="normalized")).llr)


@pytest.mark.parametrize("scores", [[0.3], [2.5], [-0.5], [math.nan]])
def test_other_scores_are_refused(scores: list[float]) -> None:
    with pytest.raises(StatsError):
        judge_sprt(scores, Hypotheses(0.0, 5.0))


def test_hypotheses_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(StatsError, match="elo0 must be below elo1"):
        Hypotheses(5.0, 5.0)


def test_stronger_agrees_with_the_interval_that_is_valid_at_any_time() -> None:
    """A bot is called stronger when the interval first leaves ½."""
    rng = np.random.default_rng(3)
    x = SCORES[rng.choice(5, size=1500, p=pair_shares(60.0, Openings(draws=0.3)))]
    found = judge_stronger(2.0 * x, alpha=0.05)
    assert found.verdict == "stronger"
    assert found.decided_after is not None
    assert (
        mean_interval(x[: found.decided_after], 0.05)[0]
        >= 0.5
        > mean_interval(x[: found.decided_after - 1], 0.05)[0]
    )
    assert judge_stronger(2.0 - 2.0 * x).verdict == "weaker"
    assert judge_stronger(2.0 - 2.0 * x).decided_after == found.decided_after


def test_the_interval_of_counts_is_that_of_the_scores() -> None:
    x = np.repeat(SCORES, [3, 4, 5, 6, 7])
    assert score_interval((3, 4, 5, 6, 7)) == pytest.approx(mean_interval(x, 0.05))
    assert score_interval((0, 0, 0, 0, 0)) == (0.0, 1.0)
    assert score_interval((0, 0, 4, 0, 0))[0] == pytest.approx(mean_interval(np.full(4, 0.5), 0.05)[0])


@pytest.mark.parametrize(
    ("elo", "openings"),
    slow_but(
        (0.0,),
        [
            (0.0, Openings()), (0.0, Openings(draws=0.5)), (0.0, Openings(bias=200.0)),
            (0.0, Openings(copies=0.3)), (100.0, Openings()), (100.0, Openings(draws=0.5, bias=200.0)),
        ],
    ),
)  # fmt: skip
def test_error_rates_and_games_are_those_of_the_formula(
    elo: float, openings: Openings, at_most: Any, at_least: Any
) -> None:
    matches = 1000
    rates = simulate_sprt(elo, openings, Hypotheses(0.0, 100.0), matches=matches)
    passed = np.arange(matches) < round(rates.passed * matches)
    # Short tests: the score changes by large steps, so the formula is good to a percent or two.
    if elo == 0.0:
        at_most(passed, 0.065)
    else:
        at_least(passed, 0.935)
    assert rates.games == pytest.approx(2.0 * rates.formula.pairs, rel=0.2)


def test_the_expectation_is_symmetric_and_continuous() -> None:
    tested = Hypotheses(0.0, 20.0)
    low, high = expect(0.5, 0.125, tested), expect(score_of_elo(20.0), 0.125, tested)
    assert low.passed == pytest.approx(1.0 - high.passed)
    assert low.pairs == pytest.approx(high.pairs)
    middle = 0.5 * (0.5 + score_of_elo(20.0))
    assert expect(middle, 0.125, tested).passed == pytest.approx(0.5)
    assert expect(middle + 1e-6, 0.125, tested).pairs == pytest.approx(
        expect(middle, 0.125, tested).pairs, rel=1e-3
    )


def test_equal_bots_are_rarely_called_stronger(at_most: Any) -> None:
    rates = simulate_stronger(0.0, Openings(copies=0.2), matches=100)
    at_most(np.arange(100) < round(100 * (rates.stronger + rates.weaker)), 0.05)
    strong = simulate_stronger(200.0, Openings(), matches=20)
    assert (strong.stronger, strong.weaker) == (1.0, 0.0)


@pytest.mark.parametrize(
    "openings", [Openings(), Openings(0.5), Openings(0.9, 300.0), Openings(0.2, 100.0, 0.4)]
)
@pytest.mark.parametrize("elo", [-35.0, 0.0, 80.0])
def test_simulated_pairs_have_the_wanted_strength(elo: float, openings: Openings) -> None:
    shares = pair_shares(elo, openings)
    assert shares.sum() == pytest.approx(1.0)
    assert shares.min() >= 0.0
    assert float(shares @ SCORES) == pytest.approx(score_of_elo(elo))


def test_the_tables_have_a_row_for_each_setting() -> None:
    rows = [(300.0, Openings()), (-300.0, Openings(draws=0.5, bias=50.0, copies=0.25))]
    sprt = list(sprt_table(3, 1, rows))
    assert sprt == list(sprt_table(3, 1, rows))  # seeded
    stronger = list(stronger_table(2, 1, rows))
    assert "| 100.0 % | 0.0 % |" in stronger[2]
    assert "| 0.0 % | 100.0 % |" in stronger[3]
    published = list(published_table())
    assert len(published) == 2 + len(PUBLISHED) + len(PUBLISHED_ELO)
    for table in (sprt, stronger, published):
        assert len({line.count("|") for line in table}) == 1
