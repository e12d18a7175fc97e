"""A bot that can be started a few times and then no more: every result so far is reported."""

from __future__ import annotations

import math
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from harness.check.bot.errors import UnusableBotError
from harness.check.effort import QUICK
from harness.check.model import Confirmation, Outcome, Result, Verdict
from harness.check.phases.events import CheckEnded, Event, FailureSeen
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.verdict import verdict
from harness.cli.exits import ExitCode
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import select
from tests.parameters import slow_but
from tests.thorough import Mutant, thorough

ENGINES = Path(__file__).parents[3] / "engines"
REASON = "no such program: './bot'"
EFFORT = replace(QUICK, seconds=math.inf)
CHECKS = select(
    (
        "gtp.frame.two-newlines",
        "gtp.frame.quit",
        "gtp.frame.eof*",
        "gtp.frame.id-echo",
        "gtp.admin.name",
        "gtp.play.occupied",
        "game.ko.ends",
        "ref.nodes.*",
        "ref.eye.edge",
        "ref.eye.centre",
        "ref.fresh.processes",
        "ref.choice.unseen",
    )
)


class StartsOnly(HostedBot):
    """A hosted bot whose process starts `left[0]` times; other instances share the count."""

    def __init__(self, left: list[int], *switched: str, seed: int = 1) -> None:
        super().__init__(*switched, seed=seed)
        self.left = left

    def another_instance(self, number: int) -> StartsOnly:
        return StartsOnly(self.left, *self.switched, seed=self.seed + number)

    def running_engine(self) -> HostedEngine:  # type: ignore[override]  # as HostedBot's
        if self.processes.in_use is None:
            if not self.left[0]:
                raise UnusableBotError(REASON)
            self.left[0] -= 1
        return super().running_engine()


def run(starts: int, fault: str, instances: int) -> tuple[Findings, dict[str, tuple[Result, int]]]:
    """The findings, and each result with the number of starts that were made before it stood."""
    left = [starts]
    noted: dict[str, tuple[Result, int]] = {}

    def note(event: Event) -> None:
        if isinstance(event, CheckEnded | FailureSeen):
            noted[event.result.check.id] = (event.result, starts - left[0])

    with StartsOnly(left, *filter(None, [fault])) as bot:
        settings = RunSettings(bot.launch, CHECKS, 100, EFFORT, instances=instances)
        return findings_of(check_bot(bot, settings), note), noted


PLENTY = 1000
"""More starts than any run makes."""


FAILING = ("", "eye-edge-as-centre", "quit-hangs", "illegal-move-crashes")
ALWAYS = ("eye-edge-as-centre", 1)
OFTEN = {("", 2), ("quit-hangs", 2), ("illegal-move-crashes", 1)}
LOST = Mutant(
    "harness/check/phases/examination.py",
    'return Judgement(Outcome.ERROR, "a process that starts", why.reason, why.hint)',
    "return OUT_OF_TIME",
    "tests/harness/check/phases/test_failing_starts.py::"
    "test_a_start_that_fails_at_any_point_leaves_every_result_before_it[eye-edge-as-centre-1]",
)
"""A check whose process did not start is said to have had no time."""


def marks(case: tuple[str, int]) -> tuple[pytest.MarkDecorator, ...]:
    return () if case == ALWAYS else (thorough(LOST),) if case in OFTEN else (pytest.mark.slow,)


@pytest.mark.parametrize(
    ("fault", "instances"),
    [
        pytest.param(fault, instances, marks=marks((fault, instances)))
        for fault in FAILING
        for instances in (1, 2)
    ],
)
def test_a_start_that_fails_at_any_point_leaves_every_result_before_it(fault: str, instances: int) -> None:
    whole, noted = run(PLENTY, fault, instances)
    starts = max(before for _, before in noted.values())
    assert starts > 3
    for allowed in range(1, starts):
        findings, _ = run(allowed, fault, instances)
        if findings.unusable:
            assert REASON in findings.unusable
            continue
        assert [result.check.id for result in findings.results] == [check.id for check in CHECKS]
        outcomes = {result.check.id: result.outcome for result in findings.results}
        kept = {name: result.outcome for name, (result, before) in noted.items() if before <= allowed}
        assert {name: outcomes[name] for name in kept} == kept
        errors = [result for result in findings.results if result.outcome is Outcome.ERROR]
        assert all(REASON in result.judgement.observed for result in errors)
        exact = [r for r in findings.results if r.refuses and r.judgement.p_value is None]
        unconfirmed = [r for r in exact if r.check.id not in kept]
        assert {result.confirmation for result in unconfirmed} <= {Confirmation.NOT_TRIED}
        if errors or unconfirmed:
            assert verdict(findings) is not Verdict.CONFORMS
        else:  # what the process that failed to start was for had been found out before
            assert outcomes == {result.check.id: result.outcome for result in whole.results}
    assert verdict(whole) is (Verdict.DEVIATES if fault else Verdict.CONFORMS)


# --- a real process, by the command line -------------------------------------------------------------------


def counted_bot(folder: Path, starts: int, then: str) -> str:
    """A program that runs a right bot `starts` times; `then` is what the shell does at the last start."""
    bot = shlex.join([sys.executable, "-S", "-E", str(ENGINES / "hostile.py"), "right"])
    path = folder / "bot"
    path.write_text(
        "#!/bin/sh\n"
        f'echo started >> "{folder}/starts"\n'
        f'made=$(wc -l < "{folder}/starts")\n'
        f"{then.format(starts=starts)}\n"
        f"exec {bot}\n"
    )
    path.chmod(0o700)
    return str(path)


NOT_EXECUTABLE = '[ "$made" -lt {starts} ] || chmod -x "$0"'
DIES = '[ "$made" -le {starts} ] || exit 5'


def check(command: str, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from harness.cli import main; main()", "check", command, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "200"},
    )


@pytest.mark.parametrize("starts", slow_but((2,), [1, 2, 3]))
@pytest.mark.parametrize(
    ("then", "code", "shown"),
    [
        pytest.param(
            NOT_EXECUTABLE, ExitCode.INCONCLUSIVE, "could not be started again", marks=pytest.mark.slow
        ),
        (DIES, ExitCode.DEVIATES, "exit code 5"),
    ],
)
def test_the_command_reports_what_it_found(
    tmp_path: Path, starts: int, then: str, code: ExitCode, shown: str
) -> None:
    only = [word for pattern in ("gtp.frame.*", "gtp.admin.name") for word in ("--only", pattern)]
    done = check(counted_bot(tmp_path, starts, then), [*only, "--jobs", "1", "-v"])
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stderr == ""
    assert shown in done.stdout
    assert "gtp.admin.name" in done.stdout
