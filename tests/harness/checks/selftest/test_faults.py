"""Each fault of the registry is refused by a check of its clause: a check is there once it caught its fault.

The faulty bot is shown to the checks of its clause alone, which a full run makes too. The chance that a fault
is missed by bad luck is that of its statistical checks to stay undecided within the time; the seeds of the
harness are fixed, those of the bot are not needed: a fault that is only seen with luck does not belong here.
"""

from __future__ import annotations

import pytest

from harness.checks.execution.findings import Assignment
from harness.checks.execution.runner import run_checks
from harness.checks.model import REFUSING, Level
from harness.checks.registry import CHECKS
from harness.checks.verdict import verdict
from harness.gtp import Launch, Limits
from refbot.faults import FAULTS

LIMITS = Limits(startup=120, answer=5, quit=2)

SHOULD_ONLY: set[str] = set()
"""Another reading of an open clause: noted, and refused with --strict alone."""

NOT_A_DEVIATION = {"slow-start"}
"""A quirk: slow, but right."""

HARD = {"amaf-first-half", "amaf-every-play", "amaf-other-first", "best-smoothed", "best-lower-bound"}
"""Seen in the choice of moves alone, which takes more searches than the others."""

SLOW = {name for name, fault in FAULTS.items() if fault.clause == "uniform"}
"""They take tens of thousands of playouts."""


def marked(name: str) -> object:
    marks = [pytest.mark.slow] if name in SLOW else []
    if FAULTS[name].clause == "gtp":  # test_checks_kills holds these in-process, in a tenth of the time
        marks = [*marks, pytest.mark.slow]
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", [marked(name) for name in FAULTS if name not in NOT_A_DEVIATION])
def test_a_fault_is_refused_for_its_clause(name: str) -> None:
    checks = [check for check in CHECKS if check.clause == FAULTS[name].clause]
    seconds = 45.0 if name in SLOW | HARD else 8.0
    findings = run_checks(
        Assignment(Launch(f"refbot gtp --fault {name}"), checks, None, seconds, limits=LIMITS)
    )
    refusing = [result.check for result in findings.results if result.outcome in REFUSING]
    if name in SHOULD_ONLY:
        assert {check.level for check in refusing} == {Level.SHOULD}
        assert verdict(findings, strict=True) == "deviates"
    else:
        assert (
            Level.MUST in {check.level for check in refusing} or verdict(findings, strict=True) == "deviates"
        )


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", FAULTS)
def test_the_whole_run_refuses_each_fault(name: str) -> None:
    """The kill matrix, one row: the standard budget, all checks."""
    findings = run_checks(Assignment(Launch(f"refbot gtp --fault {name}"), CHECKS, None, 45.0, limits=LIMITS))
    assert verdict(findings, strict=True) == ("conforms" if name in NOT_A_DEVIATION else "deviates")
    if name not in SHOULD_ONLY | NOT_A_DEVIATION:
        refusing = {result.check.clause for result in findings.results if result.outcome in REFUSING}
        assert FAULTS[name].clause in refusing
