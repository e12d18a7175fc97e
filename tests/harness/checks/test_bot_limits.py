"""Which time limit the answers of a bot have."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from harness.checks.bot.bot import Bot
from harness.gtp import Launch, Limits

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
