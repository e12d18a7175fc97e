"""A whole exploration: what it counts as a deviation."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from harness.checks.bot.errors import BotInterruptedError
from harness.checks.explore import dialogues
from harness.checks.explore.explorer import Exploration, Plan, explore_bot
from harness.checks.families.exploration import DIALOGUES, POSITIONS
from harness.checks.model import Outcome
from harness.checks.selftest.hosted_bot import HostedBot
from harness.gtp import Exchange, Launch
from harness.report.exploration import show_exploration


class SilentBot(HostedBot):
    """Never answers undo, on a machine that is busy or idle."""

    busy = False

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        """Raises BotInterruptedError for undo, as a bot that is silent does."""
        if line.split()[-1:] == [b"undo"]:
            raise BotInterruptedError(Exchange(line, b"", None, "timeout", b"", 10.0))
        return super().ask(line, timeout)

    def machine_is_busy(self) -> bool:  # type: ignore[override]
        """As the test wants it."""
        return self.busy


def explored(*, busy: bool) -> Exploration:
    silent = SilentBot(playouts=100)
    silent.busy = busy
    with silent as bot:
        plan = Plan(Launch("bot", cwd=Path("/")), DIALOGUES, POSITIONS, playouts=100, sessions=20)
        return explore_bot(bot, plan)


@pytest.mark.parametrize("busy", [False, True])
def test_a_silence_counts_unless_other_processes_keep_the_machine_busy(busy: bool) -> None:
    exploration = explored(busy=busy)
    assert exploration.coverage.sessions >= 20
    outcomes = [result.judgement.outcome for result in exploration.results]
    if not busy:
        assert set(outcomes) == {Outcome.TIMEOUT}
        return
    assert outcomes == []
    assert exploration.unconfirmed > 0
    console = Console(file=io.StringIO(), width=200)
    show_exploration(console, exploration, seed=1)
    assert "silence while other processes kept the machine busy" in console.file.getvalue()  # type: ignore[attr-defined]


class SilentAtTimes(SilentBot):
    """Answers undo from its tenth start on: whatever found the silence, the last try does not show it."""

    starts = 0

    def fresh(self) -> None:
        """Count the processes."""
        self.starts += 1
        super().fresh()

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        """Raises BotInterruptedError for undo in the first processes."""
        if self.starts < STARTS:
            return super().ask(line, timeout)
        return HostedBot.ask(self, line, timeout)


STARTS = 8


def test_every_deviation_that_is_reported_is_shown_by_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogues, "MOST_ATTEMPTS", 5)
    with SilentAtTimes(playouts=100) as bot:
        plan = Plan(Launch("bot", cwd=Path("/")), DIALOGUES, POSITIONS, playouts=100, sessions=5)
        exploration = explore_bot(bot, plan)
    assert [result for result in exploration.results if not result.refuses] == []
    assert exploration.unconfirmed
