"""The explorations of a run use every instance of the bot that its searches used."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from harness.check.bot.introduction import introduction_of
from harness.check.bot.session import Session
from harness.check.effort import Effort
from harness.check.model import Outcome
from harness.explore.abilities import find_abilities
from harness.explore.dialogues import DialogueExplorer
from harness.explore.procedures import ExploreDialogues, ExplorePositions
from harness.gtp import Exchange
from harness.selftest.hosted_bot import HostedBot

PLAYOUTS = 60
EXPLORED = 6


@contextmanager
def two_instances(*switched: str) -> Iterator[Session]:
    with HostedBot(*switched, playouts=PLAYOUTS) as bot, bot.another_instance(1) as other:
        introduction, effort = introduction_of(bot), Effort(explored=EXPLORED)
        yield Session(
            bot=bot, introduction=introduction, playouts=PLAYOUTS, effort=effort, other_instances=(other,)
        )


def test_sessions_are_spread_over_the_instances() -> None:
    with two_instances() as session:
        record = ExploreDialogues().observe(session)
        assert (record.found, record.coverage.sessions) == (None, EXPLORED)
        assert "play" in session.other_instances[0].obeyed


def test_positions_are_spread_over_the_instances() -> None:
    with two_instances() as session:
        record = ExplorePositions().observe(session)
        assert record.found is None
        assert "genmove" in session.other_instances[0].obeyed


def test_a_deviation_of_either_instance_is_reported() -> None:
    with two_instances("unknown-succeeds") as session:
        found = ExploreDialogues().observe(session).found
    assert found is not None
    assert found.judgement.outcome is Outcome.FAIL


class Interrupted(HostedBot):
    """Ctrl-C arrives while the harness waits for its answer."""

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        raise KeyboardInterrupt


class Waiting(HostedBot):
    """Answers once it is told to stop."""

    def __init__(self) -> None:
        super().__init__(playouts=PLAYOUTS)
        self.stopped = threading.Event()

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        assert self.stopped.wait(60.0)
        return super().ask(line, timeout)

    def abort(self) -> None:
        self.stopped.set()


def test_an_interrupt_does_not_wait_for_the_other_instances() -> None:
    with HostedBot(playouts=PLAYOUTS) as bot:
        abilities = find_abilities(bot, introduction_of(bot), PLAYOUTS)
    waiting = Waiting()
    explorer = DialogueExplorer([Interrupted(playouts=PLAYOUTS), waiting], abilities, PLAYOUTS, 1)
    with pytest.raises(KeyboardInterrupt):
        list(explorer.explore(range(2), math.inf))
    assert waiting.stopped.is_set()
