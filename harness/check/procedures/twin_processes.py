"""Checks that several processes of a bot do not repeat each other's searches."""

from __future__ import annotations

import math
import time
from contextlib import ExitStack
from dataclasses import dataclass

from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.instances import Task, search_all
from harness.check.procedures.probe import empty_board
from harness.check.procedures.search import BotSearcher, SearchRecord

SEARCHES = 2
"""Searches of each process, as long as all agree: right bots agree in both with a chance below 1 in 10^8."""

LATER = 1.1
"""Seconds from the first two starts to the third: a clock of whole seconds then shows another time."""

EARLY_IN_SECOND = 0.7
"""The first two processes start within this fraction of a second of the wall clock, or wait for the next one.

Chosen: the other 0.3 s are enough for two starts, so that both see the same second.
"""

FAILED_SEARCH = Judgement(Outcome.SKIP, observed="a search failed, which other checks report")

Answers = tuple[tuple[str, int | None, float | None], ...]
"""The searches of one process, each as (move, ref-nodes, ref-score); empty if a search failed."""


@dataclass(frozen=True)
class TwinRecord:
    """The searches of three processes at one position: two that start together, one that starts later.

    If the first two run together and differ, the third makes no search. If the bot allows one process at a
    time, the three run one after the other, and each makes all searches.
    """

    first: Answers
    second: Answers
    later: Answers
    together: bool = True  # the first two ran at the same time

    @property
    def is_whole(self) -> bool:
        """True if no search failed that the record needs."""
        first_two = bool(self.first) and bool(self.second)
        return first_two and (self.first != self.second or bool(self.later))

    @property
    def first_two_agree(self) -> bool:
        """True if the first two processes made the same searches, at least one."""
        return bool(self.first) and self.first == self.second

    @property
    def all_agree(self) -> bool:
        """True if all three processes made the same searches, at least one."""
        return self.first_two_agree and self.first == self.later


class TwinProcesses(Conversation):
    """Searches of the empty board by two processes that start together, and by one that starts later.

    Subclasses judge. If the bot allows one process at a time, three run one after the other.
    """

    def observe(self, session: Session) -> TwinRecord:
        """Start the processes, and search with each. Keep the first for later checks if it differs."""
        if not session.bot.allows_two_instances():
            return _one_at_a_time(session)
        with ExitStack() as of_first, ExitStack() as stack:
            first = of_first.enter_context(session.bot.another_instance(1))
            second, later = (stack.enter_context(session.bot.another_instance(number)) for number in (2, 3))
            session.bot.wait_until(_next_early_moment())
            for bot in (first, second):
                bot.start()
            began = time.monotonic()
            searchers = [BotSearcher(bot, session.introduction.commands) for bot in (first, second)]
            together = _search(searchers)
            if together[0] != together[1]:
                session.bot.keep_instance(first)  # it will search later in this run
                of_first.pop_all()
                return TwinRecord(together[0], together[1], ())
            session.bot.wait_until(began + LATER)
            last = _search([BotSearcher(later, session.introduction.commands)])
        return TwinRecord(together[0], together[1], last[0])


@dataclass(frozen=True)
class NoClockSeed(TwinProcesses):
    """`ref.fresh.clock`: processes that start in the same second make different searches."""

    def judge(self, observation: TwinRecord) -> Judgement:
        """The first two may not agree if the third differs: their seed is then the time of their start.

        Skipped if all agree: `NoFixedSeed` reports that.
        """
        expected = "different searches by processes that start in the same second"
        if not observation.together:
            return Judgement(Outcome.SKIP, observed="the bot runs one process at a time")
        if not observation.is_whole:
            return FAILED_SEARCH
        if observation.all_agree:
            return Judgement(
                Outcome.SKIP, observed="every process makes the same searches, whenever it starts"
            )
        if observation.first_two_agree:
            seen = (
                f"the same {len(observation.first)} searches by both, others by a process that starts later"
            )
            return failed(expected, seen)
        return passed(expected)


@dataclass(frozen=True)
class NoFixedSeed(TwinProcesses):
    """`ref.fresh.processes`: every process makes searches of its own."""

    def judge(self, observation: TwinRecord) -> Judgement:
        """The three processes may not all agree."""
        expected = "different searches by different processes"
        if not observation.is_whole:
            return FAILED_SEARCH
        if observation.all_agree:
            return failed(expected, f"the same {len(observation.first)} searches by all three processes")
        return passed(expected)


def _one_at_a_time(session: Session) -> TwinRecord:
    """Search with three processes, each started after the end of the one before."""
    searcher = BotSearcher(session.bot, session.introduction.commands)
    found: list[Answers] = []
    for _ in range(3):
        session.bot.fresh()
        found += _search([searcher])
    first, second, later = found
    return TwinRecord(first, second, later, together=False)


def _search(searchers: list[BotSearcher]) -> list[Answers]:
    """Make SEARCHES searches with each process, or fewer once they differ; return the answers of each.

    If a search fails, all answers are empty. Other checks report the failure.
    """
    probe = empty_board(7.5)
    answers: list[Answers] = [()] * len(searchers)
    for _ in range(SEARCHES):
        tasks = [Task(probe, 0, 1.0) for _ in searchers]
        for number, tried in enumerate(search_all(tasks, searchers, math.inf)):
            if tried is None or not isinstance(tried.result, SearchRecord):
                return [()] * len(searchers)
            found = tried.result
            answers[number] = (*answers[number], (found.move, found.nodes, found.score))
        if len(set(answers)) > 1:
            break
    return answers


def _next_early_moment() -> float:
    """Return the next moment early in a second of the wall clock (maybe now), by the monotonic clock."""
    fraction = time.time() % 1.0
    return time.monotonic() + (0.0 if fraction < EARLY_IN_SECOND else 1.0 - fraction)
