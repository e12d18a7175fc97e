"""Makes a list of searches with several processes of a bot at the same time, one thread for each process."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from harness.check.bot.errors import ExchangeError, TimeUpError
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import BotSearcher, EarlierLines, Searcher, SearchRecord
from harness.gtp import Exchange

NO_EARLIER_LINES = EarlierLines()
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
    earlier: EarlierLines = NO_EARLIER_LINES


def search_all(
    tasks: Sequence[Task], searchers: Sequence[Searcher], deadline: float
) -> list[TaskResult | None]:
    """Make the searches; return the results in the order of the tasks, None for a search not made in time.

    searchers   one for each process
    deadline    by the monotonic clock, in seconds; a search that has begun is not cut by it

    Raises UnusableBotError.
    """
    results: list[TaskResult | None] = [None] * len(tasks)
    search_into(results, tasks, searchers, deadline)
    return results


def search_into(
    results: list[TaskResult | None], tasks: Sequence[Task], searchers: Sequence[Searcher], deadline: float
) -> None:
    """Make the searches as `search_all` does, and write each result into `results` at the place of its task.

    So the caller has the results until then even after an error or an interrupt. The first searcher works in
    the calling thread, so that an interrupt reaches it. After its error or an interrupt the other searchers
    stop, and their unfinished searches give no result. An error of another searcher is raised, with the same
    effect, once the first one has made its searches. Raises UnusableBotError.
    """
    stop = threading.Event()

    def work(instance: int, numbers: Sequence[int]) -> None:
        for number in numbers:
            if stop.is_set() or time.monotonic() > deadline:
                return
            try:
                tried = _search_one(tasks[number], searchers[instance])
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
    """Split the tasks evenly by cost: return for each instance the indices of its tasks."""
    shares: list[list[int]] = [[] for _ in range(instances)]
    loads = [0.0] * instances
    for number, task in enumerate(tasks):
        least = loads.index(min(loads))
        shares[least].append(number)
        loads[least] += task.cost
    return shares


def _search_one(task: Task, searcher: Searcher) -> TaskResult:
    """Make one search; return its result or its ExchangeError. Raises TimeUpError and UnusableBotError."""
    searcher.take_record()
    earlier = searcher.earlier if isinstance(searcher, BotSearcher) else NO_EARLIER_LINES
    result: SearchRecord | ExchangeError
    try:
        result = searcher.search(task.probe, task.turn)
    except ExchangeError as error:
        result = error
    return TaskResult(result, searcher.take_record(), earlier)
