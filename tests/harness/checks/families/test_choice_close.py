"""`ref.choice.close-*`: the stored laws are the enumerator's, right choices fit them."""

from __future__ import annotations

import pytest

from harness.checks.families import choice_close as close
from harness.checks.model import Outcome
from harness.checks.procedures.search import SearchRecord, Series
from harness.checks.selftest.direct_search import search_all
from harness.gtp import format_vertex
from harness.tools.find_close import entry
from harness.tools.find_probes import Candidate

NUMBERS = range(len(close.stored()))
PLAYOUTS = 1000


@pytest.mark.parametrize("number", NUMBERS)
def test_the_stored_law_is_the_enumerators(number: int) -> None:
    stored, probe = close.stored()[number], close.probe(number)
    assert stored["candidates"] == [format_vertex(p) for p in probe.position.candidates(probe.to_move)]
    anew = entry(Candidate(probe, probe.expected), number + 1)["records"]
    assert isinstance(anew, list)
    assert [(way[1], way[2]) for way in anew] == [(way[1], way[2]) for way in stored["records"]]
    assert [way[0] for way in anew] == pytest.approx([way[0] for way in stored["records"]], abs=1e-9)


@pytest.mark.parametrize("playouts", [30, 300, PLAYOUTS])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_right_bot_chooses_as_expected(number: int, playouts: int) -> None:
    """Each of twelve may fail with a chance of 1e-8; seeded."""
    (series,) = search_all([close.probe(number)], "", 200, playouts, seed=number)
    judgement = close.judge_close(number, series)
    assert judgement.p_value is not None
    assert judgement.p_value > 1e-8


@pytest.mark.parametrize(
    ("number", "fault"), [(n, fault) for n in NUMBERS for fault in close.stored()[n]["separates"]]
)
def test_what_a_probe_separates_is_refused(number: int, fault: str) -> None:
    (series,) = search_all([close.probe(number)], fault, close.SEARCHES, PLAYOUTS, seed=5)
    judgement = close.judge_close(number, series)
    assert judgement.p_value is not None
    assert judgement.p_value < 1e-3


def test_no_candidate_is_no_choice() -> None:
    series = Series(close.probe(0), PLAYOUTS, (SearchRecord("PASS", None, None, 0.0),))
    assert close.judge_close(0, series).outcome is Outcome.FAIL
