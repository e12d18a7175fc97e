"""The next process of a bot is started while one is in use."""

from __future__ import annotations

import contextlib
import shlex
import sys
import time
from pathlib import Path

import psutil
import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import UnusableBotError
from harness.gtp import Engine, Launch, Limits, ShortageError

BOT = """
import os, sys
with open(sys.argv[1], "a") as log:
    print(os.getpid(), file=log)
for line in sys.stdin:
    if line == "end\\n":
        break
    print(f"= {os.getpid()}\\n", flush=True)
    if line == "quit\\n":
        break
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The numbers of the processes that were started, one a line."""
    return tmp_path / "starts"


@pytest.fixture
def bot(tmp_path: Path, log: Path) -> Bot:
    program = tmp_path / "bot.py"
    program.write_text(BOT)
    bot = Bot(Launch(shlex.join([sys.executable, str(program), str(log)])), Limits())
    bot.processes.prepares = True
    return bot


def number(bot: Bot) -> int:
    return int(bot.ask(b"name\n").text)


def running(log: Path) -> set[int]:
    """The processes that the bot has noted in its log and that have not ended."""
    found = set()
    for number in map(int, log.read_text().split()):
        with contextlib.suppress(psutil.NoSuchProcess):
            if psutil.Process(number).status() != psutil.STATUS_ZOMBIE:
                found.add(number)
    return found


def first_and_next(bot: Bot, log: Path) -> tuple[int, int]:
    """The process in use, and the next one once it has come so far as to note itself."""
    first = number(bot)
    bot.processes.prepare()
    return first, started_ahead(log, first)


def started_ahead(log: Path, first: int) -> int:
    """The process that runs beside the first one."""
    while not (others := running(log) - {first}):
        time.sleep(0.01)
    (other,) = others
    return other


def test_the_next_process_is_there_before_it_is_needed_and_none_is_left(bot: Bot, log: Path) -> None:
    with bot:
        first, ahead = first_and_next(bot, log)
        bot.fresh()
        assert number(bot) == ahead
        bot.fresh()  # waits until the first one has ended
        number(bot)
        assert first not in running(log)
    assert running(log) == set()


def test_without_leave_no_process_is_started_ahead(bot: Bot, log: Path) -> None:
    bot.processes.prepares = False
    with bot:
        first = number(bot)
        bot.fresh()
        second = number(bot)
    assert [int(line) for line in log.read_text().split()] == [first, second]


def test_a_process_that_ended_before_it_was_needed_is_replaced(bot: Bot, log: Path) -> None:
    with bot:
        first, ahead = first_and_next(bot, log)
        psutil.Process(ahead).kill()
        while ahead in running(log):
            time.sleep(0.01)
        bot.fresh()
        assert number(bot) not in (first, ahead)
        assert bot.history == (b"name\n",)


def test_a_process_that_cannot_be_started_ahead_is_an_error_only_when_it_is_needed(
    bot: Bot, log: Path, tmp_path: Path
) -> None:
    program = tmp_path / "bot.sh"
    program.write_text(f"#!/bin/sh\nexec {bot.launch.command}\n")
    program.chmod(0o755)
    bot.processes.launch = Launch(str(program))
    with bot:
        first_and_next(bot, log)  # the shell has read its script
        program.unlink()
        bot.fresh()
        number(bot)  # by the process that was started ahead; the next one cannot be
        bot.fresh()
        with pytest.raises(UnusableBotError):
            number(bot)


ALONE = """
import os, signal, sys
path = sys.argv[1] + ".held"
try:
    held = int(open(path).read())
    os.kill(held, 0)
except (OSError, ValueError):
    held = 0
if held and sys.argv[2] == "refuse":
    sys.exit(1)
if held:
    os.kill(held, signal.SIGKILL)
with open(path, "w") as file:
    file.write(str(os.getpid()))
"""


@pytest.fixture(params=["refuse", "kill"])
def lone_bot(request: pytest.FixtureRequest, tmp_path: Path, log: Path) -> Bot:
    """A bot of which one process runs at a time: the second one ends, or it ends the first."""
    program = tmp_path / "lone_bot.py"
    program.write_text(ALONE + BOT)
    bot = Bot(Launch(shlex.join([sys.executable, str(program), str(log), request.param])), Limits())
    bot.processes.prepares = True
    return bot


def test_a_bot_of_one_process_at_a_time_is_found_out_and_goes_on(lone_bot: Bot, log: Path) -> None:
    with lone_bot as bot:
        assert not bot.allows_two_instances()
        assert not bot.processes.prepares
        first = number(bot)
        bot.fresh()
        assert number(bot) != first
        assert running(log) == {number(bot)}
    assert running(log) == set()


def test_the_second_process_of_a_bot_is_the_next_one(bot: Bot, log: Path) -> None:
    with bot:
        assert bot.allows_two_instances()
        assert bot.take_record() == ()
        first = number(bot)
        (second,) = running(log) - {first}
        bot.fresh()
        assert number(bot) == second


def test_a_second_process_that_was_not_asked_for_ends(bot: Bot, log: Path) -> None:
    bot.processes.prepares = False
    with bot:
        assert bot.allows_two_instances()
        assert running(log) == {number(bot)}


def kept_instance(bot: Bot) -> int:
    """The number of the process of an instance that the bot keeps."""
    other = bot.another_instance(1)
    process = number(other)
    bot.keep_instance(other)
    return process


def test_an_instance_that_is_kept_is_the_next_one_and_brings_no_record(bot: Bot) -> None:
    bot.processes.prepares = False
    with bot:
        kept = kept_instance(bot)
        with bot.another_instance(1) as again, bot.another_instance(2) as other:
            assert again.take_record() == ()
            assert number(again) == kept
            assert number(other) != kept


def test_a_kept_instance_that_nobody_asks_for_ends_with_the_bot(bot: Bot, log: Path) -> None:
    bot.processes.prepares = False
    with bot:
        first, kept = number(bot), kept_instance(bot)
        assert running(log) == {first, kept}
        bot.end_kept_instance()
        assert running(log) == {first}
        kept_instance(bot)
    assert running(log) == set()


def test_a_kept_instance_that_died_is_replaced(bot: Bot, log: Path) -> None:
    bot.processes.prepares = False
    with bot:
        kept = kept_instance(bot)
        psutil.Process(kept).kill()
        while kept in running(log):
            time.sleep(0.01)
        with bot.another_instance(1) as new:
            assert number(new) != kept


def test_a_kept_instance_with_other_time_limits_is_replaced(bot: Bot, log: Path) -> None:
    bot.processes.prepares = False
    with bot:
        kept = kept_instance(bot)
        with bot.times.patience(2.0), bot.another_instance(1) as new:
            assert number(new) != kept
            assert kept not in running(log)


def test_a_process_that_found_no_room_is_started_again(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_room(engine: Engine) -> Engine:
        raise ShortageError(engine.launch.command, "no memory is left", "end other programs")

    with bot:
        with monkeypatch.context() as patch:
            patch.setattr(Engine, "start", without_room)
            with pytest.raises(ShortageError):
                bot.ask(b"name\n")
        assert bot.ask(b"name\n").ok
