"""Requests to a dask cluster. None of them waits for ever: a scheduler or a worker may be stopped.

dask's own synchronous calls wait as long as the other machine keeps its connection open. In this package, a
`Future` (of dask) is a task, and an `Answer` (a future of Python) is its result, which may not be there yet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures import Future as Answer
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from harness.tasks.errors import ClusterGoneError

if TYPE_CHECKING:
    from distributed import Client, Future

Result = TypeVar("Result")
About = TypeVar("About")

TICK = 0.5
"""Most seconds that a look at the cluster waits. Chosen: the shown progress looks alive."""

MOST_UNANSWERED = 60
"""The scheduler is given up after this many calls of `Workers.look` in a row without an answer. Chosen: about
60 s, because callers wait in `Flight.take_ended` before each; dask itself gives up a network after 40 s."""


def ask(client: Client, call: Callable[[], Awaitable[Result]]) -> Answer[Result]:
    """Start `call`, which returns an awaitable of dask, in the thread of the client. Does not wait."""

    async def answer() -> Result:
        return await call()

    return asyncio.run_coroutine_threadsafe(answer(), client.loop.asyncio_loop)


def answer_of(client: Client, call: Callable[[], Awaitable[Result]], seconds: float) -> Result:
    """Start `call` by `ask`, and return its answer. Raises its error, or TimeoutError after `seconds`."""
    answer = ask(client, call)
    try:
        return answer.result(seconds)
    finally:
        answer.cancel()


class Losses(NamedTuple):
    """The workers that were lost since the last look."""

    addresses: list[str]
    is_last: bool  # these were the last workers; False if there was none before, either


class Workers:
    """The workers of a cluster, as they were at the last answer to `look`; none before the first answer."""

    def __init__(self, client: Client, address: str, most_unanswered: int = MOST_UNANSWERED) -> None:
        self._client = client
        self._address = address
        self._most_unanswered = most_unanswered
        self._threads: dict[str, int] = {}  # address: tasks at once
        self._question: Answer[dict[str, int]] | None = None
        self._unanswered = 0  # looks in a row; no clock, which would count the time of a stopped command

    @property
    def capacity(self) -> int:
        """Number of tasks that the workers compute at once, the running ones included."""
        return sum(self._threads.values())

    def look(self) -> Losses:
        """Ask the scheduler for its workers. Return those that were lost since the last look.

        Waits up to TICK for the answer. Without an answer, it returns no lost worker, and the next look waits
        for the same answer. Raises ClusterGoneError for a failed request, and for `most_unanswered` looks in
        a row without an answer.
        """
        self._question = self._question or ask(self._client, self._client.nthreads)
        if not wait([self._question], TICK).done:
            self._unanswered += 1
            if self._unanswered >= self._most_unanswered:
                raise ClusterGoneError(self._address)
            return Losses([], is_last=False)
        try:
            now = dict(self._question.result())
        except Exception as error:  # whatever dask raises for a lost scheduler
            raise ClusterGoneError(self._address) from error
        self._question, self._unanswered = None, 0
        lost = sorted(self._threads.keys() - now.keys())
        is_last = bool(self._threads) and not now
        self._threads = now
        return Losses(lost, is_last)


class Flight(Generic[About]):
    """The submitted tasks of one command on a cluster, each with the caller's note `about` it.

    Each result is fetched separately, so a stopped worker delays only its own results.
    """

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        self._address = address
        self._tasks: dict[Answer[object], tuple[Future, About]] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def add(self, task: Future, about: About) -> None:
        """Add a task that was submitted."""
        self._tasks[ask(self._client, lambda: task)] = task, about  # a future of dask can be awaited

    def take_ended(self) -> Iterator[tuple[Future, Answer[object], About]]:
        """Wait up to TICK, then yield each task that has ended, its answer, and what it is about.

        The answer holds the result of a task with the status "finished". A task that has another status
        than "finished" or "error" was dropped together with its worker. Does not wait if there is no task.
        Raises ClusterGoneError if the client has lost the scheduler.
        """
        ended = wait(self._tasks, TICK, FIRST_COMPLETED).done
        if self._client.status != "running":
            raise ClusterGoneError(self._address)
        for answer in ended:
            task, about = self._tasks.pop(answer)
            yield task, answer, about

    def drop(self) -> list[Future]:
        """Stop waiting for all tasks, which go on. Return them."""
        tasks = [task for task, _ in self._tasks.values()]
        for answer in self._tasks:
            with suppress(RuntimeError):  # the client was closed
                answer.cancel()
        self._tasks.clear()
        return tasks
