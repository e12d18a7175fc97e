"""Tests of the simulated checks of right bots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from harness.check.phases.search_planner import SearchPlanner
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, SearchRecord
from harness.selftest import simulation
from harness.suite.registry import CHECKS, select

CHEAP = select(["ref.nodes.three", "ref.nodes.six", "ref.eye.*", "ref.choice.ties-*"])


def test_a_right_bot_is_not_refused() -> None:
    rate = simulation.refusal_rate(
        CHEAP, 20, seed=1
    )  # promised 0.001 a run: 20 pass but for a chance of 0.02
    assert (rate.runs, rate.refused) == (20, 0)


def test_runs_can_be_repeated() -> None:
    planners = []
    for _ in range(2):
        searcher = simulation.SimulatedSearcher(CHEAP, np.random.default_rng(5), 1000)
        planners.append(SearchPlanner([searcher], CHEAP, 1000))
        planners[-1].run(float("inf"), 3)
    first, second = planners
    for name, place in first.states.items():
        assert place.searches == second.states[name].searches


def test_a_wrong_bot_is_refused() -> None:
    class LongerPlayouts(simulation.SimulatedSearcher):
        def search(self, probe: Probe, turn: int) -> SearchRecord:
            record = super().search(probe, turn)
            return replace(record, nodes=(record.nodes or 0) + 1000)

    rate = simulation.refusal_rate(CHEAP, 3, seed=2, law=simulation.Law(LongerPlayouts))
    assert rate.refused == 3


def test_drawn_searches_have_the_expected_moments() -> None:
    checks = select(["ref.empty.length"])
    searcher = simulation.SimulatedSearcher(checks, np.random.default_rng(3), 1000)
    procedure = checks[0].procedure
    assert isinstance(procedure, SearchProcedure)
    expected = procedure.probe.expected
    nodes = np.array([searcher.search(procedure.probe, 0).nodes for _ in range(4000)]) / 1000
    error = expected.sd_length / 1000**0.5
    # 6 standard errors of a mean, and of a standard deviation, of 4000: chances below 1e-8
    assert abs(nodes.mean() - expected.mean_length) < 6 * error / 4000**0.5
    assert abs(nodes.std() / error - 1.0) < 6 / (2 * 4000) ** 0.5


@pytest.mark.parametrize(("events", "runs"), [(0, 1000), (1, 1000), (17, 40), (40, 40)])
def test_bounds_of_a_rate_are_where_the_tails_are(events: int, runs: int) -> None:
    # The definition of Clopper & Pearson, by the binomial distribution itself
    low, high = simulation.clopper_pearson(events, runs)
    if events:
        assert binom.sf(events - 1, runs, low) == pytest.approx(0.025)
    else:
        assert low == 0.0
    if events < runs:
        assert binom.cdf(events, runs, high) == pytest.approx(0.025)
    else:
        assert high == 1.0


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="must"):
        simulation.clopper_pearson(3, 2)


@pytest.mark.slow
def test_a_thousand_right_bots() -> None:
    # Promised: at most 0.001 each. At that very rate more than 10 of 1000 come with a chance of 1e-8.
    rate = simulation.refusal_rate(CHECKS, 1000, seed=4)
    assert rate.refused <= 10, rate.by
