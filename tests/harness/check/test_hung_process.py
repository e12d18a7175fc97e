"""A process that hangs, and one that a busy machine delays: what they do with the processor differs."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.load import MOST_WAITS, Processor, processor_seconds, stands_still
from harness.check.model import Outcome
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.gtp import Engine, Launch, Limits
from harness.suite.registry import select

LIMITS = Limits(startup=60.0, answer=60.0, quit=0.1, terminate=0.1, reap=60.0)
ANSWERS = (
    "import sys, time\n"
    "texts = {'name': 'x', 'version': '1', 'protocol_version': '2', 'known_command': 'false',\n"
    "    'genmove': 'pass', 'list_commands': 'name\\nversion\\nprotocol_version\\nlist_commands\\nquit'}\n"
    "for line in sys.stdin:\n"
    "    command = line.split()[0]\n"
    "    print('=', texts.get(command, ''), end='\\n\\n', flush=True)\n"
    "    if command == 'quit': break\n"
)
SLEEPS, LOOPS = "time.sleep(1000)\n", "while True: pass\n"


def engine(end: str, answers: str = ANSWERS) -> str:
    return shlex.join([sys.executable, "-S", "-E", "-c", answers + end])


class BusyMachine(Processor):
    """A busy machine, with scripted processor seconds of the bot's process; None for the real ones."""

    def __init__(self, readings: Iterable[float] | None = None) -> None:
        self.readings: Iterator[float] | None = None if readings is None else iter(readings)

    def machine_is_busy(self) -> bool:
        return True

    def seconds(self, engine: Engine) -> float | None:
        return super().seconds(engine) if self.readings is None else next(self.readings)

    def stands_still(self, engine: Engine) -> bool:
        return super().stands_still(engine) if self.readings is None else False


def on_busy_machine(command: str, limits: Limits = LIMITS, readings: Iterable[float] | None = None) -> Bot:
    return Bot(Launch(command), limits, BusyMachine(readings))


@pytest.mark.parametrize("check", ["gtp.frame.quit", "gtp.frame.eof"])
def test_a_process_that_sleeps_on_has_hung_however_busy_the_machine_is(check: str) -> None:
    with on_busy_machine(engine(SLEEPS)) as bot:
        (result,) = findings_of(check_bot(bot, RunSettings(bot.launch, select([check]), 1))).results
    assert result.outcome is Outcome.TIMEOUT


def test_a_process_that_gets_a_whole_limit_from_the_processor_loops() -> None:
    """It is waited for until it got that, though the machine gives it only half."""
    readings = iter([1.0, 1.05, 1.1, 1.5])
    with on_busy_machine(engine(LOOPS), readings=readings) as bot:
        assert bot.ask(b"name\n").ok
        bot.end_input()
        assert bot.await_end().ending == "timeout"
        assert next(readings) == 1.5
        assert not bot.load_excuses_silence()


def test_a_process_that_gets_too_little_from_the_processor_is_excused() -> None:
    with on_busy_machine(engine(LOOPS), readings=[1.0] * (MOST_WAITS + 1)) as bot:
        assert bot.ask(b"name\n").ok
        bot.end_input()
        assert bot.await_end().ending == "timeout"
        assert not bot.hung
        assert bot.load_excuses_silence()


def test_a_silent_answer_of_a_process_that_does_nothing_is_its_own_fault() -> None:
    silent = ANSWERS.replace("    print(", "    if command == 'name': print(")
    with on_busy_machine(engine("", silent), replace(LIMITS, answer=0.1)) as bot:
        bot.times.now = replace(bot.limits, startup=60.0)
        assert bot.ask(b"name\n").ok
        with pytest.raises(BotInterruptedError):
            bot.ask(b"version\n", 0.1)
        assert not bot.load_excuses_silence()


def test_a_process_whose_input_has_ended_is_asked_nothing() -> None:
    """It cannot answer: to ask it whether another may run beside it would take both limits of a start."""
    with on_busy_machine(engine(SLEEPS), replace(LIMITS, startup=1.0, answer=1.0)) as bot:
        bot.processes.prepares = True
        assert bot.ask(b"name\n", 60.0).ok
        bot.end_input()
        bot.fresh()
        assert bot.processes.prepares
        assert bot.ask(b"name\n", 60.0).ok


@pytest.mark.parametrize(
    ("script", "still"), [("import time; time.sleep(1000)", True), ("while True: pass", False)]
)
def test_what_a_process_does_is_seen(script: str, still: bool) -> None:
    words = [
        sys.executable,
        "-S",
        "-E",
        "-c",
        f"print(flush=True); {script}" if still else f"print(flush=True)\n{script}",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            assert (
                any(stands_still(process.pid) for _ in range(100)) is still
                if still
                else not stands_still(process.pid)
            )
            assert processor_seconds(process.pid) is not None
        finally:
            process.kill()


def test_nothing_is_known_of_a_process_that_has_ended() -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    assert processor_seconds(process.pid) is None
    assert not stands_still(process.pid)


@pytest.mark.parametrize("check", ["gtp.frame.quit", "gtp.frame.eof"])
def test_an_answer_to_nothing_at_the_end_is_a_failure_and_no_silence(check: str) -> None:
    answers_again = "print('= bye', end='\\n\\n', flush=True)\n"
    with Bot(Launch(engine(answers_again + SLEEPS)), LIMITS) as bot:
        (result,) = findings_of(check_bot(bot, RunSettings(bot.launch, select([check]), 1))).results
    assert result.outcome is Outcome.FAIL
    assert result.judgement.observed.endswith("more output: = bye")
