"""Checks of analyses with wrong arguments, or for a side without a legal move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text, sent_text
from harness.check.model import Ability, Judgement, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.failures import failure_outcome
from harness.commands.analyses import SIDE, all_forms, requirements_with, set_up_lines
from harness.commands.analysis_ends import MOST_SHOWN, end_by
from harness.go import all_points
from harness.gtp import Exchange, format_vertex, printable
from harness.gtp.analysis_commands import ENDLESS

BAD_INTERVALS = ("abc", "-5", "99999999999999999999")
"""A word, a negative interval, and one too large for a machine's integer."""


@dataclass(frozen=True)
class WordsRecord:
    """Lines that begin an analysis, and the answer to the command (the chaser) after each.

    tries   pairs (line, exchange of the chaser)
    name    the right answer to the chaser; empty if it is not known
    """

    tries: tuple[tuple[bytes, Exchange], ...]
    name: str = ""


class BadIntervals(Conversation):
    """An analysis with a bad interval may be refused or not; the next command is answered."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the position, and analyses that end."""
        return requirements_with(Ability.ENDS_ANALYSES)

    def observe(self, session: Session) -> WordsRecord:
        """Send each bad interval, and the chaser at once. End at the first chaser without an answer.

        The chaser does not wait for a line of analysis: none need come.
        """
        bot = session.bot
        bot.set_up(set_up_lines(session.introduction.size))
        tries: list[tuple[bytes, Exchange]] = []
        for interval in BAD_INTERVALS:
            line = f"{next(filter(session.has, ENDLESS))} {SIDE} {interval}\n".encode("ascii")
            bot.begin(line)
            tries.append((line, end_by(bot, bot.chaser.line)))
            if tries[-1][1].answer is None:
                break
        return WordsRecord(tuple(tries), bot.chaser.text or "")

    def judge(self, observation: WordsRecord) -> Judgement:
        """The next command must be answered rightly."""
        return _judge_next(observation.tries, observation.name)


class NoLegalMove(Conversation):
    """An analysis for a side without a legal move ends like any other, or is refused."""

    @property
    def requires(self) -> Requirements:
        """Requirements of a new game, of many moves of one colour in a row, and analyses that end."""
        return requirements_with(Ability.ENDS_ANALYSES, Ability.PLAYS_EITHER_COLOUR)

    def observe(self, session: Session) -> WordsRecord:
        """Give White every point but two corners; analyse for Black in the first form that is not refused.

        Only this form is recorded; if all are refused, the last one. A bot that dies gets no further form. No
        line of analysis need come.
        """
        bot, size = session.bot, session.introduction.size
        points = [format_vertex(point) for point in all_points(size) if point not in ((0, 0), (size - 1, 0))]
        moves = [f"play w {point}\n".encode("ascii") for point in points]
        bot.set_up([*set_up_lines(size)[:2], *moves])
        for line in all_forms(session, "b"):
            stream = bot.begin(line)
            after = end_by(bot, bot.chaser.line)
            if not stream.refused or after.answer is None:
                break
        return WordsRecord(((stream.sent, after),), bot.chaser.text or "")

    def judge(self, observation: WordsRecord) -> Judgement:
        """The next command must be answered rightly."""
        return _judge_next(observation.tries, observation.name)


def _judge_next(tries: Sequence[tuple[bytes, Exchange]], name: str) -> Judgement:
    """Judge the command after each line: it must answer `name`, or just succeed if `name` is empty."""
    for line, after in tries:
        expected = f"after {sent_text(line)}: {sent_text(after.sent)} → = {name}".rstrip()
        if not after.is_answered:
            return Judgement(failure_outcome(after), expected, exchange_text(after))
        if not after.ok or (name and after.text.strip() != name):
            return failed(expected, exchange_text(after))
    return passed("the next command is answered", ", ".join(sent_text(line) for line, _ in tries))


@dataclass(frozen=True)
class ColourRecord:
    """An analysis for a word that is no colour.

    begun     what came of the answer until its first line, with the bytes before it
    refused   the answer begins with a question mark
    """

    line: bytes
    begun: bytes
    refused: bool


class AnalysisColour(Conversation):
    """An analysis for a word that is no colour is refused."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the position, and analyses that end."""
        return requirements_with(Ability.ENDS_ANALYSES)

    def observe(self, session: Session) -> ColourRecord:
        """Begin the analysis for the colour x; then send a command, which ends it."""
        bot = session.bot
        bot.set_up(set_up_lines(session.introduction.size))
        stream = bot.begin(all_forms(session, "x")[0])
        bot.await_line(stream)
        record = ColourRecord(stream.sent, bytes(stream.noise + stream.raw), stream.refused)
        bot.ask(bot.chaser.line)
        return record

    def judge(self, observation: ColourRecord) -> Judgement:
        """The analysis must be refused."""
        expected = f"{sent_text(observation.line)} → ? (a refusal)"
        if observation.refused:
            return passed(expected)
        return failed(
            expected, f"{sent_text(observation.line)} → {printable(observation.begun[:MOST_SHOWN])}"
        )
