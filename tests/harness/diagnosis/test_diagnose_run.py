"""The causes of failures as events among those of a run."""

from __future__ import annotations

from dataclasses import replace

from harness.check.effort import QUICK
from harness.check.phases.events import Event, FindingsSoFar, PhaseStarted, RunEnded
from harness.check.phases.findings import Findings
from harness.check.phases.machine import Machine
from harness.check.phases.run import StopRun, check_bot, follow
from harness.check.phases.settings import RunSettings
from harness.diagnosis.cause import CauseFound, CauseSuspected
from harness.diagnosis.diagnose import Diagnosis, diagnose
from harness.diagnosis.diagnose_run import Handler, diagnose_run
from harness.selftest.hosted_bot import HostedBot
from harness.suite.registry import select

CHECKS = select(("gtp.admin.*", "gtp.play.occupied", "gtp.frame.quit"))
EFFORT = replace(QUICK, seconds=1e9)
ONE_CORE = Machine(cores=lambda: 1, instances=lambda *_: 1)
WRONG = ("play-never-refuses",)


def run(switches: tuple[str, ...], *handlers: Handler) -> tuple[Findings, Diagnosis]:
    with HostedBot(*switches) as bot:
        return diagnose_run(check_bot(bot, RunSettings(bot.launch, CHECKS, 100, EFFORT), ONE_CORE), handlers)


def causes_left_out(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events if not isinstance(event, CauseSuspected | CauseFound)]


def test_causes_stand_among_the_events_of_the_run() -> None:
    alone: list[Event] = []
    with HostedBot(*WRONG) as bot:
        follow(check_bot(bot, RunSettings(bot.launch, CHECKS, 100, EFFORT), ONE_CORE), alone.append)
    seen: list[Event] = []
    findings, diagnosis = run(WRONG, seen.append)
    assert causes_left_out(seen) == [type(event) for event in alone]
    assert diagnosis == diagnose(findings)
    assert diagnosis.causes
    assert seen[-1 - len(diagnosis.causes) :] == [*map(CauseFound, diagnosis.causes), RunEnded(findings)]
    (first,) = (number for number, event in enumerate(seen) if isinstance(event, FindingsSoFar))
    suspected = seen[first + 1]
    assert isinstance(suspected, CauseSuspected)
    assert suspected.evidence.check.id == suspected.cause.evidence == "gtp.play.occupied"
    assert sum(isinstance(event, CauseSuspected) for event in seen) == 1


def test_a_bot_without_failures_has_no_cause() -> None:
    seen: list[Event] = []
    findings, diagnosis = run((), seen.append)
    assert diagnosis == Diagnosis()
    assert seen[-1] == RunEnded(findings)
    assert not [event for event in seen if isinstance(event, FindingsSoFar | CauseSuspected | CauseFound)]


def test_the_last_handler_may_stop_the_run_at_a_cause() -> None:
    seen: list[Event] = []

    def stop(event: Event) -> None:
        if isinstance(event, CauseSuspected):
            raise StopRun

    findings, diagnosis = run(WRONG, seen.append, stop)
    assert not findings.interrupted
    assert diagnosis.causes
    stopped = next(number for number, event in enumerate(seen) if isinstance(event, CauseSuspected))
    assert not [event for event in seen[stopped:] if isinstance(event, PhaseStarted)]
    assert seen[-1] == RunEnded(findings)
