"""The time of a run may be up at any line: what was not observed to its end is open, and nothing else."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from harness.checks.execution.findings import QUICK, Assignment, Findings
from harness.checks.execution.runner import check_bot
from harness.checks.model import OUT_OF_TIME, Confirmation, Outcome, Verdict
from harness.checks.registry import select
from harness.checks.selftest.hosted_bot import HostedBot
from harness.checks.verdict import verdict

CHECKS = select(("gtp.frame.*", "gtp.admin.*", "gtp.play.occupied", "game.ko.*"))


def run(seconds: float, monkeypatch: pytest.MonkeyPatch, *switched: str) -> Findings:
    """A run whose clock goes on by a second with each look at it."""
    clock = map(float, itertools.count())
    with monkeypatch.context() as patched, HostedBot(*switched) as bot:
        patched.setattr("time.monotonic", lambda: next(clock))
        assignment = Assignment(bot.launch, CHECKS, 100, replace(QUICK, seconds=seconds))
        return check_bot(bot, assignment)


@pytest.mark.parametrize("seconds", [*range(0, 60, 7), *range(60, 1_000, 97)])
def test_a_right_bot_is_open_where_it_was_not_examined(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = run(seconds, monkeypatch)
    judgements = [result.judgement for result in findings.results]
    assert {one.outcome for one in judgements} <= {Outcome.PASS, Outcome.INCONCLUSIVE, Outcome.BLOCKED}
    assert all(one == OUT_OF_TIME for one in judgements if one.outcome is Outcome.INCONCLUSIVE)
    assert verdict(findings) in (Verdict.CONFORMS, Verdict.INCONCLUSIVE)


def test_a_failure_that_was_seen_in_time_is_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time may be up between the failure and its confirmation."""
    seen = []
    for seconds in range(0, 1_000, 11):
        findings = run(seconds, monkeypatch, "play-never-refuses")
        states = [result.confirmation for result in findings.results if result.refuses]
        assert set(states) <= {Confirmation.CONFIRMED, Confirmation.WITH_HISTORY}
        seen.append(bool(states))
    assert True in seen
    assert False in seen
