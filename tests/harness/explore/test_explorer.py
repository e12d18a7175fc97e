"""A whole exploration: what it counts as a deviation."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from harness.check.bot.errors import BotInterruptedError
from harness.check.model import Judgement, Outcome
from harness.explore.abilities import Abilities
from harness.explore.cases import as_checks, cases_text, read_cases, saved_form
from harness.explore.dialogue_case import DialogueCase
from harness.explore.exploration import MOST_FOUND, Exploration, Plan
from harness.explore.explorer import explore_bot
from harness.explore.position_case import PositionCase
from harness.explore.positions import draw_position
from harness.gtp import Answer, Exchange, Launch, parse_answer
from harness.report.text.exploration import show_exploration
from harness.selftest.hosted_bot import HostedBot, NoProcessor
from harness.suite.families.last_phases import DIALOGUES, POSITIONS
from tests.harness.explore.exploring import added_up

PLAYOUTS = 50


class Machine(NoProcessor):
    """A machine that is busy or idle."""

    def __init__(self, *, busy: bool) -> None:
        self.busy = busy

    def machine_is_busy(self) -> bool:
        """As the test wants it."""
        return self.busy


class SilentBot(HostedBot):
    """Never answers undo, on a machine that is busy or idle."""

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        """Raises BotInterruptedError for undo, as a bot that is silent does."""
        if line.split()[-1:] == [b"undo"]:
            raise BotInterruptedError(Exchange(line, b"", None, "timeout", b"", 10.0))
        return super().ask(line, timeout)


def explored(*, busy: bool) -> Exploration:
    silent = SilentBot(playouts=PLAYOUTS)
    silent.processor = Machine(busy=busy)
    with silent as bot:
        plan = Plan(Launch("bot", cwd=Path("/")), DIALOGUES, POSITIONS, playouts=PLAYOUTS, sessions=20)
        return added_up(explore_bot(bot, plan))


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
    show_exploration(console, exploration, seed=1, quiet=False)
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


def test_every_deviation_that_is_reported_is_shown_by_its_lines() -> None:
    launch = Launch("bot", cwd=Path("/"))
    with SilentAtTimes(playouts=PLAYOUTS) as bot:
        plan = Plan(launch, DIALOGUES, POSITIONS, playouts=PLAYOUTS, sessions=5, attempts=5)
        exploration = added_up(explore_bot(bot, plan))
    assert [result for result in exploration.results if not result.refuses] == []
    assert exploration.unconfirmed


class AnswersComments(HostedBot):
    """Answers lines that hold a comment alone: every later answer is that of the line before."""

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        """Refuse what comes after a comment line, as the answer to the comment looks."""
        if line.startswith(b"#"):
            raw = b"? unknown command\n\n"
            answer = parse_answer(raw)
            assert isinstance(answer, Answer)
            return self.note(Exchange(line, raw, answer, "answer", b"", 0.0))
        return super().ask(line, timeout)


def test_a_refused_board_size_is_a_failure_on_a_board_that_the_bot_accepts() -> None:
    with AnswersComments(playouts=PLAYOUTS) as bot:
        launch = Launch("bot", cwd=Path("/"))
        plan = Plan(launch, DIALOGUES, POSITIONS, playouts=PLAYOUTS, sessions=6, attempts=60)
        exploration = added_up(explore_bot(bot, plan))
    assert exploration.results
    assert {result.judgement.outcome for result in exploration.results} == {Outcome.FAIL}
    first = exploration.results[0].judgement.reduced
    assert isinstance(first, DialogueCase)
    assert first.lines[-1].startswith("#")


def test_an_exploration_that_ends_early_says_so() -> None:
    exploration = Exploration("bot", results=explored(busy=False).results[:1] * MOST_FOUND)
    console = Console(file=io.StringIO(), width=200)
    show_exploration(console, exploration, seed=1, quiet=False)
    assert "explore again when they are mended" in console.file.getvalue()  # type: ignore[attr-defined]


def test_no_session_is_held_where_none_is_asked_for() -> None:
    with HostedBot(playouts=PLAYOUTS) as bot:
        plan = Plan(Launch("bot", cwd=Path("/")), DIALOGUES, POSITIONS, playouts=PLAYOUTS, sessions=0)
        assert added_up(explore_bot(bot, plan)).coverage.sessions == 0


class DiesInSearches(HostedBot):
    """Ends at every genmove, and when it is asked for the number of playouts."""

    def ask(self, line: bytes, timeout: float | None = None) -> Exchange:
        """Raises BotInterruptedError for these lines, as a bot that ends does."""
        if line.startswith((b"genmove", b"ref-playouts")):
            raise BotInterruptedError(self.note(Exchange(line, b"", None, "eof", b"", 0.0)))
        return super().ask(line, timeout)


def saved_position(bot: HostedBot, playouts: int | None) -> Exploration:
    """An exploration of a saved position and nothing else."""
    drawn = draw_position(1, 3, Abilities((2, 3, 4, 5)), PLAYOUTS)
    assert drawn is not None
    saved = saved_form(PositionCase(drawn), Judgement(Outcome.FAIL, "E5", "PASS", clause="no-early-pass"))
    cases = tuple(as_checks(read_cases(cases_text([saved]))))
    plan = Plan(
        Launch("bot", cwd=Path("/")), DIALOGUES, POSITIONS, playouts=playouts, sessions=0, cases=cases
    )
    return added_up(explore_bot(bot, plan))


def test_a_bot_that_ends_in_a_saved_position_fails_its_case() -> None:
    with DiesInSearches(playouts=PLAYOUTS) as bot:
        exploration = saved_position(bot, PLAYOUTS)
    assert [result.judgement.outcome for result in exploration.results] == [Outcome.CRASH]
    assert "genmove" in exploration.results[0].judgement.observed


def test_a_saved_position_is_left_out_without_a_number_of_playouts() -> None:
    with DiesInSearches(playouts=PLAYOUTS) as bot:
        exploration = saved_position(bot, None)
    assert exploration.count.playouts is None
    assert exploration.results == []
