"""`ref.choice.opening`: a right bot's choices on the empty board fit, whatever its number of playouts."""

from __future__ import annotations

import pytest

from harness.check.model import Outcome
from harness.check.procedures.search import SearchRecord, Series
from harness.selftest.direct_search import search_all
from harness.stats import square_orbits
from harness.suite.families import choice_opening as opening
from tests.parameters import slow_but

PROBE = opening.PROBE


@pytest.mark.parametrize(("playouts", "searches"), slow_but((300,), [(300, 400), (1000, 1000), (5000, 200)]))
def test_a_right_bot_chooses_as_expected(playouts: int, searches: int) -> None:
    """More searches than a check makes: each may fail with a chance of 1e-7; seeded."""
    (series,) = search_all([PROBE], "", searches, playouts, seed=3)
    judgement = opening.judge_opening(series, PROBE.expected)
    assert judgement.p_value is not None
    assert judgement.p_value > 1e-7


@pytest.mark.parametrize(
    "fault",
    slow_but(
        ("best-lowest", "best-visits"),
        ["amaf-opponent", "amaf-first-move-only", "best-visits", "best-lowest"],
    ),
)
def test_gross_faults_are_refused(fault: str) -> None:
    (series,) = search_all([PROBE], fault, 40, 1000, seed=4)
    judgement = opening.judge_opening(series, PROBE.expected)
    assert judgement.p_value is not None
    assert judgement.p_value < 1e-5


def test_points_that_are_alike_have_the_same_moments() -> None:
    mean = opening.moments().mean
    orbits = square_orbits(opening.SIZE)
    for shift in (0, len(orbits)):
        by_orbit: dict[int, set[float]] = {}
        for number, orbit in enumerate(orbits):
            by_orbit.setdefault(orbit, set()).add(float(mean[shift + number]))
        assert {len(values) for values in by_orbit.values()} == {1}


def test_a_pass_is_no_point_and_few_playouts_say_little() -> None:
    search = SearchRecord("PASS", None, None, 0.0)
    judgement = opening.judge_opening(Series(PROBE, 1000, (search,)), PROBE.expected)
    assert (judgement.outcome, judgement.observed) == (Outcome.FAIL, "PASS")
    assert opening.judge_opening(Series(PROBE, 100, (search,)), PROBE.expected).outcome is Outcome.SKIP
