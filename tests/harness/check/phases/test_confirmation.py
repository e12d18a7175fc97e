"""Failures that come back, that need the earlier commands, and that do not come back, with a real engine."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.model import Confirmation, Judgement, Outcome, passed
from harness.check.phases.confirmation import TRIES, Attempt, confirm
from harness.check.procedures.failures import judge_error
from harness.gtp import Launch, Limits

ENGINE = Path(__file__).parents[3] / "engines" / "forgetful.py"
LIMITS = Limits(startup=60.0, answer=60.0)
BRIEF = Limits(startup=60.0, answer=0.4)
"""A limit that a silent engine reaches soon; nothing is expected to come within it."""


def trouble(bot: Bot) -> Judgement:
    try:
        bot.ask(b"boardsize 9\n")
        bot.ask(b"genmove b\n")
        bot.ask(b"trouble\n")
    except BotInterruptedError as interruption:
        return judge_error(interruption)
    return passed("an answer")


def seen_again(
    mode: str, memory: Path, limits: Limits = LIMITS, *, busy: bool = False, before: tuple[bytes, ...] = ()
) -> Attempt:
    """Let the engine fail once, after the commands `before`, then confirm."""
    command = shlex.join([sys.executable, str(ENGINE), mode, str(memory)])
    with Bot(Launch(command), limits) as bot:
        for line in before:
            bot.ask(line)
        history = bot.history
        bot.take_record()
        first = trouble(bot)
        assert first.outcome is not Outcome.PASS
        attempt = Attempt(first, bot.take_record(), history)
        return confirm(bot, attempt, lambda: trouble(bot), lambda: busy)


SHORT = (b"boardsize 9\n", b"genmove b\n", b"trouble\n")


def test_a_failure_of_its_own_commands_is_confirmed(tmp_path: Path) -> None:
    seen = seen_again("always", tmp_path / "memory", before=(b"name\n",))
    assert (seen.judgement.outcome, seen.confirmation) == (Outcome.CRASH, Confirmation.CONFIRMED)
    assert seen.lines == SHORT


def test_a_failure_that_needs_earlier_commands_prints_those_that_it_needs(tmp_path: Path) -> None:
    before = (b"version\n", b"name\n", b"komi 7\n")
    seen = seen_again("after-name", tmp_path / "memory", before=before)
    assert (seen.judgement.outcome, seen.confirmation) == (Outcome.CRASH, Confirmation.WITH_HISTORY)
    assert seen.lines == (b"name\n", *SHORT)
    assert seen.sightings == (2, 2)


def test_a_failure_that_does_not_come_back_is_unstable_and_inconclusive(tmp_path: Path) -> None:
    seen = seen_again("once", tmp_path / "memory", before=(b"name\n",))
    assert (seen.judgement.outcome, seen.confirmation) == (Outcome.INCONCLUSIVE, Confirmation.UNSTABLE)
    assert seen.lines == (b"name\n", *SHORT)
    assert [one.ending for one in seen.record][-1] == "eof"
    assert [one.ending for one in seen.other] == ["answer"] * len(SHORT)
    assert seen.sightings == (0, TRIES)


def test_the_failure_in_the_run_is_no_time_that_it_came_back(tmp_path: Path) -> None:
    seen = seen_again("once", tmp_path / "memory")
    assert seen.confirmation is Confirmation.UNSTABLE
    assert seen.sightings.seen == 0
    assert f"it came back in 0 of {seen.sightings.tried} new processes" in seen.judgement.observed


def test_silence_that_does_not_come_back_is_no_failure(tmp_path: Path) -> None:
    seen = seen_again("silent-once", tmp_path / "memory", BRIEF)
    assert seen.judgement.outcome is Outcome.PASS


@pytest.mark.parametrize(("busy", "outcome"), [(False, Outcome.TIMEOUT), (True, Outcome.INCONCLUSIVE)])
def test_silence_that_comes_back_counts_on_an_idle_machine_alone(
    tmp_path: Path, busy: bool, outcome: Outcome
) -> None:
    seen = seen_again("silent", tmp_path / "memory", BRIEF, busy=busy)
    assert seen.judgement.outcome is outcome
    assert ("idle machine" in seen.judgement.hint) == busy
