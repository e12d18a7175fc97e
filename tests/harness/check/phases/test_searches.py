"""The phase of searches says what it has found while it searches, and leaves time for the phase after it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest

from harness.check.effort import QUICK, STANDARD
from harness.check.model import Confirmation, Outcome, Phase
from harness.check.phases.events import Event, FailureSeen, FindingsSoFar, RunEnded, SearchesMade
from harness.check.phases.machine import Machine
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.diagnosis.diagnose import diagnose
from harness.gtp import parse_vertex
from harness.report.text.playouts import drawn_probe
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import select
from tests.hosted import hosted_by
from tests.parameters import thorough_but
from tests.thorough import Mutant

CHECKS = select(("ref.choice.0*", "ref.choice.midgame*", "ref.eye.*", "gtp.frame.multi-space"))


def quick_machine() -> Machine:
    """A machine on which seconds pass between any two looks at the clock."""
    ticks = count(time.monotonic(), 20.0)
    return Machine(now=lambda: next(ticks))


def events(*switched: str, seconds: float = 1e9) -> Iterator[Event]:
    with HostedBot(*switched, seed=3, playouts=100) as bot:
        settings = RunSettings(bot.launch, CHECKS, 100, replace(QUICK, seconds=seconds), seed=3)
        yield from check_bot(bot, settings, quick_machine())


@pytest.mark.parametrize(
    "fault",
    thorough_but(
        ("eye-edge-as-centre",),
        ["eye-edge-as-centre", "amaf-both-colours"],
        Mutant(
            "harness/check/phases/searches.py",
            "if len(self._seen) > self._diagnosed and now >= self._next_findings:",
            "if False:",
            "tests/harness/check/phases/test_searches.py::"
            "test_a_cause_is_known_before_the_searches_end[eye-edge-as-centre]",
        ),
    ),
)
def test_a_cause_is_known_before_the_searches_end(fault: str) -> None:
    found = list(events(fault))
    first = next(number for number, event in enumerate(found) if isinstance(event, FindingsSoFar))
    last = max(number for number, event in enumerate(found) if isinstance(event, SearchesMade))
    assert first < last
    so_far = found[first]
    assert isinstance(so_far, FindingsSoFar)
    assert diagnose(so_far.findings).causes
    seen = [event.result.check.id for event in found[:first] if isinstance(event, FailureSeen)]
    assert seen
    ended = found[-1]
    assert isinstance(ended, RunEnded)
    outcomes = {result.check.id: result.outcome for result in ended.findings.results}
    assert {outcomes[check] for check in seen} == {Outcome.FAIL}


def test_a_right_bot_has_no_failures_on_the_way() -> None:
    assert not [event for event in events() if isinstance(event, FailureSeen | FindingsSoFar)]


@pytest.mark.parametrize("seconds", [500.0, 1000.0])
def test_searches_without_end_leave_time_for_the_checks_after_them(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine whose clock goes on by a second with each look at it."""
    clock = map(float, count())
    checks = select(("gtp.frame.*", "ref.choice.0*", "ref.empty.*"))
    with monkeypatch.context() as patched, HostedBot(seed=3, playouts=100) as bot:
        patched.setattr("time.monotonic", lambda: next(clock))
        settings = RunSettings(bot.launch, checks, 100, replace(STANDARD, seconds=seconds))
        findings = findings_of(check_bot(bot, settings, Machine(now=lambda: next(clock))))
    open_phases = {
        result.check.procedure.phase for result in findings.results if result.outcome is Outcome.INCONCLUSIVE
    }
    assert open_phases == {Phase.SEARCH}


class LosesMovesOnTheRight(HostedEngine):
    """Counts a move less in each playout if its last move is on the right edge of the board."""

    moved_right = False

    def _take(self, line: bytes) -> None:
        before = len(self.output)
        super()._take(line)
        answer = bytes(self.output[before:])
        if line.startswith(b"genmove"):
            self.moved_right = answer.startswith(b"= J")
        elif line == b"ref-nodes\n" and self.moved_right:
            self.output[before:] = b"= %d\n\n" % (int(answer[1:]) - self.server.session.searcher.playouts)


def test_a_failure_that_is_not_repeated_is_reported_under_its_symmetry_too() -> None:
    """The clock of this machine leaves no time to repeat it."""
    with hosted_by(LosesMovesOnTheRight) as bot:
        settings = RunSettings(bot.launch, select(("ref.nodes.three",)), 100, replace(QUICK, seconds=1e9))
        (result,) = findings_of(check_bot(bot, settings, quick_machine())).results
    assert (result.outcome, result.confirmation) == (Outcome.FAIL, Confirmation.NOT_TRIED)
    plan = result.check.procedure.search_plan
    assert plan is not None
    assert plan.shown.position.draw() != plan.probe.position.draw()
    assert result.lines[: len(plan.shown.setup())] == plan.shown.setup()


def test_a_failure_under_one_symmetry_is_repeated_and_reported_under_it() -> None:
    with hosted_by(LosesMovesOnTheRight) as bot:
        settings = RunSettings(bot.launch, select(("ref.nodes.three",)), 100, QUICK)
        (result,) = findings_of(check_bot(bot, settings, Machine())).results
    assert (result.outcome, result.confirmation) == (Outcome.FAIL, Confirmation.CONFIRMED)
    plan = result.check.procedure.search_plan
    assert plan is not None
    assert result.lines[: len(plan.shown.setup())] == plan.shown.setup()
    neutral = parse_vertex("J5", 9)
    assert neutral is not None
    assert plan.shown.position.at(neutral) is None
    drawn = drawn_probe(result.check, plan).position.draw()
    assert drawn == plan.shown.position.draw() != plan.probe.position.draw()
