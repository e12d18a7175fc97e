"""`gtp.frame.form`: the form of an answer, whatever its text."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text
from harness.check.model import Judgement, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.gtp import Exchange

SCRIPT = (b"protocol_version\n", b"name\n", b"version\n", b"list_commands\n")


@dataclass(frozen=True)
class FormRecord:
    """The answers to commands without ids."""

    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True)
class AnswerForm(Conversation):
    """Commands without ids, whose answers may say anything."""

    def observe(self, session: Session) -> FormRecord:
        """Ask for what every engine has."""
        bot = session.bot
        lines = [line for line in SCRIPT if not bot.chaser.is_mute(line)] or [bot.chaser.line]
        return FormRecord(tuple(bot.ask(line) for line in lines))

    def judge(self, observation: FormRecord) -> Judgement:
        """Each answer must be a sign, a blank and a text; digits right after the sign would be an id."""
        expected = "= or ?, a blank, and the text"
        for exchange in observation.exchanges:
            if exchange.answer is None or exchange.answer.id is not None:
                return failed(expected, exchange_text(exchange))
        return passed(expected, f"{len(observation.exchanges)} answers of this form")
