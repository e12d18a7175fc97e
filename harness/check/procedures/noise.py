"""`gtp.frame.no-noise`: what an engine prints between its answers."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.session import Session
from harness.check.bot.wording import sent_text
from harness.check.model import Judgement, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.late_probes import short_search
from harness.gtp import Exchange, printable

UNKNOWN_WAIT = 2.0
"""Time limit in seconds for commands that the bot may not know."""

MAY_BE_UNKNOWN = (b"showboard\n", b"no_such_command\n")


@dataclass(frozen=True)
class NoiseRecord:
    """Consecutive exchanges; each keeps the bytes that came before its answer."""

    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True)
class NoNoise(Conversation):
    """All bytes outside of answers, from the first command on."""

    def observe(self, session: Session) -> NoiseRecord:
        """The greeting, and more exchanges of every kind."""
        bot = session.bot
        exchanges = [*session.profile.greeting, *map(bot.ask, _valid_lines(bot, session.profile.size))]
        for line in MAY_BE_UNKNOWN:
            try:
                exchanges.append(bot.ask(line, min(UNKNOWN_WAIT, bot.limits.answer)))
            except BotInterruptedError as interruption:  # another check reports it
                exchanges.append(interruption.exchange)
        exchanges.append(bot.ask(bot.chaser.line))
        return NoiseRecord(tuple(exchanges))

    def judge(self, observation: NoiseRecord) -> Judgement:
        """Nothing may stand before the sign of an answer, not even an empty line."""
        expected = "answers and nothing else"
        exchanges = observation.exchanges
        for before, exchange in zip((None, *exchanges), exchanges, strict=False):
            if exchange.noise:
                own = sent_text(exchange.sent)
                place = (
                    f"after the answer to {sent_text(before.sent)}, before that to {own}"
                    if before
                    else f"before the first answer, to {own}"
                )
                hint = _hint(exchange.noise, first=before is None)
                return failed(expected, f"“{printable(exchange.noise[:80])}” {place}", hint)
        return passed(expected)


def _valid_lines(bot: Bot, size: int) -> tuple[bytes, ...]:
    """A game with a search, and questions around it.

    All of it is valid: an engine that ends at an illegal move may still keep its output clean.
    """
    asked = (b"name\n", b"list_commands\n", b"version\n")
    questions = tuple(line for line in asked if not bot.chaser.is_mute(line))
    return (*questions, *short_search(size), *questions)


def _hint(noise: bytes, *, first: bool) -> str:
    if not noise.strip():
        return "end an answer with exactly two newlines"
    if not first and noise.endswith(b"\n\n"):
        return "an empty line ends an answer: print no empty line inside an answer"
    return ""
