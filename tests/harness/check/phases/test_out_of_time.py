"""The time of a run may be up at any line: what was not observed to its end is open, and nothing else."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from harness.check.effort import QUICK
from harness.check.model import OUT_OF_TIME, Confirmation, Outcome, Verdict
from harness.check.phases.findings import Findings
from harness.check.phases.machine import Machine
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.verdict import verdict
from harness.gtp import Exchange
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import select

CHECKS = select(("gtp.frame.*", "gtp.admin.*", "gtp.play.occupied", "game.ko.*"))


def run(seconds: float, monkeypatch: pytest.MonkeyPatch, *switched: str) -> Findings:
    """A run whose clock goes on by a second with each look at it."""
    clock = map(float, itertools.count())
    with monkeypatch.context() as patched, HostedBot(*switched) as bot:
        patched.setattr("time.monotonic", lambda: next(clock))
        settings = RunSettings(bot.launch, CHECKS, 100, replace(QUICK, seconds=seconds))
        return findings_of(check_bot(bot, settings, Machine(now=lambda: next(clock))))


@pytest.mark.parametrize("seconds", [*range(0, 60, 13), *range(60, 1_000, 193)])
def test_a_right_bot_is_open_where_it_was_not_examined(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = run(seconds, monkeypatch)
    judgements = [result.judgement for result in findings.results]
    assert {one.outcome for one in judgements} <= {Outcome.PASS, Outcome.INCONCLUSIVE, Outcome.BLOCKED}
    assert all(one == OUT_OF_TIME for one in judgements if one.outcome is Outcome.INCONCLUSIVE)
    assert verdict(findings) in (Verdict.CONFORMS, Verdict.INCONCLUSIVE)


def test_a_failure_that_was_seen_in_time_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time may be up before it is seen again, and the report says so."""
    seen: set[Confirmation | None] = set()
    for seconds in range(0, 1_000, 37):
        findings = run(seconds, monkeypatch, "play-never-refuses")
        states = {result.confirmation for result in findings.results if result.refuses}
        assert states <= {Confirmation.CONFIRMED, Confirmation.WITH_HISTORY, Confirmation.NOT_TRIED}
        seen |= states or {None}
    assert {None, Confirmation.CONFIRMED} <= seen


def test_a_run_takes_no_longer_than_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where a silent bot is waited for, and then waited for again: each wait is cut."""
    waits: list[float] = []
    now = 0.0

    class Silent(HostedEngine):
        def ask(self, line: bytes, *, timeout: float | None = None, **other: float | None) -> Exchange:
            nonlocal now
            if line.startswith(b"play"):
                assert timeout is not None
                waits.append(timeout)
                now += timeout
                return Exchange(line, b"", None, "timeout", b"", timeout)
            return super().ask(line, timeout=timeout, **other)

    class SilentBot(HostedBot):
        engine_type = Silent

    with monkeypatch.context() as patched, SilentBot() as bot:
        patched.setattr("time.monotonic", lambda: now)
        settings = RunSettings(bot.launch, CHECKS, 100, replace(QUICK, seconds=45.0))
        findings = findings_of(check_bot(bot, settings, Machine(now=lambda: now)))
    assert waits
    assert now <= 45.0
    assert findings.seconds <= 45.0
    assert verdict(findings) in (Verdict.DEVIATES, Verdict.INCONCLUSIVE)
