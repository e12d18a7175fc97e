"""Each report says what the diagnosis compared, and what the number of playouts hides."""

from __future__ import annotations

from functools import cache

import pytest

from harness.check.effort import QUICK, STANDARD, Effort
from harness.check.phases.findings import Findings
from harness.diagnosis.compared import count_compared
from harness.report.text.compared_text import compared_text, untested_text
from harness.selftest.faulty import check_fault
from harness.suite.registry import select
from harness.suite.untested import untested_faults

CHECKS = ["ref.choice.close-*", "ref.choice.0*", "ref.choice.ties-*", "ref.score.decimals*"]


@cache
def found(playouts: int) -> Findings:
    return check_fault("", 1, checks=select(CHECKS), effort=QUICK, playouts=playouts, hosted=True)


def test_every_search_and_every_check_is_compared_or_not() -> None:
    findings = found(50)
    said = count_compared(findings)
    assert said.positions + said.unrecorded == len(findings.series)
    assert said.searches <= sum(len(series.searches) for series in findings.series)
    assert said.not_judged == sum(result.outcome.name == "SKIP" for result in findings.results)
    assert "50 playouts" in compared_text(said)


@pytest.mark.parametrize(("playouts", "hidden"), [(50, True), (200, False)])
def test_a_fault_that_few_playouts_hide_is_named(playouts: int, hidden: bool) -> None:
    said = count_compared(found(playouts))
    assert ("best-in-percent" in said.untested) is hidden
    assert ("refscore-two-decimals" in said.untested) is hidden
    assert ("best-in-percent" in untested_text(said, playouts)) is hidden
    assert "ties-first" not in said.untested


@pytest.mark.parametrize("effort", [QUICK, STANDARD], ids=["quick", "standard"])
def test_a_fault_whose_moves_would_have_refused_the_bot_was_tested(effort: Effort) -> None:
    checks = select(["ref.choice.midgame-*", "ref.choice.captures-*"])
    right = check_fault("", 1, checks=checks, effort=effort, playouts=100, hosted=True)
    assert "amaf-other-first" in untested_faults(right)  # by the checks that are made for it
    # The captures show it, with enough searches.
    assert ("amaf-other-first" in count_compared(right).untested) is (effort is QUICK)


def test_a_fault_that_a_cause_names_was_tested() -> None:
    hidden = count_compared(found(50)).untested
    assert hidden
    assert count_compared(found(50), hidden[:1]).untested == hidden[1:]
