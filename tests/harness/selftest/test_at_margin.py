"""Tests of the simulated bots that deviate by a whole margin."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from harness.check.judges.moments import BETA
from harness.check.procedures.search import SearchProcedure
from harness.selftest.at_margin import pass_rates
from harness.selftest.simulation import SimulatedSearcher
from harness.suite.registry import CHECKS, select

NEAR_THE_END = select(["ref.end.03", "ref.score.mean"])


def most_passed(runs: int) -> int:
    """More passes of `runs` have a chance below 1e-9 at the promised rate."""
    return int(binom.isf(1e-9, runs, BETA))


def test_a_deviation_of_a_margin_passes_as_rarely_as_promised() -> None:
    rates = pass_rates(NEAR_THE_END, 40, seed=1)
    assert {rate.check for rate in rates} == {check.id for check in NEAR_THE_END}
    assert all(rate.passed <= most_passed(rate.runs) for rate in rates), rates


def test_a_bot_without_a_deviation_passes() -> None:
    """The rate is no property of the simulation: without the shift the same bots pass."""
    rates = pass_rates(NEAR_THE_END, 10, seed=2, shifted=False)
    assert [rate.passed for rate in rates] == [10] * len(rates)


def test_a_shift_moves_both_means() -> None:
    (check,) = select(["ref.empty.length"])
    procedure = check.procedure
    assert isinstance(procedure, SearchProcedure)
    means = []
    for shift in ((0.0, 0.0), (1.0, -0.1)):
        searcher = SimulatedSearcher([check], np.random.default_rng(3), 1000, shift)
        found = [searcher.search(procedure.probe, 0) for _ in range(100)]
        means.append(
            (np.mean([one.nodes or 0 for one in found]) / 1000, np.mean([one.score or 0 for one in found]))
        )
    assert means[1][0] - means[0][0] == pytest.approx(1.0, abs=0.01)
    assert means[1][1] - means[0][1] == pytest.approx(-0.1, abs=0.001)


@pytest.mark.slow
def test_no_check_passes_a_margin_more_often_than_promised() -> None:
    rates = pass_rates(CHECKS, 200, seed=3)
    assert all(rate.passed <= most_passed(rate.runs) for rate in rates)
    mean = sum(rate.passed for rate in rates) / sum(rate.runs for rate in rates)
    assert mean <= BETA
