"""Send a line in two pieces: the bot must wait for its end."""

from __future__ import annotations

import time
from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text
from harness.check.model import Judgement, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.gtp import Exchange

PAUSE = 0.2
"""Seconds between the pieces of a line: long enough for a bot to have read the first."""

FIRST, REST = b"protocol_ver", b"sion\n"


@dataclass(frozen=True)
class PiecesRecord:
    """The answers to a line in one piece and in two, with whatever came before the second piece."""

    whole: Exchange
    answer: Exchange


@dataclass(frozen=True)
class LineInPieces(Conversation):
    """`gtp.frame.line-in-pieces`: a pipe may hand over a line in several reads."""

    def observe(self, session: Session) -> PiecesRecord:
        """Send a command, then send it again in two pieces."""
        bot = session.bot
        whole = bot.ask(FIRST + REST)
        engine = bot.engine
        engine.send(FIRST)
        bot.wait_until(time.monotonic() + PAUSE)
        exchange = engine.ask(REST, timeout=bot.times.within(bot.limits.startup))
        return PiecesRecord(whole, bot.note(exchange._replace(sent=FIRST + REST)))

    def judge(self, observation: PiecesRecord) -> Judgement:
        """One answer, the same as to the line in one piece; whether that is right is for another check."""
        whole, answer = observation.whole, observation.answer
        expected = f"{answer_text(whole)}, once, after the end of the line"
        same = (answer.ok, answer.text) == (whole.ok, whole.text)
        noisy = answer.noise.strip() and not whole.noise.strip()  # noise on every answer is for another check
        if same and answer.answer is not None and not noisy:
            return passed(expected)
        return failed(expected, f"{answer_text(answer)}, when the line came in two pieces")
