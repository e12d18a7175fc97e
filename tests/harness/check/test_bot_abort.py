"""A bot is aborted from another thread by a signal alone; a wait of no time is not the usual wait."""

import shlex
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.gtp import Launch, Limits
from harness.gtp.transport import Pipes

ENGINES = Path(__file__).parents[2] / "engines"
SILENT = Launch(shlex.join([sys.executable, "-S", "-E", str(ENGINES / "hostile.py"), "silent"]))
LIMITS = Limits(startup=60, answer=60, quit=60, terminate=60, reap=60)


@pytest.mark.timeout(120)
def test_only_the_thread_that_owns_the_process_uses_its_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    users: set[int] = set()
    waits = threading.Event()

    def noted(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: Pipes, *arguments: Any, **options: Any) -> Any:
            users.add(threading.get_ident())
            if method.__name__ == "wait_for_answer":
                waits.set()
            return method(self, *arguments, **options)

        return call

    for name, method in list(vars(Pipes).items()):
        if callable(method) and not name.startswith("_"):
            monkeypatch.setattr(Pipes, name, noted(method))
    endings: list[str] = []

    def own() -> None:
        with Bot(SILENT, LIMITS) as bot:
            bots.append(bot)
            try:
                bot.ask(b"genmove b\n")
            except BotInterruptedError as interruption:
                endings.append(interruption.exchange.ending)

    bots: list[Bot] = []
    owner = threading.Thread(target=own)
    owner.start()
    assert waits.wait(60)
    bots[0].abort()
    bots[0].abort()
    owner.join()
    bots[0].abort()  # nothing is left to kill
    assert endings == ["eof"]
    assert users == {owner.ident}


def test_a_wait_of_no_time_does_not_last_as_long_as_a_usual_one() -> None:
    with Bot(SILENT, LIMITS) as bot, pytest.raises(BotInterruptedError) as caught:
        bot.receive(0.0)
    reached = caught.value.exchange.limit
    assert reached is not None
    assert reached.seconds == 0.0
