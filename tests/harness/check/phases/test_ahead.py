"""Explorations beside the searches: a pass is the pass of the run, and nothing else counts."""

from __future__ import annotations

import math
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.profile import profile_of
from harness.check.model import Check, Confirmation, Judgement, Outcome
from harness.check.phases import runner
from harness.check.phases.ahead import Ahead, Errand
from harness.check.phases.findings import ALPHA, QUICK, Assignment, Findings
from harness.check.phases.runner import run_checks
from harness.check.phases.search_planner import SearchPlanner
from harness.gtp import Launch, Limits
from harness.suite.families.exploration import DIALOGUES, POSITIONS
from harness.suite.registry import select
from tests.parameters import slow_but

ENGINES = Path(__file__).parents[3] / "engines"
LIMITS = Limits(startup=120, answer=120)
EFFORT = replace(QUICK, seconds=math.inf, explored=6)
CHECKS = select(("gtp.explore", "ref.explore", "gtp.admin.name"))
EXPLORATIONS = (DIALOGUES, POSITIONS)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Nothing runs on. What has ended and was adopted by this process stays for it to collect."""
    before = running()
    yield
    deadline = time.monotonic() + 60.0  # a guard looks for what its engine left
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


def errand_with(bot: Bot) -> Errand:
    profile = profile_of(bot)
    none: frozenset[str] = frozenset()
    return Errand(bot.launch, bot.limits, bot.queues, profile, 50, 1, math.inf, 4, none, none)


def long_errand() -> Errand:
    with Bot(Launch(command()), LIMITS) as bot:
        return replace(errand_with(bot), explored=10_000)


def found(beside: bool, monkeypatch: pytest.MonkeyPatch, *switches: str) -> Findings:
    """A run with one instance, with or without a process for the explorations."""
    monkeypatch.setattr(runner, "usable_cores", lambda: 2 if beside else 1)
    monkeypatch.setattr(runner, "FAST", math.inf)
    monkeypatch.setattr(runner, "LEAST_EXPLORING", math.inf)  # however fast the machine is
    monkeypatch.setattr(runner, "default_instances", lambda *_: 2 if beside else 1)
    return run_checks(Assignment(Launch(command(*switches)), CHECKS, None, EFFORT, LIMITS, 3, None))


def judged(findings: Findings) -> list[tuple[str, Judgement, Confirmation]]:
    return [(result.check.id, result.judgement, result.confirmation) for result in findings.results]


def test_a_pass_is_the_one_that_the_run_would_have_found(monkeypatch: pytest.MonkeyPatch) -> None:
    examined: list[str] = []
    examine = runner._Run._examine

    def noted(run: runner._Run, check: Check, alpha: float = ALPHA) -> None:
        examined.append(check.id)
        examine(run, check, alpha)

    monkeypatch.setattr(runner._Run, "_examine", noted)
    ahead = found(True, monkeypatch)
    assert {"gtp.explore", "ref.explore"}.isdisjoint(examined)
    alone = found(False, monkeypatch)
    assert {"gtp.explore", "ref.explore"} <= set(examined)
    assert judged(ahead) == judged(alone)
    assert {result.outcome for result in ahead.results} == {Outcome.PASS}
    assert all(result.judgement.numbers["searches"] > 0 for result in ahead.results[-2:])


@pytest.mark.parametrize("fault", slow_but(["id-dropped"], ["komi-ignored", "id-dropped"]))
def test_a_deviation_is_found_again_and_confirmed_by_the_run(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead, alone = (found(beside, monkeypatch, "--fault", fault) for beside in (True, False))
    assert judged(ahead) == judged(alone)
    assert any(result.confirmation is Confirmation.CONFIRMED for result in ahead.results)


def test_a_bot_that_fails_leaves_it_to_the_run() -> None:
    with Bot(Launch(command()), LIMITS) as bot:
        errand = errand_with(bot)
    gone = replace(errand, launch=Launch("/no/such/bot"))
    with Ahead(EXPLORATIONS) as ahead:
        ahead.send(gone)
        assert [ahead.passed(check.id) for check in EXPLORATIONS] == [None, None]


def test_a_process_that_was_killed_leaves_it_to_the_run() -> None:
    with Bot(Launch(command()), LIMITS) as bot:
        errand = errand_with(bot)
    with Ahead(EXPLORATIONS) as ahead:
        ahead._process.kill()
        ahead._process.wait()
        ahead.send(errand)
        assert ahead.passed("gtp.explore") is None
        assert ahead.passed("ref.explore") is None


def test_what_was_never_sent_has_not_passed() -> None:
    with Ahead(EXPLORATIONS) as ahead:
        assert ahead.passed("gtp.explore") is None


def test_its_end_ends_its_bot() -> None:
    """At any moment: before the errand, in the start of the bot, in a session."""
    errand = long_errand()
    for seconds in (0.0, 0.5, 2.0):
        with Ahead(EXPLORATIONS) as ahead:
            ahead.send(errand)
            time.sleep(seconds)
    # `nothing_left` looks for processes


SCRIPT = """
import sys, time
from pathlib import Path
from typing import Any
from tests.harness.check.phases import test_ahead as here
ahead = here.Ahead(here.EXPLORATIONS)
ahead.send(here.long_errand())
print(ahead._process.pid, flush=True)
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
    gone, alive = psutil.wait_procs(family, timeout=60)
    assert alive == []
    assert len(gone) == len(family)


