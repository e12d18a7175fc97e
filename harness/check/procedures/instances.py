"""Searches spread over instances of a bot, which must not draw the same random numbers."""

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
from harness.check.procedures.search import BotSearcher, Searcher, SearchRecord
from harness.gtp import Exchange


@dataclass(frozen=True)
class Task:
    """One search to make: where, under which symmetry, and its cost in moves of playouts."""

    probe: Probe
    turn: int
    cost: float


@dataclass(frozen=True)
class Tried:
    """Result of a task: a search or the reason why there is none, with the exchanges."""

    result: SearchRecord | ExchangeError
    record: tuple[Exchange, ...]


def try_all(tasks: Sequence[Task], searchers: Sequence[Searcher], deadline: float) -> list[Tried | None]:
    """Make the searches; the results in the order of the tasks, None for those the deadline cut off.

    Raises UnusableBotError.
    """
    results: list[Tried | None] = [None] * len(tasks)
    try_into(results, tasks, searchers, deadline)
    return results


def try_into(
    results: list[Tried | None], tasks: Sequence[Task], searchers: Sequence[Searcher], deadline: float
) -> None:
    """Do as `try_all` does, with the results in a list of the caller, who keeps them after an error.

    Each instance takes its tasks in their order. The first instance works in the calling thread, so that an
    interrupt reaches it; the others are then stopped, and what they were at is no result. Raises
    UnusableBotError.
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
    """The numbers of the tasks for each instance: each task goes to the instance with the least to do."""
    shares: list[list[int]] = [[] for _ in range(instances)]
    loads = [0.0] * instances
    for number, task in enumerate(tasks):
        least = loads.index(min(loads))
        shares[least].append(number)
        loads[least] += task.cost
    return shares


def _try(task: Task, searcher: Searcher) -> Tried:
    searcher.take_record()
    result: SearchRecord | ExchangeError
    try:
        result = searcher.search(task.probe, task.turn)
    except ExchangeError as error:
        result = error
    return Tried(result, searcher.take_record())


SEARCHES = 2
"""Searches of each process while they agree: right processes agree in both with a chance below 1 in 10^8."""

LATER = 1.1
"""Seconds between the first starts and the last: a clock that counts whole seconds has moved on."""

EARLY_IN_SECOND = 0.7
"""Part of a second in which the first two processes start; chosen: the rest is long for two starts."""

Answers = tuple[tuple[str, int | None, float | None], ...]


@dataclass(frozen=True)
class TwinRecord:
    """The answers of three processes to the same searches: two that start together, one that starts later.

    The third is asked only if the first two agree. Where the bot allows one process at a time, they start one
    after the other.
    """

    first: Answers
    second: Answers
    later: Answers
    together: bool = True  # whether the first two ran at the same time

    @property
    def twins_agree(self) -> bool:
        """True if the two that started together repeat each other."""
        return bool(self.first) and self.first == self.second

    @property
    def all_agree(self) -> bool:
        """True if all three repeat each other."""
        return self.twins_agree and self.first == self.later


class TwinProcesses(Conversation):
    """Searches of the empty board by processes that start together; if need be by one that starts later."""

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
            searchers = [BotSearcher(bot, session.profile.commands) for bot in (first, second)]
            together = _search(searchers)
            if together[0] != together[1]:
                session.bot.keep(first)  # for the searches of the run
                of_first.pop_all()
                return TwinRecord(together[0], together[1], ())
            session.bot.wait_until(began + LATER)
            last = _search([BotSearcher(later, session.profile.commands)])
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
    searcher = BotSearcher(session.bot, session.profile.commands)
    found: list[Answers] = []
    for _ in range(3):
        session.bot.fresh()
        found += _search([searcher])
    first, second, later = found
    return TwinRecord(first, second, later, together=False)


def _search(searchers: list[BotSearcher]) -> list[Answers]:
    """Searches by each until they differ; empty where a bot fails, which other checks report."""
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
    """The next moment early in a second of the wall clock, by the monotonic clock."""
    fraction = time.time() % 1.0
    return time.monotonic() + (0.0 if fraction < EARLY_IN_SECOND else 1.0 - fraction)
