"""`ref.nodes.readable` and `ref.score.readable`: the two private commands answer numbers that can be read.

What cannot be read is said once, here; the checks that would have to read it are then left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from harness.check.bot.errors import UnreadableAnswerError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text
from harness.check.model import Ability, Check, Judgement, Level, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, first_search, read_nodes, read_score
from harness.check.procedures.reliance import SentLine, requirements
from harness.check.procedures.search import READERS
from harness.gtp import Exchange


@dataclass(frozen=True)
class NumbersRecord:
    """The answers of the private commands after a search, by the names of those that the bot has."""

    answers: Mapping[str, Exchange]


@dataclass(frozen=True)
class ReadableNumber(Conversation):
    """The answer of `command` after a search, read by `read`; `hint` explains an unreadable text."""

    command: str
    read: Callable[[Exchange], float]
    hint: Callable[[str], str]

    @property
    def requires(self) -> Requirements:
        """Requirements of the search."""
        return requirements(SentLine(line) for line in first_search(9))

    def observe(self, session: Session) -> NumbersRecord:
        """The answers after the first search of a game: the other number is judged by the other check."""
        asked = [command for command in READERS if session.has(command)]
        if self.command not in asked:
            return NumbersRecord({})
        bot = session.bot
        bot.set_up(first_search(session.profile.size))
        return NumbersRecord({command: bot.ask(f"{command}\n".encode("ascii")) for command in asked})

    def judge(self, observation: NumbersRecord) -> Judgement:
        """The answer must be a number of the right kind."""
        answer = observation.answers.get(self.command)
        if answer is None:
            return failed(
                f"an answer to {self.command}",
                f"the bot has no {self.command}",
                f"add the private commands of the specification: conform spec {self.command}",
            )
        try:
            self.read(answer)
        except UnreadableAnswerError as unreadable:
            expected, observed = (
                f"{self.command} → {text}" for text in (unreadable.wanted, answer_text(answer))
            )
            return failed(expected, observed, self.hint(answer.text.strip()))
        return passed(f"{self.command} → a number", f"{self.command} → {answer.text.strip()}")


def _about_nodes(text: str) -> str:
    if any(mark in text for mark in ",._'"):
        return "a count is a whole number: digits alone, no decimals and no separators"
    return "answer the number of moves in all playouts of the last search, in digits, and nothing else"


def _about_score(text: str) -> str:
    if "," in text:
        return "write a decimal point, whatever the locale is"
    try:
        above_one = float(text.rstrip("%")) > 1.0
    except ValueError:
        return "answer one number, and nothing else"
    if above_one:
        return "answer a share from 0 to 1: no percentage, and no sum of wins"
    return "answer a number from 0 to 1, the mean result for the side to move"


CHECKS = (
    Check(
        id=Ability.COUNTS_MOVES,
        clause="ref-nodes",
        level=Level.MUST,
        title="ref-nodes answers a whole number.",
        procedure=ReadableNumber("ref-nodes", read_nodes, _about_nodes),
        kills=("nodes-decimals",),
        shares=Ability.REPORTS_SCORE,
    ),
    Check(
        id=Ability.REPORTS_SCORE,
        clause="ref-score",
        level=Level.MUST,
        title="ref-score answers a number from 0 to 1.",
        procedure=ReadableNumber("ref-score", read_score, _about_score),
        kills=("refscore-comma", "refscore-percent"),
    ),
)
