"""Which time limit the answers of a bot have."""

from __future__ import annotations

import itertools
import math
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import TimeUpError
from harness.check.bot.time_limits import SEARCH_SLACK, START_SLACK, TimeLimits
from harness.explore.abilities import Abilities
from harness.explore.dialogue_machine import dialogue_session
from harness.explore.session_judge import as_bytes
from harness.explore.wanted import read_line
from harness.gtp import Answer, Exchange, Launch, Limits
from harness.selftest.hosted_bot import HostedBot, HostedEngine

ENGINE = Path(__file__).parents[2] / "engines" / "hostile.py"
STARTS_SLOWLY = shlex.join([sys.executable, "-S", "-E", str(ENGINE), "late", "--at", "1", "--seconds", "1"])
LIMITS = Limits(startup=60.0, answer=0.5)


def test_the_first_answer_of_every_process_has_the_limit_of_the_start() -> None:
    """A bot that starts slowly starts slowly every time."""
    with Bot(Launch(STARTS_SLOWLY), LIMITS) as bot:
        for _ in range(2):
            bot.fresh()
            assert bot.ask(b"boardsize 9\n").ok
            assert bot.ask(b"genmove b\n").ok
        bot.fresh()
        assert all(exchange.ok for exchange in bot.ask_many([b"boardsize 9\n", b"clear_board\n"]))


class Starting(HostedEngine):
    """Takes two seconds for its first answer, none for the others."""

    timeouts: ClassVar[list[float]] = []

    def ask(self, line: bytes, *, timeout: float | None = None, **other: float | None) -> Exchange:
        assert timeout is not None
        seconds, self.seconds = getattr(self, "seconds", 2.0), 0.0
        self.timeouts.append(timeout)
        return super().ask(line, timeout=timeout, **other)._replace(seconds=seconds)


class StartingBot(HostedBot):
    engine_type = Starting


def test_a_bot_that_has_started_may_take_a_multiple_of_that_time_for_its_next_starts() -> None:
    """A process that is silent at its first line is waited for as long as the bot may need, and no longer."""
    Starting.timeouts.clear()
    with StartingBot() as bot:
        for line in (b"name\n", b"name\n", b"1 name\n"):
            bot.ask(line)
        bot.fresh()
        bot.ask(b"2147483647 name\n")
        limits = bot.limits
        assert limits.answer < START_SLACK * 2.0 < limits.startup
    assert Starting.timeouts == [limits.startup, limits.answer, limits.answer, START_SLACK * 2.0]


def test_a_command_that_a_bot_has_not_seen_on_its_board_may_take_as_long_as_a_start() -> None:
    """It may load tables or compile for a board size; what it has answered there is loaded."""
    times = TimeLimits(LIMITS)
    times.note_start(0.01)
    times.next_limit(b"boardsize 9\n", first=False)
    for _ in range(2):  # the second time after a silence
        assert times.next_limit(b"play b C3\n", first=False) == LIMITS.startup
    times.note_answer(b"play b C3\n")
    assert times.next_limit(b"7 play w D4\n", first=False) == LIMITS.answer
    assert times.next_limit(b"genmove b\n", first=False) == LIMITS.startup
    assert times.next_limit(b"undo\n", first=False) == LIMITS.answer
    times.next_limit(b"boardsize 13\n", first=False)
    assert times.next_limit(b"play b C3\n", first=False) == LIMITS.startup


def test_nothing_is_sent_after_a_deadline() -> None:
    with HostedBot() as bot:
        bot.queues = True
        with bot.times.until(time.monotonic() - 1.0):
            for send in (
                lambda: bot.ask(b"name\n"),
                lambda: bot.ask_many([b"name\n", b"version\n"]),
                lambda: bot.ask_chased(b"name\n"),
                lambda: bot.set_up([b"clear_board\n"]),
            ):
                with pytest.raises(TimeUpError):
                    send()
        assert bot.history == ()
        with bot.times.until(math.inf):
            assert bot.ask(b"name\n").ok


class Passing(HostedEngine):
    """Passes at every genmove, each time after the next of these seconds."""

    durations: Iterator[float] = itertools.repeat(15.0)

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.timeouts: list[float] = []

    def ask(self, line: bytes, *, timeout: float | None = None, **other: float | None) -> Exchange:
        if b"genmove" not in line:
            return super().ask(line, timeout=timeout, **other)
        assert timeout is not None
        self.timeouts.append(timeout)
        return Exchange(line, b"= pass\n\n", Answer(True, None, "pass"), "answer", b"", next(self.durations))


class PassingBot(HostedBot):
    engine_type = Passing


def test_the_usual_search_is_the_one_in_the_middle() -> None:
    """Most searches are made late in a game: the longest one, from the empty board, says less."""
    with PassingBot() as bot:
        assert bot.times.usual_search == 0.0
        cast("Passing", bot.running_engine()).durations = iter((9.0, 0.1, 0.2))
        for _ in range(3):
            bot.ask(b"genmove b\n")
        assert bot.times.usual_search == 0.2


def test_a_line_of_analysis_may_take_as_long_as_a_search() -> None:
    times = TimeLimits(LIMITS)
    analysis = b"lz-analyze b 5\n"
    assert times.limit_of_analysis(analysis, first=True) == LIMITS.startup
    times.next_limit(b"lz-genmove_analyze b 500\n", first=False)  # the search after which the bot is warm
    assert times.limit_of_analysis(analysis, first=False) == LIMITS.answer
    times.note_search(3.0)
    assert times.limit_of_analysis(analysis, first=False) == SEARCH_SLACK * 3.0


def test_reg_genmove_may_take_as_long_as_a_genmove() -> None:
    times = TimeLimits(LIMITS)
    times.next_limit(b"genmove b\n", first=False)
    times.note_search(LIMITS.startup)
    assert times.next_limit(b"reg_genmove b\n", first=False) == SEARCH_SLACK * LIMITS.startup


def test_every_search_of_a_session_has_the_limit_of_a_search() -> None:
    """However its line is written: behind a comment, with an id, with control characters."""
    abilities = Abilities((9,))
    searches = [
        line
        for number in range(30)
        for line in dialogue_session(1, number, abilities)
        if (command := read_line(line)) is not None and command.name == "genmove"
    ]
    assert any(line.startswith("#") for line in searches)
    with PassingBot() as bot:
        bot.ask(b"boardsize 9\n")
        for line in searches:
            bot.ask(as_bytes(line))
        limits = cast("Passing", bot.running_engine()).timeouts
        assert min(limits) >= bot.limits.startup
    assert limits[-1] == 15.0 * SEARCH_SLACK
