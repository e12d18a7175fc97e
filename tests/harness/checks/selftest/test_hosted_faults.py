"""Every fault of the wire and of the game is caught by the checks that say so; a right bot by none.

The reference bot's server is talked to in this process, so that a hundred whole runs cost seconds.
"""

from __future__ import annotations

import pytest

from harness.checks.execution.findings import Assignment, Findings
from harness.checks.execution.runner import check_bot
from harness.checks.model import REFUSING, Level, Outcome
from harness.checks.registry import CHECKS
from harness.checks.selftest.hosted_bot import PLAYOUTS, HostedBot
from harness.checks.verdict import verdict
from refbot.faults import FAULTS

OURS = tuple(check for check in CHECKS if check.id.startswith(("gtp.", "game.")))
STATE = (
    "superko-survives-clear",
    "superko-survives-undo",
    "komi-first-only",
)  # of the game, though kept in the state
OUR_FAULTS = [name for name, fault in FAULTS.items() if fault.where in ("wire", "game")] + list(STATE)

SEEN_BY = {  # habits that have a check of their own
    "slow-start": "gtp.frame.startup-time",
    "leading-blank-unanswered": "gtp.frame.leading-space",
    "blanks-kept-apart": "gtp.frame.multi-space",
    "id-glued": "gtp.frame.id-glued",
    "id-alone-unanswered": "gtp.frame.id-alone",
    "id-clamped": "gtp.frame.id-beyond",
    "extra-argument-refused": "gtp.frame.extra-argument",
    "long-line-split": "gtp.frame.long-line",
    "end-of-input-ignored": "gtp.frame.eof",
    "last-line-lost": "gtp.frame.eof-last-line",
    "known-command-needs-argument": "gtp.admin.known-none",
    "play-answers-text": "gtp.setup.no-text",
}


def found(*habits: str, seed: int = 1) -> Findings:
    with HostedBot(*habits) as bot:
        return check_bot(bot, Assignment(bot.launch, OURS, PLAYOUTS, seed=seed))


def failing(findings: Findings) -> set[str]:
    return {result.check.id for result in findings.results if result.outcome in REFUSING}


@pytest.mark.parametrize("seed", range(8))
def test_right_bot_conforms_at_strict_level_under_every_symmetry(seed: int) -> None:
    findings = found(seed=seed)
    strange = [(r.check.id, r.judgement) for r in findings.results if r.outcome is not Outcome.PASS]
    assert strange == []
    assert verdict(findings, strict=True) == "conforms"


@pytest.mark.parametrize("fault", OUR_FAULTS)
def test_fault_is_killed_by_the_checks_that_say_so(fault: str) -> None:
    killers = {check.id for check in OURS if fault in check.kills}
    findings = found(fault)
    assert killers <= failing(findings)
    clause = {
        r.check.clause for r in findings.results if r.check.id in killers and r.check.level is Level.MUST
    }
    assert FAULTS[fault].clause in clause
    assert verdict(findings) == "deviates"


@pytest.mark.parametrize("habit", SEEN_BY)
def test_habit_is_noted_but_refuses_no_bot(habit: str) -> None:
    """A bot with a habit conforms; with --strict it is refused where the check is a SHOULD."""
    (seeing,) = (check for check in OURS if check.id == SEEN_BY[habit])
    findings = found(habit)
    assert seeing.id in failing(findings)
    assert seeing.level in (Level.SHOULD, Level.INFO)
    assert {r.check.level for r in findings.results if r.check.id in failing(findings)} == {seeing.level}
    assert verdict(findings) == "conforms"
    assert verdict(findings, strict=True) == ("deviates" if seeing.level is Level.SHOULD else "conforms")


def test_every_fault_of_a_kind_is_claimed() -> None:
    claimed = {fault for check in OURS for fault in check.kills}
    assert set(OUR_FAULTS) <= claimed


@pytest.mark.parametrize("fault", ["unflushed", "one-line-feed"])
def test_a_bot_that_cannot_be_read_does_not_conform_by_saying_nothing(fault: str) -> None:
    """Where the one check that could refuse it was not asked for, all the others would be skipped."""
    silent = tuple(check for check in OURS if check.id.startswith("game."))
    with HostedBot(fault) as bot:
        assert verdict(check_bot(bot, Assignment(bot.launch, silent, PLAYOUTS))) == "unusable"
