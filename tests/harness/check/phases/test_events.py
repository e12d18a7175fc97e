"""A run as a stream of events: its order, its end, and an interrupt at any moment. No process is started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import UnusableBotError
from harness.check.effort import QUICK
from harness.check.model import Outcome, Phase
from harness.check.phases.events import (
    BotIdentified,
    CheckEnded,
    CheckRepeated,
    CheckStarted,
    Event,
    PhaseStarted,
    PlayoutsFound,
    ProfileChosen,
    RunEnded,
    RunStarted,
    SearchesMade,
)
from harness.check.phases.findings import Findings
from harness.check.phases.machine import Machine
from harness.check.phases.progress import ProgressMeter
from harness.check.phases.run import INTERRUPTED, StopRun, check_bot, findings_of, follow, phases_of
from harness.check.phases.settings import RunSettings
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import CHECKS, select

OCCUPIED = "gtp.play.occupied"
SOME = select(("gtp.admin.name", OCCUPIED, "gtp.frame.quit", "ref.nodes.three", "ref.eye.edge"))
EFFORT = replace(QUICK, seconds=1e9)
ONE_CORE = Machine(cores=lambda: 1, instances=lambda *_: 1)


def settings(bot: Bot) -> RunSettings:
    return RunSettings(bot.launch, SOME, 100, EFFORT, seed=3)


def events(*switches: str) -> list[Event]:
    seen: list[Event] = []
    with HostedBot(*switches) as bot:
        follow(check_bot(bot, settings(bot), ONE_CORE), seen.append)
    return seen


def kinds(seen: Sequence[Event], *wanted: type[Event]) -> list[type[Event]]:
    return [type(event) for event in seen if isinstance(event, wanted)]


def ended(seen: Sequence[Event]) -> list[str]:
    return [event.result.check.id for event in seen if isinstance(event, CheckEnded)]


def test_a_run_begins_and_ends_once_and_ends_each_check() -> None:
    seen = events()
    assert kinds(seen, RunStarted, BotIdentified, PlayoutsFound, RunEnded) == [
        RunStarted,
        BotIdentified,
        PlayoutsFound,
        RunEnded,
    ]
    assert isinstance(seen[0], RunStarted)
    assert isinstance(seen[-1], RunEnded)
    assert sorted(ended(seen)) == sorted(check.id for check in SOME)
    phases = [event.name for event in seen if isinstance(event, PhaseStarted)]
    assert phases == [phase.name for phase in phases_of(SOME)]


def test_the_findings_are_those_of_the_events() -> None:
    seen = events("eye-edge-as-centre")
    (last,) = (event for event in seen if isinstance(event, RunEnded))
    results = {e.result.check.id: e.result.judgement for e in seen if isinstance(e, CheckEnded)}
    assert {r.check.id: r.judgement for r in last.findings.results} == results
    assert results["ref.eye.edge"].outcome is Outcome.FAIL


def test_a_must_that_fails_is_repeated_before_it_ends() -> None:
    seen = events("play-never-refuses")
    (repeated,) = (n for n, event in enumerate(seen) if isinstance(event, CheckRepeated))
    (began,) = (n for n, e in enumerate(seen) if isinstance(e, CheckStarted) and e.check.id == OCCUPIED)
    (end,) = (n for n, e in enumerate(seen) if isinstance(e, CheckEnded) and e.result.check.id == OCCUPIED)
    assert began < repeated < end


class NeverStarts(HostedBot):
    def running_engine(self) -> HostedEngine:  # type: ignore[override]  # as HostedBot's
        raise UnusableBotError("no such program")


def test_a_bot_that_cannot_be_used_ends_the_run_at_once() -> None:
    seen: list[Event] = []
    with NeverStarts() as bot:
        follow(check_bot(bot, settings(bot), ONE_CORE), seen.append)
    assert [type(event) for event in seen] == [RunStarted, RunEnded]
    assert isinstance(seen[-1], RunEnded)
    assert seen[-1].findings.unusable == "no such program"


def interrupted_at(
    number: int, interrupt: type[KeyboardInterrupt] = KeyboardInterrupt
) -> tuple[Findings, list[Event]]:
    """The findings of a run that is interrupted while a handler takes its event of this number."""
    seen: list[Event] = []

    def handle(event: Event) -> None:
        seen.append(event)
        if len(seen) == number + 1:
            raise interrupt

    with HostedBot() as bot:
        return findings_of(check_bot(bot, settings(bot), ONE_CORE), handle), seen


def test_an_interrupt_in_a_handler_keeps_what_has_ended() -> None:
    whole = {e.result.check.id: e.result.judgement for e in events() if isinstance(e, CheckEnded)}
    total = len(events())
    for number in range(3, total - 1):  # from the first phase on
        findings, seen = interrupted_at(number)
        assert findings.interrupted
        assert isinstance(seen[-1], RunEnded)
        assert [result.check for result in findings.results] == list(SOME)
        before = ended(seen[: number + 1])
        for result in findings.results:
            if result.check.id in before:
                assert result.judgement == whole[result.check.id]
            else:
                assert result.judgement.observed in (INTERRUPTED, whole[result.check.id].observed) or (
                    result.check.procedure.phase is Phase.SEARCH
                )


def test_a_handler_that_stops_a_run_does_not_interrupt_it() -> None:
    total = len(events())
    for number in range(3, total - 1):
        stopped, seen = interrupted_at(number, StopRun)
        interrupted, same = interrupted_at(number)
        assert (stopped.interrupted, interrupted.interrupted) == (False, True)
        assert [type(event) for event in seen] == [type(event) for event in same]
        assert [r.judgement for r in stopped.results] == [r.judgement for r in interrupted.results]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_an_interrupt_before_the_first_phase_reaches_the_caller(number: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted_at(number)


SHOWN = RunStarted | ProfileChosen | CheckStarted | CheckRepeated | SearchesMade


def test_the_meter_counts_what_has_ended() -> None:
    meter = ProgressMeter()
    for event in events("play-never-refuses"):
        before = meter.progress
        shows = meter.handle(event)
        assert shows is isinstance(event, SHOWN)
        assert shows or meter.progress == before
    assert meter.progress.total == len(SOME)
    assert meter.progress.failures == 1


def test_the_phases_hold_every_check_once() -> None:
    held: list[str] = []
    for phase in phases_of(CHECKS):
        held += [check.id for check in getattr(phase, "checks", ())]
    assert sorted(held) == sorted(check.id for check in CHECKS)
