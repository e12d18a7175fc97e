"""`ref.choice.close-*`: the stored laws are the enumerator's, right choices fit them."""

from __future__ import annotations

import pytest

from harness.check.judges.moves import SEARCHES, entries, judge_choices_of, probe_of
from harness.check.model import Outcome
from harness.check.procedures.search import SearchRecord, Series
from harness.gtp import format_vertex
from harness.selftest.direct_search import search_all
from harness.tools.find_close import entry
from harness.tools.find_probes import Candidate

DATA = "close"
NUMBERS = range(len(entries(DATA)))
PLAYOUTS = 1000


@pytest.mark.parametrize("number", NUMBERS)
def test_the_stored_law_is_the_enumerators(number: int) -> None:
    stored = entries(DATA)[number]
    probe = probe_of(stored)
    assert stored["candidates"] == [format_vertex(p) for p in probe.position.candidates(probe.to_move)]
    anew = entry(Candidate(probe, probe.expected), number + 1)["records"]
    assert isinstance(anew, list)
    assert [(way[1], way[2]) for way in anew] == [(way[1], way[2]) for way in stored["records"]]
    assert [way[0] for way in anew] == pytest.approx([way[0] for way in stored["records"]], abs=1e-9)


@pytest.mark.parametrize("playouts", [30, 300, PLAYOUTS])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_right_bot_chooses_as_expected(number: int, playouts: int) -> None:
    """Each of twelve may fail with a chance of 1e-8; seeded."""
    (series,) = search_all([probe_of(entries(DATA)[number])], "", 200, playouts, seed=number)
    judgement = judge_choices_of(DATA, number, series)
    assert judgement.p_value is not None
    assert judgement.p_value > 1e-8


@pytest.mark.parametrize(
    ("number", "fault"), [(n, fault) for n in NUMBERS for fault in entries(DATA)[n]["separates"]]
)
def test_what_a_probe_separates_is_refused(number: int, fault: str) -> None:
    (series,) = search_all([probe_of(entries(DATA)[number])], fault, SEARCHES, PLAYOUTS, seed=5)
    judgement = judge_choices_of(DATA, number, series)
    assert judgement.p_value is not None
    assert judgement.p_value < 1e-3


def test_no_candidate_is_no_choice() -> None:
    series = Series(probe_of(entries(DATA)[0]), PLAYOUTS, (SearchRecord("PASS", None, None, 0.0),))
    assert judge_choices_of(DATA, 0, series).outcome is Outcome.FAIL
