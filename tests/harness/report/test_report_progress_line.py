"""The line that says how far a check is."""

from __future__ import annotations

import io
import os
import signal

import pytest
from rich.console import Console

from harness.check.model import Judgement, Outcome, Result
from harness.check.phases.events import CheckEnded, CheckRepeated, CheckStarted, RunStarted
from harness.diagnosis.cause import Cause, CauseKind, CauseSuspected
from harness.report.text.progress_line import ProgressLine
from harness.suite.registry import find, select

CHECKS = select(("gtp.frame.quit", "gtp.frame.eof"))


def no_terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=False, width=80)


def test_usr1_prints_the_latest_line_at_once() -> None:
    console = no_terminal()
    with ProgressLine(console, "./mybot [/x]") as line:
        line.show("searching, 40 of 100 checks decided")
        os.kill(os.getpid(), signal.SIGUSR1)
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == "./mybot [/x]: searching, 40 of 100 checks decided\n"


def test_the_first_suspicion_is_printed_at_once() -> None:
    console = no_terminal()
    with ProgressLine(console, "./mybot") as line:
        for event in (RunStarted("./mybot", CHECKS), *map(CheckStarted, CHECKS), *map(CheckRepeated, CHECKS)):
            line.handle(event)
    assert isinstance(console.file, io.StringIO)
    (printed,) = console.file.getvalue().splitlines()
    assert printed.startswith(f"./mybot: {CHECKS[0].id} failed")


def test_the_progress_names_each_requirement_once_and_no_fault() -> None:
    (check,) = find("ref.eye.corner")
    console, result = no_terminal(), Result(check, Judgement(Outcome.FAIL))
    causes = [
        Cause(CauseKind.FAULT, fault, "eye", 0.99, check.id, (check.id, "ref.eye.corner-white"))
        for fault in ("eye-corner-as-centre", "eye-no-diagonals")
    ]
    with ProgressLine(console, "./mybot") as line:
        for cause in causes:
            line.handle(CauseSuspected(cause, result))
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == f"./mybot: so far: not met: {check.title}\n"


@pytest.mark.parametrize(
    ("judgement", "ending"),
    [
        (
            Judgement(Outcome.SKIP, observed="the bot plays by other rules\nB1"),
            "skip: the bot plays by other rules",
        ),
        (Judgement(Outcome.PASS, observed="= true"), "pass"),
    ],
)
def test_a_suspicion_that_was_none_is_taken_back(judgement: Judgement, ending: str) -> None:
    console = no_terminal()
    with ProgressLine(console, "./mybot") as line:
        for event in (
            RunStarted("./mybot", CHECKS),
            CheckRepeated(CHECKS[0]),
            CheckEnded(Result(CHECKS[0], judgement)),
            CheckEnded(Result(CHECKS[1], judgement)),
        ):
            line.handle(event)
    assert isinstance(console.file, io.StringIO)
    suspicion, taken_back = console.file.getvalue().splitlines()
    assert suspicion.startswith(f"./mybot: {CHECKS[0].id} failed")
    assert taken_back == f"./mybot: {CHECKS[0].id} ended with {ending}"


def test_usr1_has_its_former_meaning_afterwards() -> None:
    before = signal.getsignal(signal.SIGUSR1)
    with ProgressLine(no_terminal(), "./mybot"):
        assert signal.getsignal(signal.SIGUSR1) != before
    assert signal.getsignal(signal.SIGUSR1) == before
