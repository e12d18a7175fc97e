"""`ref.choice.close-*`, `ref.choice.captures-*`: the stored laws are the enumerator's, and right bots fit.

What a probe was found for does not fit them: faults of the choice, and wrong records of captures.
"""

from __future__ import annotations

import pytest

from harness.check.judges.moves import SEARCHES, entries, judge_choices_of, probe_of
from harness.check.model import Outcome
from harness.check.procedures.search import SearchRecord, Series
from harness.gtp import format_vertex
from harness.oracle import choice_shares, rates
from harness.selftest.direct_search import search_all
from harness.tools.find_bookkeeping import WRONG
from harness.tools.finding import enumerated, stored_choice

CLOSE, BOOKKEEPING = "close", "bookkeeping"
PLAYOUTS = 1000
NUMBERS = {data: range(len(entries(data))) for data in (CLOSE, BOOKKEEPING)}
EVERY = [(data, number) for data in (CLOSE, BOOKKEEPING) for number in NUMBERS[data]]
RIGHT = [(CLOSE, n, playouts) for n in NUMBERS[CLOSE] for playouts in (30, 300, PLAYOUTS)]
RIGHT += [(BOOKKEEPING, n, PLAYOUTS) for n in NUMBERS[BOOKKEEPING]]
OFTEN = ((CLOSE, 0, 30), (CLOSE, 1, 300), (BOOKKEEPING, 0, PLAYOUTS))


def p_value(data: str, number: int, series: Series) -> float:
    found = judge_choices_of(data, number, series).p_value
    assert found is not None
    return found


@pytest.mark.parametrize(("data", "number"), EVERY)
def test_the_stored_law_is_the_enumerators(data: str, number: int) -> None:
    stored = entries(data)[number]
    probe = probe_of(stored)
    points = probe.position.candidates(probe.to_move)
    assert stored["candidates"] == [format_vertex(point) for point in points]
    anew = stored_choice("", probe, {}, 0.0, enumerated(probe).records(probe.komi, points))["records"]
    assert [way[1:] for way in anew] == [way[1:] for way in stored["records"]]
    assert [way[0] for way in anew] == pytest.approx([way[0] for way in stored["records"]], abs=1e-9)


@pytest.mark.parametrize(
    ("data", "number", "playouts"),
    [pytest.param(*row, marks=() if row in OFTEN else pytest.mark.slow) for row in RIGHT],
)
def test_a_right_bot_chooses_as_expected(data: str, number: int, playouts: int) -> None:
    """Each of twenty may fail with a chance of 1e-8; seeded."""
    (series,) = search_all([probe_of(entries(data)[number])], "", 100, playouts, seed=number)
    assert p_value(data, number, series) > 1e-8


@pytest.mark.parametrize(
    ("number", "fault"), [(n, fault) for n in NUMBERS[CLOSE] for fault in entries(CLOSE)[n]["separates"]]
)
def test_a_fault_of_the_choice_is_refused(number: int, fault: str) -> None:
    (series,) = search_all([probe_of(entries(CLOSE)[number])], fault, SEARCHES, PLAYOUTS, seed=5)
    assert p_value(CLOSE, number, series) < 1e-3


@pytest.mark.parametrize(
    ("number", "wrong"),
    [(n, name) for n in NUMBERS[BOOKKEEPING] for name in entries(BOOKKEEPING)[n]["separates"]],
)
def test_wrong_records_are_refused(number: int, wrong: str) -> None:
    """The moves that a bot with these records chooses, in the shares in which it chooses them."""
    probe = probe_of(entries(BOOKKEEPING)[number])
    points = probe.position.candidates(probe.to_move)
    visits, wins = enumerated(probe, WRONG[wrong]).records(probe.komi, points).draw(PLAYOUTS, 400, seed=3)
    times = zip(points, choice_shares(rates(visits, wins)), strict=True)
    moves = [format_vertex(point) for point, share in times for _ in range(round(share * SEARCHES))]
    series = Series(probe, PLAYOUTS, tuple(SearchRecord(move, None, None, 0.0) for move in moves))
    assert p_value(BOOKKEEPING, number, series) < 1e-4


def test_no_candidate_is_no_choice() -> None:
    series = Series(probe_of(entries(CLOSE)[0]), PLAYOUTS, (SearchRecord("PASS", None, None, 0.0),))
    assert judge_choices_of(CLOSE, 0, series).outcome is Outcome.FAIL
