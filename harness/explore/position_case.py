"""`PositionCase`: a position with a deviation as the procedure of a check, which repeats the searches."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome, Phase, Requirements
from harness.check.procedures.search import BotSearcher, SearchRecord
from harness.explore.evidence import Account
from harness.explore.moves import Finding
from harness.explore.position_judge import PositionJudge
from harness.explore.positions import DrawnPosition

CERTAIN = math.log(1e8)
"""Log of the e-value that counts as certain. Chosen: a right bot reaches it at one position in 1e8, and weeks
of exploration search fewer."""

MOST_SEARCHES = 60
"""Most searches to repeat a deviation at one position. Chosen: weak evidence can become certain."""

HOPELESS_AFTER = 12
"""Searches from which a position without evidence is given up. Chosen: a fifth of MOST_SEARCHES."""


@dataclass(frozen=True)
class PositionRecord:
    """The searches of a position, and the deviation that they show (None: no deviation)."""

    searches: tuple[SearchRecord, ...]
    finding: Finding | None


@dataclass(frozen=True)
class PositionCase:
    """A position in which a bot deviates, as the procedure of a check.

    searches      most searches; they end as soon as the evidence is certain, or the position is hopeless
    cap_of_game   the bot was known to count the moves of the game towards the move cap
    """

    drawn: DrawnPosition
    searches: int = MOST_SEARCHES
    cap_of_game: bool = False

    phase = Phase.EXPLORATION
    requires = Requirements(playout_count=True)
    search_plan = None

    def describe(self) -> list[str]:
        """Describe the position."""
        probe = self.drawn.probe
        return [f"{probe.occasion}:", *probe.position.draw().splitlines()]

    def observe(self, session: Session) -> PositionRecord:
        """Search in a new process as `search` does. Raises BotError."""
        session.bot.fresh()
        assert session.playouts is not None, "the check asks for it"
        return self.search(session.bot, session.introduction.commands, session.playouts)

    def search(self, bot: Bot, commands: frozenset[str], playouts: int) -> PositionRecord:
        """Search in the running process until the evidence is certain, or `searches` times.

        From HOPELESS_AFTER searches on, stop if the evidence is for a right bot. Raises BotError.
        """
        judge = PositionJudge(self.drawn, playouts, cap_of_game=self.cap_of_game)
        searcher, account = BotSearcher(bot, commands), Account()
        for made in range(1, self.searches + 1):
            bot.take_record()
            proof, ratios = judge.judge_search(searcher.search(self.drawn.probe, 0))
            if proof is not None:
                return PositionRecord(tuple(judge.searches), proof)
            account.add(ratios)
            if account.log_e >= CERTAIN:
                return PositionRecord(tuple(judge.searches), judge.finding(account.best))
            if made >= HOPELESS_AFTER and account.log_e < 0.0:
                break
        return PositionRecord(tuple(judge.searches), None)

    def judge(self, observation: PositionRecord) -> Judgement:
        """Fail the bot if the searches show a deviation."""
        probe = self.drawn.probe
        judgement = judgement_of(observation, probe.occasion)
        if observation.finding is None:
            return judgement
        return replace(judgement, observed=f"{judgement.observed}\n{probe.position.draw()}")


def judgement_of(record: PositionRecord, where: str) -> Judgement:
    """Return the judgement of searches; `where` they were made, in words for the report."""
    made = len(record.searches)
    numbers = {"searches": float(made)}
    if record.finding is None:
        return Judgement(Outcome.PASS, "searches of a right bot", f"{made} such searches", numbers=numbers)
    clause, expected, observed = record.finding
    return Judgement(Outcome.FAIL, f"{where}: {expected}", observed, numbers=numbers, clause=clause)
