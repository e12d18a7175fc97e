"""How many cores a bot uses, by the processor time of its processes."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.load import LoadMeter
from harness.check.phases.machine import MOST_INSTANCES, ONE_CORE, _cores_used, default_instances
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
        assert 0.0 < _cores_used(bot) <= ONE_CORE


def test_a_bot_that_does_not_answer_counts_as_one_that_uses_none() -> None:
    with Bot(Launch("true"), Limits()) as bot:
        assert _cores_used(bot) == 0.0


def test_there_is_an_instance_at_least_and_not_more_than_the_most(program: str) -> None:
    with Bot(Launch(program), Limits()) as bot:
        assert 1 <= default_instances(bot, LoadMeter()) <= MOST_INSTANCES
