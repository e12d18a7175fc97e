"""Each fault of the registry is refused by a check of its clause: a check is there once it caught its fault.

The faulty bot is shown to the checks of its clause alone, in this process and with fixed seeds. A run ends
when its checks are decided or have made their searches, however long that takes.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from harness.checks.execution.findings import QUICK, STANDARD
from harness.checks.model import REFUSING, Level
from harness.checks.registry import CHECKS
from harness.checks.selftest.faulty import check_fault
from harness.checks.verdict import verdict
from refbot.faults import FAULTS

HARD = {"uniform-modulo", "amaf-other-first", "best-smoothed", "best-lower-bound", "playouts-twofold"}
"""They take the number of searches and the margins of a standard run."""

OTHERS = [name for name, fault in FAULTS.items() if fault.clause != "gtp"]
"""Faults that are not of the wire: test_hosted_faults has those."""


@pytest.mark.parametrize("name", OTHERS)
def test_a_fault_is_refused_for_its_clause(name: str) -> None:
    checks = [check for check in CHECKS if check.clause == FAULTS[name].clause]
    effort = STANDARD if name in HARD else QUICK
    findings = check_fault(name, 1, checks=checks, effort=replace(effort, seconds=math.inf), hosted=True)
    refusing = {result.check.level for result in findings.results if result.outcome in REFUSING}
    assert refusing & {Level.MUST, Level.SHOULD}


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", FAULTS)
def test_the_whole_run_refuses_each_fault(name: str) -> None:
    """The kill matrix, one row: a real process, the standard budget, all checks."""
    findings = check_fault(name, 1, effort=replace(STANDARD, seconds=math.inf))
    assert verdict(findings, strict=True) == "deviates"
    refusing = {result.check.clause for result in findings.results if result.outcome in REFUSING}
    assert FAULTS[name].clause in refusing
