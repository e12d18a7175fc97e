"""Explorations beside the searches: a pass is the pass of the run, and nothing else counts."""

from __future__ import annotations

import math
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.introduction import introduction_of
from harness.check.bot.session import Known
from harness.check.effort import QUICK, Effort
from harness.check.model import Check, Confirmation, Judgement, Outcome
from harness.check.phases.background_explorer import BackgroundExplorer, ExplorationRequest, _passing
from harness.check.phases.events import CheckStarted, Event, SearchesMade
from harness.check.phases.findings import Findings
from harness.check.phases.machine import Machine
from harness.check.phases.run import Events, findings_of, run_check
from harness.check.phases.settings import Pace, RunSettings
from harness.check.verdict import verdict
from harness.gtp import Launch, Limits
from harness.selftest.hosted_bot import HostedBot
from harness.suite.families.last_phases import DIALOGUES, POSITIONS
from harness.suite.registry import select

ENGINES = Path(__file__).parents[3] / "engines"
LIMITS = Limits(startup=120, answer=120)
EFFORT = replace(QUICK, seconds=math.inf, explored=3)
CHECKS = select(("gtp.explore", "ref.explore", "gtp.admin.name"))
EXPLORATIONS = (DIALOGUES, POSITIONS)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Nothing runs on. What has ended and was adopted by this process stays for it to collect."""
    before = running()
    yield
    deadline = time.monotonic() + 600.0  # a guard looks for what its engine left
    while running() - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert running() - before == set()


def running() -> set[psutil.Process]:
    found = psutil.Process().children(recursive=True)
    return {one for one in found if one.is_running() and one.status() != psutil.STATUS_ZOMBIE}


def command(*switches: str) -> str:
    return shlex.join(
        [sys.executable, "-m", "refbot.cli", "gtp", "--playouts", "50", "--seed", "1", *switches]
    )


PURE = shlex.join([sys.executable, str(ENGINES / "pure_bot.py"), "--playouts", "5", "--seed", "1"])
"""A right bot that starts in a tenth of the processor time of refbot."""


def request_for(bot: Bot, sessions: int = 4) -> ExplorationRequest:
    known = Known(introduction=introduction_of(bot), playouts=50, effort=Effort(explored=sessions))
    return ExplorationRequest(bot.launch, bot.limits, bot.queues, known)


def long_request() -> ExplorationRequest:
    with Bot(Launch(PURE), LIMITS) as bot:
        return request_for(bot, sessions=10_000)


def machine(cores: int, seen: list[str]) -> Machine:
    """A machine with this number of idle cores, which notes in `seen` what its explorer does."""
    return Machine(cores=lambda: cores, instances=lambda *_: cores, explorer=partial(Noted, seen))


ALWAYS = Pace(fast_search=math.inf, least_exploring=math.inf)
"""The explorations are held beside the rest of the run, and end, however fast this machine is."""


def events_of(
    command: str,
    checks: Sequence[Check] = CHECKS,
    cores: int = 2,
    pace: Pace = ALWAYS,
    seen: list[str] | None = None,
) -> Events:
    """A run with one instance, with or without a process for the explorations."""
    settings = RunSettings(Launch(command), checks, None, EFFORT, LIMITS, 3, None, pace)
    return run_check(settings, machine(cores, [] if seen is None else seen))


def found(beside: bool, *switches: str) -> tuple[Findings, set[str]]:
    """The findings, and the checks that the run itself made."""
    made: set[str] = set()

    def note(event: Event) -> None:
        if isinstance(event, CheckStarted):
            made.add(event.check.id)

    bot = command(*switches) if switches else PURE
    findings = findings_of(events_of(bot, cores=2 if beside else 1), note)
    return findings, made


def judged(findings: Findings) -> list[tuple[str, Judgement, Confirmation]]:
    return [(result.check.id, result.judgement, result.confirmation) for result in findings.results]


def test_a_pass_is_the_one_that_the_run_would_have_found() -> None:
    beside, made = found(True)
    assert {"gtp.explore", "ref.explore"}.isdisjoint(made)
    alone, made_alone = found(False)
    assert {"gtp.explore", "ref.explore"} <= made_alone
    assert judged(beside) == judged(alone)
    assert {result.outcome for result in beside.results} == {Outcome.PASS}
    assert all(result.judgement.numbers["searches"] > 0 for result in beside.results[-2:])


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["komi-ignored", "id-dropped"])
def test_a_deviation_is_found_again_and_confirmed_by_the_run(fault: str) -> None:
    (beside, _), (alone, _) = (found(where, "--fault", fault) for where in (True, False))
    assert judged(beside) == judged(alone)
    assert any(result.confirmation is Confirmation.CONFIRMED for result in beside.results)


@pytest.mark.parametrize(("switched", "passes"), [((), True), (("id-dropped",), False)])
def test_only_a_pass_stands_for_the_run(switched: tuple[str, ...], passes: bool) -> None:
    with HostedBot(*switched, playouts=50) as bot:
        assert (_passing(bot, request_for(bot, sessions=3), DIALOGUES) is not None) is passes


def test_a_bot_that_fails_leaves_it_to_the_run() -> None:
    with Bot(Launch(PURE), LIMITS) as bot:
        request = request_for(bot)
    gone = replace(request, launch=Launch("/no/such/bot"))
    with BackgroundExplorer(EXPLORATIONS) as explorer:
        explorer.send(gone)
        assert [explorer.await_pass(check.id) for check in EXPLORATIONS] == [None, None]


def test_a_process_that_was_killed_leaves_it_to_the_run() -> None:
    with Bot(Launch(PURE), LIMITS) as bot:
        request = request_for(bot)
    with BackgroundExplorer(EXPLORATIONS) as explorer:
        explorer._process.kill()
        explorer._process.wait()
        explorer.send(request)
        assert explorer.await_pass("gtp.explore") is None
        assert explorer.await_pass("ref.explore") is None


def test_what_was_never_sent_has_not_passed() -> None:
    with BackgroundExplorer(EXPLORATIONS) as explorer:
        assert explorer.await_pass("gtp.explore") is None


def test_its_end_ends_its_bot() -> None:
    """At any moment: before the request, in the start of the bot, in a session."""
    request = long_request()
    for seconds in (0.0, 0.3, 1.0):
        with BackgroundExplorer(EXPLORATIONS) as explorer:
            explorer.send(request)
            time.sleep(seconds)
    # `nothing_left` looks for processes


SCRIPT = """
import sys, time
from pathlib import Path
from tests.harness.check.phases import test_background_explorer as here
explorer = here.BackgroundExplorer(here.EXPLORATIONS)
explorer.send(here.long_request())
print(explorer._process.pid, flush=True)
time.sleep(600)
"""


def test_it_ends_with_a_harness_that_is_killed() -> None:
    root = Path(__file__).parents[4]
    script = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, cwd=root)
    assert script.stdout is not None
    with script:
        beside = psutil.Process(int(script.stdout.readline()))
        while not beside.children():  # its bot and the bot's guard
            time.sleep(0.05)
        family = [beside, *beside.children(recursive=True)]
        os.kill(script.pid, signal.SIGKILL)
    gone, alive = psutil.wait_procs(family, timeout=600)
    assert alive == []
    assert len(gone) == len(family)


class Noted(BackgroundExplorer):
    """Notes its end and its request in `seen`, in order."""

    def __init__(self, seen: list[str], checks: Sequence[Check]) -> None:
        super().__init__(checks)
        self._seen = seen

    def end(self) -> None:
        super().end()
        self._seen.append("end")

    def send(self, request: ExplorationRequest) -> None:
        self._seen.append("request")
        super().send(request)


VARYING = """
import sys
sys.path.insert(0, sys.argv.pop(1))
import pure_bot

