"""Each fault of the registry is refused by a check of its clause: a check is there once it caught its fault.

The faulty bot is shown to those checks of its clause that claim the fault, or to all of them where none does.
It runs in this process, with fixed seeds, and until its checks are decided or have made their searches.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from harness.check.effort import QUICK, STANDARD
from harness.check.model import REFUSING, Level
from harness.check.verdict import verdict
from harness.selftest.faulty import check_fault, checks_on_board_of
from refbot.deviations.faults import FAULTS
from tests.parameters import slow_but, thorough_but
from tests.thorough import Mutant

HARD = {
    "amaf-other-first",
    "best-lower-bound",
    "best-smoothed",
    "playouts-black-at-start",
    "playouts-twofold",
    "uniform-modulo",
    "uniform-no-last-column",
}
"""They take the number of searches and the margins of a standard run."""

OTHERS = [name for name, fault in FAULTS.items() if fault.clause != "gtp"]
"""Faults that are not of the wire: test_hosted_faults has those."""

DEAR = {"uniform-modulo", "uniform-scan-board"}
"""Thousands of searches."""

COSTLY = {
    "amaf-both-colours",
    "amaf-draws-lost",
    "amaf-every-play",
    "amaf-first-move-only",
    "amaf-opponent",
    "amaf-other-first",
    "amaf-skip-first",
    "amaf-skip-last",
    "best-lower-bound",
    "best-lowest",
    "best-random",
    "best-smoothed",
    "best-ten-visits",
    "best-visits",
    "best-wins",
    "cap-no-first-move",
    "cap-none",
    "draw-lost",
    "draw-to-black",
    "draw-to-white",
    "eye-centre-two",
    "eye-edge-as-centre",
    "eye-either-colour",
    "eye-filled",
    "eye-off-board-hostile",
    "komi-forgets-boards",
    "komi-to-halves",
    "komi-truncated",
    "playouts-twofold",
    "ties-first",
    "uniform-captured-dropped",
    "uniform-never-last",
    "uniform-refused-dropped",
    "uniform-scan-list",
    "unseen-as-even",
    "unseen-as-won",
}
"""Hundreds of searches, or many lines before each. The quick tests have others of the same clauses."""

OF_THE_GAME = {name for name in OTHERS if FAULTS[name].where in ("wire", "command", "game")}
"""Faults that test_hosted_faults shows to the checks that claim them, in every run."""

MILLION = "ref.nodes.million"
"""A check of a million moves: only the fault that it claims is shown to it."""


SLOW = DEAR | OF_THE_GAME


@pytest.mark.parametrize(
    "name",
    [
        *slow_but((), sorted(SLOW)),
        *thorough_but(
            set(OTHERS) - COSTLY,
            [name for name in OTHERS if name not in SLOW],
            Mutant(
                "harness/check/phases/judged_searches.py",
                "if check.id in budget.refused:",
                "if False:",
                "tests/harness/selftest/test_faults_by_clause.py::"
                "test_a_fault_is_refused_for_its_clause[uniform-first-hundred]",
            ),
        ),
    ],
)
def test_a_fault_is_refused_for_its_clause(name: str) -> None:
    own = [check for check in checks_on_board_of(name) if check.clause == FAULTS[name].clause]
    claiming = [check for check in own if name in check.kills]
    cheap = [check for check in own if check.id != MILLION]
    effort = STANDARD if name in HARD else QUICK
    findings = check_fault(
        name, 1, checks=claiming or cheap, effort=replace(effort, seconds=math.inf), hosted=True
    )
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