def test_nothing_is_explored_ahead_where_the_number_of_playouts_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    errands: list[Errand] = []
    monkeypatch.setattr(Ahead, "send", lambda _, errand: errands.append(errand))
    monkeypatch.setattr(runner, "usable_cores", lambda: 2)
    monkeypatch.setattr(runner, "FAST", math.inf)
    varying = shlex.join([sys.executable, str(ENGINES / "wrong_bots.py"), "playouts-vary", "--seed", "3"])
    findings = run_checks(Assignment(Launch(varying), CHECKS, None, EFFORT, LIMITS, 3, None))
    assert findings.count.playouts is None
    assert errands == []


def test_beside_a_slow_bot_its_process_ends_before_the_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    end, run = Ahead.end, SearchPlanner.run

    def noted_end(ahead: Ahead) -> None:
        end(ahead)
        events.append("end")

    def noted_run(planner: SearchPlanner, *given: Any) -> None:
        events.append("searches")
        run(planner, *given)

    monkeypatch.setattr(Ahead, "end", noted_end)
    monkeypatch.setattr(SearchPlanner, "run", noted_run)
    monkeypatch.setattr(runner, "usable_cores", lambda: 2)
    monkeypatch.setattr(runner, "FAST", 0.0)
    checks = select(("ref.score.mean", "gtp.explore", "ref.explore"))
    findings = run_checks(Assignment(Launch(command()), checks, None, EFFORT, LIMITS, 3, None))
    assert events == ["end", "searches", "end"]
    assert {result.outcome for result in findings.results} == {Outcome.PASS}


def test_a_bot_of_one_process_at_a_time_conforms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "usable_cores", lambda: 2)
    monkeypatch.setattr(runner, "FAST", math.inf)
    monkeypatch.setattr(runner, "default_instances", lambda *_: 2)
    lone = shlex.join(
        [sys.executable, str(ENGINES / "one_at_a_time.py"), f"conform-test-{os.getpid()}", "--playouts", "50"]
    )
    searching = ("ref.score.mean", "ref.fresh.clock", "ref.fresh.processes", "gtp.frame.quit")
    checks = select((*searching, "gtp.explore", "ref.explore"))
    findings = run_checks(Assignment(Launch(lone), checks, None, EFFORT, LIMITS, 3, None))
    outcomes = {result.check.id: result.outcome for result in findings.results}
    assert outcomes.pop("ref.fresh.clock") is Outcome.SKIP
    assert set(outcomes.values()) == {Outcome.PASS}
    assert findings.instances == 1
