"""Checks of the wire: the form of answers, the first answer, a line in pieces, noise between answers."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError
from harness.check.bot.refusals import NEXT_LINE, is_on_next_line
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text, exchange_text, sent_text
from harness.check.model import Judgement, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.late_probes import short_search
from harness.gtp import Exchange, printable
from harness.gtp.syntax import ANSWER_SIGN

SCRIPT = (b"protocol_version\n", b"name\n", b"version\n", b"list_commands\n")

PAUSE = 0.2
"""Seconds between the pieces of a line; chosen: long enough for a bot to have read the first."""

FIRST, REST = b"protocol_ver", b"sion\n"

UNKNOWN_WAIT = 2.0
"""Time limit in seconds for commands that the bot may not know; chosen: a refusal takes no time."""

ONCE = "write one answer to each command, and no other line that begins with = or ?"

NOISE_FAULTS = ("log-on-stdout", "extra-line-feed", "blank-line-inside")
"""Faults that NoNoise must catch; none of them writes an extra answer."""

MAY_BE_UNKNOWN = (b"showboard\n", b"no_such_command\n")


class AnswerForm(Conversation):
    """The form of the answers to commands without ids, whatever their texts."""

    def observe(self, session: Session) -> tuple[Exchange, ...]:
        """Ask commands that every engine has."""
        bot = session.bot
        lines = [line for line in SCRIPT if not bot.chaser.is_mute(line)] or [bot.chaser.line]
        return tuple(map(bot.ask, lines))

    def judge(self, observation: tuple[Exchange, ...]) -> Judgement:
        """Each answer must be a sign, a blank and a text; digits right after the sign would be an id."""
        expected = "= or ?, a blank, and the text"
        for exchange in observation:
            if exchange.answer is None or exchange.answer.id is not None:
                return failed(expected, exchange_text(exchange))
            if is_on_next_line(exchange):
                return replace(failed(expected, exchange_text(exchange), NEXT_LINE), written_wrong=True)
        return passed(expected, f"{len(observation)} answers of this form")


@dataclass(frozen=True)
class FirstAnswerRecord:
    """The first exchange of the run."""

    first: Exchange
    speaks_only: str = ""  # where else the bot answers, if it is silent on a pipe (see `Introduction`)
    wrote: str = ""  # the last line on stderr before the answer


class FirstAnswerConversation(Conversation):
    """Base of the procedures that judge the first answer of the run."""

    def observe(self, session: Session) -> FirstAnswerRecord:
        """Take the first exchange from the bot's introduction."""
        introduction = session.introduction
        return FirstAnswerRecord(introduction.greeting[0], introduction.speaks_only, introduction.wrote_first)


class TwoNewlines(FirstAnswerConversation):
    """`gtp.frame.two-newlines`: an empty line ends each answer; without it no answer can be read."""

    def judge(self, observation: FirstAnswerRecord) -> Judgement:
        """The answer must have ended with an empty line; another check reports a silence."""
        expected, first = "an answer that ends with an empty line", observation.first
        # The draft lets a controller drop CRs: an engine whose lines end with CR LF is right.
        if first.ending == "timeout" or first.raw.replace(b"\r", b"").endswith(b"\n\n"):
            return passed(expected)
        return failed(expected, f"{printable(first.raw)} and then nothing")


@dataclass(frozen=True)
class StartupTime(FirstAnswerConversation):
    """`gtp.frame.startup-time`: the first answer comes before controllers stop waiting for it."""

    most: float = 10.0  # seconds that most controllers wait

    def judge(self, observation: FirstAnswerRecord) -> Judgement:
        """The answer must have come within the time limit."""
        seconds = observation.first.seconds
        expected, observed = f"an answer within {self.most:g} s", f"an answer after {seconds:.1f} s"
        if seconds <= self.most:
            return passed(expected, observed)
        meanwhile = f"; meanwhile it wrote on stderr: {observation.wrote}" if observation.wrote else ""
        return failed(expected, observed + meanwhile)


class FlushedOutput(FirstAnswerConversation):
    """`gtp.frame.flush`: an engine that answers elsewhere but not on a pipe does not flush its output."""

    def judge(self, observation: FirstAnswerRecord) -> Judgement:
        """The first answer must have come through the pipe."""
        expected, first = "an answer through a pipe", observation.first
        if first.ending != "timeout":
            return passed(expected)
        silence = f"nothing for {first.seconds:.0f} s on a pipe"
        return failed(expected, f"{silence}; its answers come only {observation.speaks_only}")


