"""`ref.choice.close-*`, `ref.choice.captures-*`, `ref.choice.NN`: enumerated laws of choices.

The stored laws are those of the enumerator, and right bots fit. What a probe was found for does not fit:
faults of the choice, and wrong records of captures.
"""

from __future__ import annotations

import pytest

from harness.check.effort import QUICK, STANDARD
from harness.check.judges.enumerated_choice import DATA, EnumeratedChoice, choices, entries, plan_for
from harness.check.model import Outcome
from harness.check.procedures.search import SearchRecord, Series
from harness.gtp import format_vertex
from harness.oracle import choice_shares, rates
from harness.selftest.direct_search import search_all
from harness.tools.find_bookkeeping import WRONG
from harness.tools.finding import enumerate_records, stored_choice

CLOSE, BOOKKEEPING = "close", "bookkeeping"
PLAYOUTS = 1000
SEARCHES = 24
EVERY = [(data, name) for data in DATA for name in choices(data)]
RIGHT = [(CLOSE, name, playouts) for name in choices(CLOSE) for playouts in (30, 300, PLAYOUTS)]
RIGHT += [(data, name, PLAYOUTS) for data in (BOOKKEEPING, "battery") for name in choices(data)]
OFTEN = ((CLOSE, "close-1", 30), (CLOSE, "close-2", 300), (BOOKKEEPING, "bookkeeping-1", PLAYOUTS))
STORED = {entry["id"]: entry for data in DATA for entry in entries(data)}


def p_value(choice: EnumeratedChoice, series: Series) -> float:
    found = choice.judge(series).p_value
    assert found is not None
    return found


@pytest.mark.parametrize(("data", "name"), EVERY)
def test_the_stored_law_is_the_enumerators(data: str, name: str) -> None:
    stored, probe = STORED[name], choices(data)[name].probe
    points = probe.position.candidates(probe.to_move)
    assert stored["candidates"] == [format_vertex(point) for point in points]
    anew = stored_choice("", probe, {}, 0.0, enumerate_records(probe).records(probe.komi, points))["records"]
    assert [way[1:] for way in anew] == [way[1:] for way in stored["records"]]
    assert [way[0] for way in anew] == pytest.approx([way[0] for way in stored["records"]], abs=1e-9)


@pytest.mark.parametrize(
    ("data", "name", "playouts"),
    [pytest.param(*row, marks=() if row in OFTEN else pytest.mark.slow) for row in RIGHT],
)
def test_a_right_bot_chooses_as_expected(data: str, name: str, playouts: int) -> None:
    """Each of thirty may fail with a chance of 1e-8; seeded."""
    choice = choices(data)[name]
    (series,) = search_all([choice.probe], "", 100, playouts, seed=len(name))
    assert p_value(choice, series) > 1e-8


@pytest.mark.parametrize(
    ("name", "fault"), [(name, fault) for name in choices(CLOSE) for fault in STORED[name]["separates"]]
)
def test_a_fault_of_the_choice_is_refused(name: str, fault: str) -> None:
    choice = choices(CLOSE)[name]
    (series,) = search_all([choice.probe], fault, 2 * SEARCHES, PLAYOUTS, seed=5)
    assert p_value(choice, series) < 1e-3


@pytest.mark.parametrize(
    ("name", "wrong"),
    [(name, wrong) for name in choices(BOOKKEEPING) for wrong in STORED[name]["separates"]],
)
def test_wrong_records_are_refused(name: str, wrong: str) -> None:
    """The moves that a bot with these records chooses, in the shares in which it chooses them."""
    choice = choices(BOOKKEEPING)[name]
    probe = choice.probe
    points = probe.position.candidates(probe.to_move)
    records = enumerate_records(probe, WRONG[wrong]).records(probe.komi, points)
    visits, wins = records.draw(PLAYOUTS, 400, seed=3)
    times = zip(points, choice_shares(rates(visits, wins)), strict=True)
    moves = [format_vertex(point) for point, share in times for _ in range(round(share * SEARCHES))]
    series = Series(probe, PLAYOUTS, tuple(SearchRecord(move, None, None, 0.0) for move in moves))
    assert p_value(choice, series) < 1e-4


def test_no_candidate_is_no_choice() -> None:
    choice = choices(CLOSE)["close-1"]
    series = Series(choice.probe, PLAYOUTS, (SearchRecord("PASS", None, None, 0.0),))
    assert choice.judge(series).outcome is Outcome.FAIL


@pytest.mark.parametrize("playouts", [100, 200, 400, 1000, 3000])
def test_each_wrong_rule_of_the_best_rate_is_tested(playouts: int) -> None:
    """These positions cannot show candidates with few visits or none, nor another mode for late moves."""
    elsewhere = {"best-ten-visits", "best-visits-late", "unseen-as-won", "unseen-as-even", "unseen-passes"}
    assert set(plan_for(playouts, STANDARD).untested) <= elsewhere
    assert sum(plan_for(playouts, QUICK).searches.values()) <= sum(
        plan_for(playouts, STANDARD).searches.values()
    )


def test_a_rule_that_changes_no_choice_is_not_tested() -> None:
    """With 50 playouts, rates differ by more than a hundredth, or not at all."""
    assert "best-within-hundredth" in plan_for(50, STANDARD).untested


@pytest.mark.parametrize(
    ("playouts", "fault"),
    [
        (50, "best-lower-bound"),
        (100, "best-wins"),
        (100, "best-lower-bound"),
        (100, "best-within-hundredth"),
        (200, "best-in-percent"),
        (3000, "best-smoothed"),
    ],
)
def test_a_planned_rule_is_refused_at_any_number_of_playouts(playouts: int, fault: str) -> None:
    """The planned searches refuse it with a chance of 0.9; seeded."""
    plan = plan_for(playouts, STANDARD)
    named = {name: choice for data in DATA for name, choice in choices(data).items() if name in plan.searches}
    found = []
    for name, choice in named.items():
        (series,) = search_all([choice.probe], fault, plan.searches[name], playouts, seed=4)
        found.append(p_value(choice, series))
    assert min(found) < 1e-5
