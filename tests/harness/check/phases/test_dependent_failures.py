"""Dialogues with bots whose fault depends on earlier lines, on chance, or on the past of the machine."""

from __future__ import annotations

import pytest

from harness.check.effort import QUICK
from harness.check.model import Check, Confirmation, Level, Outcome, Phase, Result
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.verdict import verdict
from harness.suite.registry import CHECKS, select
from tests.harness.check.forgetful_bots import (
    ForgetfulBot,
    Life,
    Misdeed,
    after_illegal_move,
    at_random,
    command_300,
    move_100,
    once,
    second_boardsize,
)
from tests.parameters import slow_but, thorough_but
from tests.thorough import Mutant, thorough

DIALOGUES = tuple(check for check in CHECKS if check.procedure.phase is Phase.DIALOGUE)
SOME = DIALOGUES[::3]
FEW = 30
"""The first of `SOME`, in which all bots but one fail. Each further failure is reduced."""

NO_HISTORY = Mutant(
    "harness/check/phases/confirmation.py",
    "open=bool(first.history))",
    "open=False)",
    "tests/harness/check/phases/test_confirmation.py::"
    "test_a_failure_that_needs_earlier_commands_prints_those_that_it_needs",
)
"""A failure is never repeated after the earlier lines of its process."""


def findings(misdeed: Misdeed, seed: int = 1, checks: tuple[Check, ...] = DIALOGUES) -> Findings:
    with ForgetfulBot(misdeed, seed=seed) as bot:
        return findings_of(check_bot(bot, RunSettings(bot.launch, checks, effort=QUICK)))


def failures(found: Findings) -> list[Result]:
    return [r for r in found.results if r.refuses and r.check.level is Level.MUST]


def shows(result: Result, misdeed: Misdeed) -> bool:
    """Send exactly the printed lines to a new process; return whether one of them meets the misdeed."""
    with ForgetfulBot(misdeed) as bot:
        answers = [bot.running_engine().ask(line) for line in result.lines]
    if result.outcome is Outcome.CRASH:
        return answers[-1].ending == "eof"
    return any(one.text in ("lost", "table full") for one in answers)


@pytest.mark.parametrize(
    ("misdeed", "checks"),
    thorough_but(
        (second_boardsize,),
        [(second_boardsize, FEW), (command_300, FEW), (move_100, 50), (after_illegal_move, 45)],
        NO_HISTORY,
    ),
)
def test_what_depends_on_earlier_lines_is_refused_with_lines_that_show_it(
    misdeed: Misdeed, checks: int
) -> None:
    found = findings(misdeed, checks=SOME[:checks])
    refused = failures(found)
    assert verdict(found) == "deviates"
    assert refused
    assert all(shows(result, misdeed) for result in refused)


def test_the_earlier_lines_are_reduced_to_those_that_the_failure_needs() -> None:
    first = failures(findings(second_boardsize, checks=SOME[:FEW]))[0]
    assert first.confirmation is Confirmation.WITH_HISTORY
    assert first.lines == (b"boardsize 9\n", b"boardsize 9\n")


@pytest.mark.parametrize("seed", slow_but((1, 2), range(1, 5)))
def test_what_fails_half_of_the_times_is_refused(seed: int) -> None:
    found = findings(at_random, seed)
    assert verdict(found) == "deviates"
    assert all(result.sightings.seen >= 1 for result in failures(found))


@pytest.mark.parametrize("misdeed", [once("genmove", 8)])
def test_what_happens_once_is_reported_and_does_not_refuse(misdeed: Misdeed) -> None:
    found = findings(misdeed)
    (unstable,) = [r for r in found.results if r.confirmation is Confirmation.UNSTABLE]
    assert verdict(found) == "inconclusive"
    assert unstable.sightings.seen == 0
    assert "# with the failure" in unstable.transcript
    assert "# without it" in unstable.transcript
    others = {r.outcome for r in found.results if r is not unstable and r.check.level is Level.MUST}
    assert others <= {Outcome.PASS, Outcome.SKIP}


def test_a_right_bot_is_never_repeated() -> None:
    found = findings(lambda life: None)
    assert verdict(found) == "conforms"
    assert not [r for r in found.results if r.check.level is Level.MUST and r.sightings.tried]


def search_20(life: Life) -> bytes | None:
    """From its search 20 on, a process resigns."""
    return b"=resign" if life.seen[-1] == "genmove" and life.count("genmove") >= 20 else None


@thorough(NO_HISTORY)
def test_a_search_that_fails_after_earlier_searches_is_refused_with_lines_that_show_it() -> None:
    checks = select(("ref.nodes.*", "ref.score.*"))
    with ForgetfulBot(search_20) as bot:
        found = findings_of(check_bot(bot, RunSettings(bot.launch, checks, effort=QUICK)))
    shown = [result for result in failures(found) if result.confirmation is Confirmation.WITH_HISTORY]
    assert verdict(found) == "deviates"
    assert shown
    for result in shown:
        with ForgetfulBot(search_20) as bot:
            assert "resign" in [bot.running_engine().ask(line).text for line in result.lines]


def seldom_resigns(life: Life) -> bytes | None:
    """One search in twelve resigns."""
    return b"=resign" if life.seen[-1] == "genmove" and life.dice.random() < 1 / 12 else None


def test_a_rare_failure_of_several_searches_is_refused() -> None:
    checks = select(("ref.nodes.*", "ref.choice.c*"))
    with ForgetfulBot(seldom_resigns, seed=2) as bot:
        found = findings_of(check_bot(bot, RunSettings(bot.launch, checks, effort=QUICK)))
    assert verdict(found) == "deviates"
