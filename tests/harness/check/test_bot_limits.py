"""Which time limit the answers of a bot have."""

from __future__ import annotations

import itertools
import math
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import TimeUpError
from harness.check.bot.time_limits import SEARCH_SLACK, TimeLimits
from harness.explore.abilities import Abilities
from harness.explore.dialogue_machine import session
from harness.explore.game_model import read_line
from harness.explore.walk import as_bytes
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
        cast("Passing", bot.engine).durations = iter((9.0, 0.1, 0.2))
        for _ in range(3):
            bot.ask(b"genmove b\n")
        assert bot.times.usual_search == 0.2


def test_a_line_of_analysis_may_take_as_long_as_a_search() -> None:
    times = TimeLimits(LIMITS)
    analysis = b"lz-analyze b 5\n"
    assert times.limit_of_analysis(analysis, first=True) == LIMITS.startup
    times.limit_of(b"lz-genmove_analyze b 500\n", first=False)  # the search after which the bot is warm
    assert times.limit_of_analysis(analysis, first=False) == LIMITS.answer
    times.note_search(3.0)
    assert times.limit_of_analysis(analysis, first=False) == SEARCH_SLACK * 3.0


def test_every_search_of_a_session_has_the_limit_of_a_search() -> None:
    """However its line is written: behind a comment, with an id, with control characters."""
    abilities = Abilities((9,))
    searches = [
        line
        for number in range(30)
        for line in session(1, number, abilities)
        if (command := read_line(line)) is not None and command.name == "genmove"
    ]
    assert any(line.startswith("#") for line in searches)
    with PassingBot() as bot:
        bot.ask(b"boardsize 9\n")
        for line in searches:
            bot.ask(as_bytes(line))
        limits = cast("Passing", bot.engine).timeouts
        assert min(limits) >= bot.limits.startup
    assert limits[-1] == 15.0 * SEARCH_SLACK
