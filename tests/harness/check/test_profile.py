"""The first conversation: what is silent on a pipe is looked for elsewhere; a slow start is waited for."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from harness.check.bot.bot import Bot
from harness.check.bot.profile import profile_of
from harness.gtp import Launch, Limits

HOSTILE = Path(__file__).parents[2] / "engines" / "hostile.py"
UNFLUSHED = """
import sys
for line in sys.stdin:
    print("= 2", end="\\n\\n")
"""
NEVER = 600.0
"""Seconds: longer than a test may take."""


def bot(*words: str, startup: float) -> Bot:
    return Bot(Launch(shlex.join([sys.executable, "-S", "-E", *words])), Limits(startup=startup))


def test_answers_that_wait_in_a_buffer_are_not_waited_for() -> None:
    """They come on a terminal: the pipe need not be silent for the whole time of a start."""
    with bot("-c", UNFLUSHED, startup=NEVER) as unflushed:
        found = profile_of(unflushed, look_after=0.5)
    assert found.speaks_only == "on a terminal"
    assert not found.answers_readable


def test_a_slow_start_is_waited_for_though_it_is_slow_elsewhere_too() -> None:
    seconds = 5.0
    with bot(str(HOSTILE), "late", "--at", "1", "--seconds", str(seconds), startup=NEVER) as slow:
        found = profile_of(slow, look_after=0.1, second_wait=0.1)
    assert found.speaks_only == ""
    assert found.answers_readable
    assert found.greeting[0].seconds >= seconds
    assert [exchange.noise for exchange in found.greeting if exchange.noise] == []
