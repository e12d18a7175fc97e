"""A bot that makes another number of playouts than was given: that is its cause, and its headline."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.check.effort import QUICK
from harness.check.phases.findings import Findings
from harness.check.phases.playout_count import PlayoutCount, with_doubt
from harness.check.procedures.search import Series
from harness.diagnosis.cause import CauseKind
from harness.diagnosis.diagnose import diagnose
from harness.diagnosis.wrong_number import wrong_number
from harness.report.text.cause_text import cause_statement
from harness.selftest.faulty import RIGHT, check_fault, failures_of
from harness.suite.registry import select

SOME = select(("ref.nodes.three", "ref.nodes.six", "ref.passes.*", "ref.cap.one", "game.komi.in-force"))


def said_to_make(given: int, fault: str, playouts: int, source: str = "given") -> Findings:
    """Findings about a bot with a fault that makes `playouts` a search, and was said to make `given`."""
    found = check_fault(fault, 1, effort=QUICK, playouts=playouts, hosted=True, checks=SOME)
    series = tuple(replace(one, playouts=given) for one in found.series)
    judged = {one.probe.id: one for one in series}

    results = tuple(
        replace(result, judgement=result.check.procedure.judge(judged[plan.probe.id]))
        if (plan := result.check.procedure.search_plan) is not None and plan.probe.id in judged
        else result
        for result in found.results
    )
    return replace(
        found, results=results, series=series, count=with_doubt(PlayoutCount(given, source), series)
    )


@pytest.mark.parametrize(("fault", "others"), [(RIGHT, []), ("komi-ignored", ["komi"])])
def test_the_number_comes_first_and_explains_every_search(fault: str, others: list[str]) -> None:
    found = said_to_make(1000, fault, 500)
    first, *rest = diagnose(found).causes
    assert (first.kind, first.name, first.clause) == (CauseKind.PLAYOUTS, "500", "ref-nodes")
    searched = {r.check.id for r in failures_of(found) if r.check.procedure.search_plan is not None}
    assert set(first.explains) == searched
    assert len(searched) > 4
    assert [cause.clause for cause in rest] == others
    (shown,) = (r for r in found.results if r.check.id == first.evidence)
    assert "shows 500 playouts a search" in cause_statement(first, shown)


def test_a_number_that_was_not_said_or_is_right_is_no_cause() -> None:
    right = said_to_make(1000, RIGHT, 1000)
    assert wrong_number(right) is None
    assert wrong_number(said_to_make(1000, RIGHT, 500)) == 500
    assert wrong_number(said_to_make(1000, RIGHT, 500, "asked")) == 500
    assert wrong_number(said_to_make(1000, RIGHT, 500, "inferred")) is None


def test_a_wrong_count_of_moves_is_not_taken_for_another_number() -> None:
    """One pass is left out: two thirds of three moves, half of two."""
    assert wrong_number(said_to_make(1000, "nodes-one-pass", 1000)) is None
    assert diagnose(said_to_make(1000, "nodes-one-pass", 1000)).causes[0].clause == "ref-nodes"


def test_a_mean_in_place_of_a_sum_is_not_taken_for_one_playout() -> None:
    right = said_to_make(1000, RIGHT, 1000)

    def mean(one: Series) -> Series:
        searches = (replace(s, nodes=(s.nodes or 0) // 1000) for s in one.searches)
        return replace(one, searches=tuple(searches))

    series = tuple(map(mean, right.series))
    count = with_doubt(PlayoutCount(1000, "given"), series)
    assert wrong_number(replace(right, series=series, count=count)) is None
