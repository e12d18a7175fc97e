"""Searches by several processes of a bot, and the checks that such processes do not repeat each other."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from harness.check.bot.errors import ExchangeError, TimeUpError
from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome, failed, passed
from harness.check.procedures.conversation import Conversation
from harness.check.procedures.probe import Probe, empty_board
from harness.check.procedures.search import BotSearcher, Earlier, Searcher, SearchRecord
from harness.gtp import Exchange

NOTHING_EARLIER = Earlier()
"""The lines before a search of a new process, or of a simulated bot."""


@dataclass(frozen=True)
class Task:
    """One search to make."""

    probe: Probe
    turn: int  # number of the board symmetry under which the bot gets the position
    cost: float  # in moves of playouts


@dataclass(frozen=True)
class TaskResult:
    """Result of a task: a search, or the error that prevented it, with the exchanges and the lines before."""

    result: SearchRecord | ExchangeError
    record: tuple[Exchange, ...]
    earlier: Earlier = NOTHING_EARLIER


def try_all(tasks: Sequence[Task], searchers: Sequence[Searcher], deadline: float) -> list[TaskResult | None]:
    """Make the searches; return a result for each task, None after the deadline.

    `searchers`: one for each process. Raises UnusableBotError.
    """
    results: list[TaskResult | None] = [None] * len(tasks)
    try_into(results, tasks, searchers, deadline)
    return results


def try_into(
    results: list[TaskResult | None], tasks: Sequence[Task], searchers: Sequence[Searcher], deadline: float
) -> None:
    """Make the searches as `try_all` does; write the results into `results`, which keeps them after an error.

    The first searcher works in the calling thread, so that an interrupt reaches it. After an error or an
    interrupt the other searchers stop, and their unfinished searches give no result. Raises UnusableBotError.
    """
    stop = threading.Event()

    def work(instance: int, numbers: Sequence[int]) -> None:
        for number in numbers:
            if stop.is_set() or time.monotonic() > deadline:
                return
            try:
                tried = _try(tasks[number], searchers[instance])
            except TimeUpError:
                return
            if not stop.is_set():  # else the search may have been aborted
                results[number] = tried

    shares = _shares(tasks, len(searchers))
    if len(searchers) == 1:
        work(0, shares[0])
        return
    with ThreadPoolExecutor(len(searchers) - 1) as pool:
        others = [pool.submit(work, n, shares[n]) for n in range(1, len(searchers))]
        try:
            work(0, shares[0])
            for other in others:
                other.result()
        except BaseException:
            stop.set()
            for searcher in searchers[1:]:
                searcher.abort()
            raise


def _shares(tasks: Sequence[Task], instances: int) -> list[list[int]]:
    """Split the tasks by cost: return the numbers of the tasks of each instance."""
    shares: list[list[int]] = [[] for _ in range(instances)]
    loads = [0.0] * instances
    for number, task in enumerate(tasks):
        least = loads.index(min(loads))
        shares[least].append(number)
        loads[least] += task.cost
    return shares


def _try(task: Task, searcher: Searcher) -> TaskResult:
    searcher.take_record()
    earlier = searcher.earlier if isinstance(searcher, BotSearcher) else NOTHING_EARLIER
    result: SearchRecord | ExchangeError
    try:
        result = searcher.search(task.probe, task.turn)
    except ExchangeError as error:
        result = error
    return TaskResult(result, searcher.take_record(), earlier)


SEARCHES = 2
"""Searches of each process, as long as all agree: right bots agree in both with a chance below 1 in 10^8."""

LATER = 1.1
"""Seconds from the first two starts to the third: a clock of whole seconds then shows another time."""

EARLY_IN_SECOND = 0.7
"""Fraction of a second after which the first two processes wait for the next second to start.

Chosen: the other 0.3 s are enough for two starts, so that both see the same second.
"""

Answers = tuple[tuple[str, int | None, float | None], ...]


@dataclass(frozen=True)
class TwinRecord:
    """The searches of three processes at one position: two that start together, one that starts later.

    The third searches only if the first two agree. Processes of a bot that allows one at a time start one
    after the other.
    """

    first: Answers
    second: Answers
    later: Answers
    together: bool = True  # whether the first two ran at the same time

    @property
    def twins_agree(self) -> bool:
        """True if the first two processes made the same searches."""
        return bool(self.first) and self.first == self.second

    @property
    def all_agree(self) -> bool:
        """True if all three processes made the same searches."""
        return self.twins_agree and self.first == self.later


class TwinProcesses(Conversation):
    """Searches of the empty board by two processes that start together, and by one that starts later."""

    def observe(self, session: Session) -> TwinRecord:
        """Start the processes, search with each."""
        if not session.bot.allows_two_instances():
            return _one_at_a_time(session)
        with ExitStack() as of_first, ExitStack() as stack:
            first = of_first.enter_context(session.bot.twin(1))
            second, later = (stack.enter_context(session.bot.twin(number)) for number in (2, 3))
            session.bot.wait_until(_next_early_moment())
            for bot in (first, second):
                bot.start()
            began = time.monotonic()
            searchers = [BotSearcher(bot, session.introduction.commands) for bot in (first, second)]
            together = _search(searchers)
            if together[0] != together[1]:
                session.bot.keep(first)  # it will search later in this run
                of_first.pop_all()
                return TwinRecord(together[0], together[1], ())
            session.bot.wait_until(began + LATER)
            last = _search([BotSearcher(later, session.introduction.commands)])
        return TwinRecord(together[0], together[1], last[0])


@dataclass(frozen=True)
class NoClockSeed(TwinProcesses):
    """`ref.fresh.clock`: processes that start in the same second make different searches."""

    def judge(self, observation: TwinRecord) -> Judgement:
        """Processes that agree only when they start together take their seed from the clock."""
        expected = "different searches by processes that start in the same second"
        if not observation.together:
            return Judgement(Outcome.SKIP, observed="the bot runs one process at a time")
        if observation.twins_agree and not observation.all_agree:
            seen = (
                f"the same {len(observation.first)} searches by both, others by a process that starts later"
            )
            return failed(expected, seen)
        return passed(expected)


@dataclass(frozen=True)
class NoFixedSeed(TwinProcesses):
    """`ref.fresh.processes`: every process makes searches of its own."""

    def judge(self, observation: TwinRecord) -> Judgement:
        """Not all processes may agree."""
        expected = "different searches by different processes"
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
    """Let each search until they differ; return empty answers if a bot fails: other checks report it."""
    probe = empty_board(7.5)
    answers: list[Answers] = [()] * len(searchers)
    for _ in range(SEARCHES):
        tasks = [Task(probe, 0, 1.0) for _ in searchers]
        for number, tried in enumerate(try_all(tasks, searchers, math.inf)):
            if tried is None or not isinstance(tried.result, SearchRecord):
                return [()] * len(searchers)
            found = tried.result
            answers[number] = (*answers[number], (found.move, found.nodes, found.score))
        if len(set(answers)) > 1:
            break
    return answers


def _next_early_moment() -> float:
    """Return the next moment in the first part of a second of the wall clock, by the monotonic clock."""
    fraction = time.time() % 1.0
    return time.monotonic() + (0.0 if fraction < EARLY_IN_SECOND else 1.0 - fraction)