class Varying(pure_bot.Engine):
    def search(self, colour):
        usual = self.playouts
        self.playouts += self.dice.randrange(usual)
        rates = super().search(colour)
        self.playouts = usual
        return rates

pure_bot.Engine = Varying
pure_bot.NAMES = tuple(name for name in pure_bot.NAMES if name != "ref-playouts")
pure_bot.main()
"""


def test_nothing_is_explored_beside_where_the_number_of_playouts_is_unknown() -> None:
    seen: list[str] = []
    varying = shlex.join([sys.executable, "-c", VARYING, str(ENGINES), "--playouts", "50", "--seed", "3"])
    checks = select(("gtp.admin.name", "ref.nodes.three", "ref.eye.edge", "gtp.explore", "ref.explore"))
    findings = findings_of(events_of(varying, checks, seen=seen))
    assert (findings.count.playouts, findings.count.source) == (None, "unknown")
    assert "after playouts of 3 moves" in findings.count.reason
    assert verdict(findings) == "inconclusive"
    assert "request" not in seen


def test_beside_a_slow_bot_its_process_ends_before_the_searches() -> None:
    seen: list[str] = []
    checks = select(("ref.score.mean", "gtp.explore", "ref.explore"))

    def note(event: Event) -> None:
        if isinstance(event, SearchesMade):
            seen.append("searches")

    findings = findings_of(events_of(PURE, checks, pace=Pace(fast_search=0.0), seen=seen), note)
    assert seen[:2] == ["end", "searches"]
    assert "request" not in seen
    assert {result.outcome for result in findings.results} == {Outcome.PASS}


def test_a_bot_of_one_process_at_a_time_conforms() -> None:
    lone = shlex.join(
        [sys.executable, str(ENGINES / "one_at_a_time.py"), f"conform-test-{os.getpid()}", "--playouts", "20"]
    )
    searching = ("ref.score.mean", "ref.fresh.clock", "ref.fresh.processes", "gtp.frame.quit")
    checks = select((*searching, "gtp.explore", "ref.explore"))
    findings = findings_of(events_of(lone, checks))
    outcomes = {result.check.id: result.outcome for result in findings.results}
    assert outcomes.pop("ref.fresh.clock") is Outcome.SKIP
    assert set(outcomes.values()) == {Outcome.PASS}
    assert findings.instances == 1