@dataclass(frozen=True)
class PiecesRecord:
    """The answers to a line in one piece (`whole`) and in two, with all output before the second piece."""

    whole: Exchange
    answer: Exchange


class LineInPieces(Conversation):
    """`gtp.frame.line-in-pieces`: a pipe may hand over a line in several reads."""

    def observe(self, session: Session) -> PiecesRecord:
        """Send a command, then send it again in two pieces."""
        bot = session.bot
        whole = bot.ask(FIRST + REST)
        engine = bot.running_engine()
        bot.processes.sent.append(FIRST + REST)
        engine.send(FIRST)
        bot.wait_until(time.monotonic() + PAUSE)
        exchange = engine.ask(REST, timeout=bot.times.within(bot.limits.startup))
        return PiecesRecord(whole, bot.note(exchange._replace(sent=FIRST + REST)))

    def judge(self, observation: PiecesRecord) -> Judgement:
        """Both answers must be equal, and the second one single. Other checks judge their texts."""
        whole, answer = observation.whole, observation.answer
        expected = f"{answer_text(whole)}, once, after the end of the line"
        same = (answer.ok, answer.text) == (whole.ok, whole.text)
        noisy = answer.noise.strip() and not whole.noise.strip()  # noise on every answer is for another check
        if same and answer.answer is not None and not noisy:
            return passed(expected)
        return failed(expected, f"{answer_text(answer)}, when the line came in two pieces")


class NoNoise(Conversation):
    """Output outside of answers, from the first command on."""

    def observe(self, session: Session) -> tuple[Exchange, ...]:
        """Return the first exchanges of the run and further ones, each with the output before its answer."""
        bot = session.bot
        exchanges = [
            *session.introduction.greeting,
            *map(bot.ask, _valid_lines(bot, session.introduction.size)),
        ]
        for line in MAY_BE_UNKNOWN:
            try:
                exchanges.append(bot.ask(line, min(UNKNOWN_WAIT, bot.limits.answer)))
            except BotInterruptedError as interruption:  # another check reports it
                exchanges.append(interruption.exchange)
        return (*exchanges, bot.ask(bot.chaser.line))

    def judge(self, observation: tuple[Exchange, ...]) -> Judgement:
        """No output may precede the sign of an answer, not even an empty line."""
        expected = "answers and nothing else"
        for before, exchange in zip((None, *observation), observation, strict=False):
            if exchange.noise:
                own = sent_text(exchange.sent)
                place = f"before the first answer, to {own}"
                if before:
                    place = f"after the answer to {sent_text(before.sent)}, before that to {own}"
                hint = _hint(exchange.noise, first=before is None)
                seen = f"“{printable(exchange.noise[:80])}” {place}"
                unlike = NOISE_FAULTS if hint == ONCE else _unlike(exchange.noise)
                return failed(expected, seen, hint, unlike=unlike)
        return passed(expected)


def wrote_extra_answer(judgement: Judgement) -> bool:
    """Return whether NoNoise saw an answer that no command asked for: no fault of noise writes one."""
    return judgement.unlike == NOISE_FAULTS


def _valid_lines(bot: Bot, size: int) -> tuple[bytes, ...]:
    """Return the lines of a game with a search, and questions around it.

    All are valid: an engine that ends at an illegal move can still pass.
    """
    asked = (b"name\n", b"list_commands\n", b"version\n")
    questions = tuple(line for line in asked if not bot.chaser.is_mute(line))
    return (*questions, *short_search(size), *questions)


def _unlike(noise: bytes) -> tuple[str, ...]:
    """Return the known faults that do not print such output between answers."""
    if not noise.strip():
        return ("log-on-stdout", "blank-line-inside")
    return ("extra-line-feed",) if noise.endswith(b"\n\n") else ("extra-line-feed", "blank-line-inside")


def _hint(noise: bytes, *, first: bool) -> str:
    """Return what to change, by the output between two answers; `first`: before the first answer."""
    if ANSWER_SIGN.search(noise):
        return ONCE
    if not noise.strip():
        return "end an answer with exactly two newlines"
    if not first and noise.endswith(b"\n\n"):
        return "an empty line ends an answer: print no empty line inside an answer"
    return ""
