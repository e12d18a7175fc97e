"""`ref.nodes.pass`: what a bot reports of a pass that no search could have changed.

It may search all the same, or pass at once and report 0. A bot that passes at once and reports the search
before would fail every search in such a position, so that those wait for this check.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.bot.wording import answer_text
from harness.check.model import Ability, Check, Judgement, Level, Outcome, Requirements, failed, passed
from harness.check.positions import ONLY_WHITE_MOVES
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.late_probes import short_search
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange, parse_count

NO_CANDIDATE = Probe("no-candidate", ONLY_WHITE_MOVES, "b")


@dataclass(frozen=True)
class PassRecord:
    """The answers to ref-nodes after a search and after the pass, and the pass itself."""

    searched: Exchange
    move: Exchange
    passed: Exchange


@dataclass(frozen=True)
class PassReport(Conversation):
    """A search, then a new game in which the bot can only pass."""

    @property
    def requires(self) -> Requirements:
        """Requirements of the two searches."""
        lines = (*short_search(9), *NO_CANDIDATE.setup(), NO_CANDIDATE.question(), b"ref-nodes\n")
        return requirements(map(SentLine, lines), 9)

    def observe(self, session: Session) -> PassRecord:
        """Ask for the count of each."""
        bot = session.bot
        bot.set_up(short_search(9))
        searched = bot.ask(b"ref-nodes\n")
        bot.set_up(NO_CANDIDATE.setup())
        move = bot.ask(NO_CANDIDATE.question())
        return PassRecord(searched, move, bot.ask(b"ref-nodes\n"))

    def judge(self, observation: PassRecord) -> Judgement:
        """The count must not be that of the search before: its playouts are longer."""
        searched, now = (parse_count(one.text) for one in (observation.searched, observation.passed))
        if observation.move.text.strip().lower() != "pass" or not searched or now is None:
            return Judgement(Outcome.SKIP, observed="the bot does not pass there, or counts nothing")
        expected = "ref-nodes → the moves of a search in this position, or 0 if there was none"
        observed = f"ref-nodes → {answer_text(observation.passed)}"
        if now == searched:
            return failed(expected, f"{observed}, as after the search before")
        return passed(expected, observed)


CHECKS = (
    Check(
        id=Ability.REPORTS_PASSES,
        clause="ref-nodes",
        level=Level.MUST,
        title="After a pass without a search, ref-nodes does not describe the search before.",
        procedure=PassReport(),
        hint="set the sums to 0 before genmove looks for candidates",
        tolerates=("pass-without-search",),
        kills=("pass-keeps-report",),
    ),
)
