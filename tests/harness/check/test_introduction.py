"""The first conversation: what is silent on a pipe is looked for elsewhere; a slow start is waited for."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import CommandRefusedError
from harness.check.bot.introduction import introduction_of
from harness.gtp import Launch, Limits

ENGINES = Path(__file__).parents[2] / "engines"
HOSTILE = ENGINES / "hostile.py"
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
        found = introduction_of(unflushed, look_after=0.5)
    assert found.speaks_only == "on a terminal"
    assert not found.answers_readable


def test_a_slow_start_is_waited_for_though_it_is_slow_elsewhere_too() -> None:
    seconds = 5.0
    with bot(str(HOSTILE), "late", "--at", "1", "--seconds", str(seconds), startup=NEVER) as slow:
        found = introduction_of(slow, look_after=0.1, second_wait=0.1)
    assert found.speaks_only == ""
    assert found.answers_readable
    assert found.greeting[0].seconds >= seconds
    assert [exchange.noise for exchange in found.greeting if exchange.noise] == []


def test_a_refusal_is_no_name(tmp_path: Path) -> None:
    words = (str(tmp_path / "log"), "name=?unknown command", "version=?unknown command")
    with bot(str(ENGINES / "scripted.py"), *words, startup=NEVER) as nameless:
        found = introduction_of(nameless)
    assert (found.name, found.version) == ("", "")
    assert found.has("genmove")


def test_a_bot_that_knows_every_name_has_the_commands_that_it_lists(tmp_path: Path) -> None:
    """Else it would be held to the private commands, and checked as the bot of 2008."""
    words = (str(tmp_path / "log"), "known_command=true", "undo=")
    with bot(str(ENGINES / "scripted.py"), *words, startup=NEVER) as knowing:
        found = introduction_of(knowing)
    assert found.has("undo")
    assert not found.has("ref-nodes")
    assert not found.has("time_settings")


def test_a_bot_that_is_silent_at_its_first_commands_is_asked_others() -> None:
    words = ("silent", "protocol_version", "name", "version")
    with bot(str(ENGINES / "odd_wire.py"), *words, startup=NEVER) as mute:
        found = introduction_of(mute, look_after=0.1)
        assert mute.chaser.mute == {b"protocol_version", b"name", b"version"}
    assert found.answers_readable
    assert found.has("genmove")


NAMELESS = """
import sys
for line in sys.stdin:
    command = line.split()[0]
    if command == "showboard":
        continue
    print("? unknown command" if command == "name" else "= 2", end="\\n\\n", flush=True)
    if command == "quit":
        break
"""


def test_a_refused_command_is_no_chaser() -> None:
    """Else no command of a bot that refuses `name` would be known as mute."""
    with bot("-c", NAMELESS, startup=NEVER) as nameless:
        introduction_of(nameless)
        nameless.ask_chased(b"showboard\n")
        assert nameless.chaser.mute == {b"showboard"}


SLOW_REFUSAL = """
import sys, time
for line in sys.stdin:
    command = line.split()[0]
    if command == "showboard":
        continue
    if command == "komi":
        time.sleep(2)
    print("? no" if command == "komi" else "= odd", end="\\n\\n", flush=True)
    if command == "quit":
        break
"""


def test_the_answer_to_the_chaser_is_no_success_of_the_mute_command() -> None:
    """Else a required command that the bot neither lists nor answers would not be reported as missing."""
    with bot("-c", SLOW_REFUSAL, startup=NEVER) as mute:
        introduction_of(mute)
        mute.ask_chased(b"showboard\n")
        assert "showboard" not in mute.obeyed
        assert "name" in mute.obeyed


def test_the_lines_before_a_slow_refusal_do_not_have_its_line() -> None:
    """The chaser is sent after the line, if a command of the bot is mute."""
    with bot("-c", SLOW_REFUSAL, startup=NEVER) as slow:
        slow.chaser.text = "odd"
        slow.ask_chased(b"showboard\n")
        with pytest.raises(CommandRefusedError) as refused:
            slow.set_up([b"boardsize 9\n", b"komi 5\n"])
    assert refused.value.before == (b"showboard\n", b"name\n", b"boardsize 9\n")
