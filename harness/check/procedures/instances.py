"""The searches of one round, spread over the instances of a bot."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from harness.check.bot.errors import ExchangeError, TimeUpError
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import Searcher, SearchRecord
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
