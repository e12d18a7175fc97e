"""`ref.nodes.*` and `ref.score.readable`: ref-nodes and ref-score answer readable numbers, with a clock too.

An unreadable answer is reported only here; the checks that would read it are blocked. After a pass without a
search, a bot may report 0, but not the numbers of the search before. With those it would fail every check in
a position without a candidate, so such checks run only if `ref.nodes.pass` has passed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from harness.check.bot.errors import UnreadableAnswerError
from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text
from harness.check.model import Ability, Judgement, Outcome, Requirements, failed, passed
from harness.check.positions import ONLY_WHITE_MOVES
from harness.check.procedures.conversation import Conversation, first_search, read_nodes, read_score
from harness.check.procedures.late_probes import short_search
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.check.procedures.search import READERS
from harness.check.procedures.time_commands import Clock, PlayoutsByTheClock
from harness.gtp import Exchange, parse_count
from harness.suite.statement import must, should


@dataclass(frozen=True)
class NumbersRecord:
    """The answers to ref-nodes and ref-score after a search, by command. The bot may lack one."""

    answers: Mapping[str, Exchange]


@dataclass(frozen=True)
class ReadableNumber(Conversation):
    """A search, then ref-nodes and ref-score. The answer to `command` must be a readable number."""

    command: str
    read: Callable[[Exchange], float]  # raises UnreadableAnswerError
    hint: Callable[[str], str]  # returns the hint for an unreadable text

    @property
    def requires(self) -> Requirements:
        """Requirements of the search."""
        return requirements(SentLine(line) for line in first_search(9))

    def observe(self, session: Session) -> NumbersRecord:
        """Ask for both numbers after one search: the check of the other number shares the answers.

        Ask only for those that the bot has. Make no search if it has none.
        """
        asked = [command for command in READERS if session.has(command)]
        if not asked:
            return NumbersRecord({})
        bot = session.bot
        bot.set_up(first_search(session.introduction.size))
        return NumbersRecord({command: bot.ask(f"{command}\n".encode("ascii")) for command in asked})

    def judge(self, observation: NumbersRecord) -> Judgement:
        """The bot must have the command, and answer a number that `read` can read."""
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


def _nodes_hint(text: str) -> str:
    """The hint for an answer to ref-nodes that is no count."""
    if any(mark in text for mark in ",._'"):
        return "a count is a whole number: digits alone, no decimals and no separators"
    return "answer the number of moves in all playouts of the last search, in digits, and nothing else"


def _score_hint(text: str) -> str:
    """The hint for an answer to ref-score that is no number from 0 to 1."""
    if "," in text:
        return "write a decimal point, whatever the locale is"
    try:
        above_one = float(text.rstrip("%")) > 1.0
    except ValueError:
        return "answer one number, and nothing else"
    if above_one:
        return "answer a share from 0 to 1: no percentage, and no sum of wins"
    return "answer a number from 0 to 1, the mean result for the side to move"


NO_CANDIDATE = Probe("no-candidate", ONLY_WHITE_MOVES, "b")
"""Black can only pass. A playout that Black begins with a pass still has moves."""


@dataclass(frozen=True)
class PassRecord:
    """The exchanges of a search and of a pass."""

    searched: Exchange  # ref-nodes after the search
    move: Exchange  # the genmove that should be a pass
    passed: Exchange  # ref-nodes after that move


@dataclass(frozen=True)
class PassReport(Conversation):
    """A search, then a new game in which the bot can only pass."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the two searches."""
        lines = (*short_search(9), *NO_CANDIDATE.setup(), NO_CANDIDATE.question(), b"ref-nodes\n")
        return requirements(map(SentLine, lines), 9)

    def observe(self, session: Session) -> PassRecord:
        """Ask for ref-nodes after each genmove."""
        bot = session.bot
        bot.set_up(short_search(9))
        searched = bot.ask(b"ref-nodes\n")
        bot.set_up(NO_CANDIDATE.setup())
        move = bot.ask(NO_CANDIDATE.question())
        return PassRecord(searched, move, bot.ask(b"ref-nodes\n"))

    def judge(self, observation: PassRecord) -> Judgement:
        """The two counts must differ: the search before has longer playouts.

        Skip if the bot does not pass, or if a count is unreadable or the first is 0.
        """
        searched, now = (parse_count(one.text) for one in (observation.searched, observation.passed))
        if observation.move.text.strip().lower() != "pass" or not searched or now is None:
            return Judgement(Outcome.SKIP, observed="the bot does not pass there, or counts nothing")
        expected = "ref-nodes → the moves of a search in this position, or 0 if there was none"
        observed = f"ref-nodes → {answer_text(observation.passed)}"
        if now == searched:
            return failed(expected, f"{observed}, as after the search before")
        return passed(expected, observed)


COUNTS = frozenset({Ability.COUNTS_MOVES, Ability.SEARCHES_AGAIN, Ability.CLEARS_THE_BOARD})
"""Abilities that a comparison of the counts of two searches needs."""

CHECKS = (
    must(Ability.COUNTS_MOVES, "ref-nodes answers a whole number.",
         ReadableNumber("ref-nodes", read_nodes, _nodes_hint), shares=Ability.REPORTS_SCORE,
         clause="ref-nodes", kills="nodes-decimals"),
    must(Ability.REPORTS_SCORE, "ref-score answers a number from 0 to 1.",
         ReadableNumber("ref-score", read_score, _score_hint),
         clause="ref-score", kills="refscore-comma refscore-percent"),
    must(Ability.REPORTS_PASSES,
         "After a pass without a search, ref-nodes does not describe the search before.",
         PassReport(),
         clause="ref-nodes", hint="set the sums to 0 before genmove looks for candidates",
         kills="pass-keeps-report", tolerates="pass-without-search"),
    must("ref.nodes.clock-ample",
         "A search has as many playouts with ample time on the clock as without a clock.",
         PlayoutsByTheClock((Clock("600 0 0", "600 0"), Clock("0 30 1", "30 1"))),
         requires=Requirements(commands=("ref-nodes",), optional_commands=("time_settings",), board_size=9,
                               abilities=COUNTS),
         clause="ref-nodes",
         hint="accept time_settings and time_left, and make the fixed number of playouts all the same",
         kills="clock-halves-playouts", tolerates="hurried"),
    should("ref.nodes.clock-short", "A search has as many playouts with a second left as without a clock.",
         PlayoutsByTheClock((Clock("600 0 0", "1 0"),)),
         requires=Requirements(commands=("ref-nodes",), optional_commands=("time_settings", "time_left"),
                               board_size=9, abilities=COUNTS),
         clause="ref-nodes", hint="accept time_left, and make the fixed number of playouts all the same"),
)  # fmt: skip
