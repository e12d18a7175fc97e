"""How many cores a bot uses, by the processor time of its processes."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.load import LoadMeter, delayed_seconds
from harness.check.phases.machine import (
    MOST_INSTANCES,
    ONE_CORE,
    WAITING_CORES,
    WAITING_INSTANCES,
    cores_used,
    default_instances,
)
from harness.gtp import Launch, Limits

BOT = """
import sys, time
for line in sys.stdin:
    if line.startswith("genmove"):
        until = time.process_time() + 0.005
        while time.process_time() < until:
            pass
    print("= pass\\n", flush=True)
"""

SLEEPS = """
import sys, time
for line in sys.stdin:
    if line.startswith("genmove"):
        time.sleep(0.3)
    print("= pass\\n", flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return shlex.join([sys.executable, str(path)])


@pytest.mark.parametrize("behind_shell", [False, True])
def test_a_bot_that_computes_uses_some_of_one_core(program: str, behind_shell: bool) -> None:
    """Behind a shell that waits, the processor time is that of a child."""
    command = shlex.join(["sh", "-c", f"{program}; true"]) if behind_shell else program
    with Bot(Launch(command), Limits()) as bot:
        measured = cores_used(bot)
    assert measured is not None
    assert 0.0 < measured.used <= ONE_CORE
    assert measured.wanted is None or measured.wanted >= measured.used


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts how long a thread waits for a core")
def test_threads_that_end_while_they_are_read_leave_the_others() -> None:
    stopped = Event()

    def start_threads() -> None:
        while not stopped.is_set():
            Thread(target=int).start()

    starter = Thread(target=start_threads)
    starter.start()
    read = [delayed_seconds(os.getpid()) for _ in range(300)]
    stopped.set()
    starter.join()
    assert None not in read


def test_a_bot_that_does_not_answer_cannot_be_measured() -> None:
    with Bot(Launch("true"), Limits()) as bot:
        assert cores_used(bot) is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts how long a thread waits for a core")
@pytest.mark.parametrize("waits", [True, False])
def test_more_processes_of_a_bot_that_waits_search_side_by_side(tmp_path: Path, waits: bool) -> None:
    """A bot that computes all the time wants a core, whether it gets one or not."""
    path = tmp_path / "bot.py"
    path.write_text(SLEEPS if waits else BOT.replace("0.005", "0.3"))
    with Bot(Launch(shlex.join([sys.executable, str(path)])), Limits()) as bot:
        measured = cores_used(bot)
        assert measured is not None
        assert measured.wanted is not None
        assert (measured.wanted < WAITING_CORES) is waits
        bot.set_up([b"clear_board\n"])
        for _ in range(3):
            bot.ask(b"genmove b\n")
        assert not waits or default_instances(bot, LoadMeter()) >= WAITING_INSTANCES


def test_there_is_an_instance_at_least_and_not_more_than_the_most(program: str) -> None:
    with Bot(Launch(program), Limits()) as bot:
        assert 1 <= default_instances(bot, LoadMeter()) <= MOST_INSTANCES
