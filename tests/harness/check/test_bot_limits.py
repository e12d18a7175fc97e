"""Which time limit the answers of a bot have."""

from __future__ import annotations

import math
import shlex
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import TimeUpError
from harness.check.bot.time_limits import SEARCH_SLACK
from harness.explore.abilities import Abilities
from harness.explore.dialogue_machine import session
from harness.explore.game_model import read_line
from harness.explore.walk import as_bytes
from harness.gtp import Answer, Exchange, Launch, Limits, parse_answer
from harness.selftest.hosted_bot import HostedBot

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


def test_the_usual_search_is_the_one_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most searches are made late in a game: the longest one, from the empty board, says less."""
    with HostedBot() as bot:
        assert bot.times.usual_search == 0.0
        for seconds in (9.0, 0.1, 0.2):
            monkeypatch.setattr(bot.engine, "ask", partial(answered, seconds=seconds))
            bot.ask(b"genmove b\n")
        assert bot.times.usual_search == 0.2


def test_every_search_of_a_session_has_the_limit_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """However its line is written: behind a comment, with an id, with control characters."""
    abilities = Abilities((9,))
    searches = [
        line
        for number in range(100)
        for line in session(1, number, abilities)
        if (command := read_line(line)) is not None and command.name == "genmove"
    ]
    assert any(line.startswith("#") for line in searches)
    limits: list[float] = []

    def answer(line: bytes, *, timeout: float) -> Exchange:
        limits.append(timeout)
        return answered(line, timeout=timeout, seconds=15.0)

    with HostedBot() as bot:
        bot.ask(b"boardsize 9\n")
        monkeypatch.setattr(bot.engine, "ask", answer)
        for line in searches:
            bot.ask(as_bytes(line))
    assert min(limits) >= bot.limits.startup
    assert limits[-1] == 15.0 * SEARCH_SLACK


def answered(line: bytes, *, timeout: float, seconds: float) -> Exchange:
    answer = parse_answer(b"= pass\n\n", None)
    assert isinstance(answer, Answer)
    return Exchange(line, b"= pass\n\n", answer, "answer", b"", seconds)
