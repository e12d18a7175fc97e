"""Runs tasks (calls of a function of one argument) on the workers of a dask cluster; not used by matches."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from harness.tasks.connection import (
    LOCAL,
    MAX_LOST_WORKERS,
    ClusterError,
    ClusterGoneError,
    check_installed,
    connected,
    installed,
    lost_at_task,
    unable,
)
from harness.tasks.task_process import LostProcessError, packed, unpacked

if TYPE_CHECKING:
    from distributed import Client, Future

Argument = TypeVar("Argument")
Result = TypeVar("Result")
Notify = Callable[[str], object]

TICK = 0.5
"""Seconds between two progress updates while no task ends. Chosen: short enough to look alive."""


def ignore(_: str) -> None:
    """Do nothing: the default for `notify`."""


def wait_for_ended(client: Client, address: str, futures: Collection[Future]) -> Iterable[Future]:
    """Return the tasks that have ended, after waiting up to TICK for one. Raises ClusterGoneError.

    dask's `wait` asks for the current client, so call this within `client.as_current()`.
    """
    from distributed import wait

    found: Iterable[Future] = ()
    with suppress(TimeoutError):
        found = wait(list(futures), timeout=TICK, return_when="FIRST_COMPLETED").done
    if client.status != "running":
        raise ClusterGoneError(address)
    return found


class Workers:
    """The workers of a cluster, as they were at the last `look`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._threads: dict[str, int] = {}  # address: tasks at once

    @property
    def room(self) -> int:
        """Number of tasks that the workers compute at once."""
        return sum(self._threads.values())

    def look(self) -> tuple[list[str], bool]:
        """Update from the scheduler. Return the addresses of lost workers, and True if none is left."""
        now = dict(self._client.nthreads())
        lost = sorted(self._threads.keys() - now.keys())
        last = bool(self._threads) and not now
        self._threads = now
        return lost, last


@dataclass(frozen=True)
class ClusterPool:
    """The workers of a cluster, for one command.

    name      name of the command's plugin on the workers
    workers   number of tasks that they compute at once
    """

    client: Client
    address: str
    name: str
    workers: int

    def result_of(self, future: Future) -> bytes:
        """Return the result of a task that has ended. Raises ClusterError for lost or unfit workers."""
        from distributed import KilledWorker

        try:
            found: bytes = future.result()
        except (KilledWorker, LostProcessError):
            raise lost_at_task(self.address) from None
        except ClusterError as error:
            raise unable(self.address, error) from None
        return found

    @property
    def executor(self) -> Executor:
        """A `concurrent.futures` executor on the cluster, for many short tasks."""
        found: Executor = self.client.get_executor(pure=False)
        return found

    def each(
        self,
        function: Callable[[Argument], Result],
        arguments: Sequence[Argument],
        notify: Notify = ignore,
    ) -> Iterator[tuple[int, Result]]:
        """Yield (index, result) of each argument, as soon as it is computed. See `Tasks`."""
        tasks = Tasks(self, function, notify)
        try:
            for place, argument in enumerate(arguments):
                tasks.add(place, argument)
            while tasks.waiting:
                yield from tasks.take_ended()
        finally:
            tasks.drop()


class Tasks(Generic[Argument, Result]):
    """Calls of one function on the workers of a cluster, each in a process of its own.

    The function must be importable by name. `take_ended` raises the exceptions of the function. dask repeats
    the tasks of a lost worker on another one; `notify` gets a sentence about it.
    """

    def __init__(
        self, pool: ClusterPool, function: Callable[[Argument], Result], notify: Notify = ignore
    ) -> None:
        self._pool = pool
        self._function = function
        self._notify = notify
        self._workers = Workers(pool.client)
        self._places: dict[Future, tuple[int, bytes]] = {}

    @property
    def waiting(self) -> int:
        """Number of tasks without a result so far."""
        return len(self._places)

    def add(self, place: int, argument: Argument) -> None:
        """Add a task. `place` is a number that `take_ended` returns with its result."""
        self._submit(place, packed(self._function, argument))

    def take_ended(self) -> Iterator[tuple[int, Result]]:
        """Wait up to TICK, then yield (place, result) of each task that has ended. Raises ClusterError."""
        with self._pool.client.as_current():
            futures = wait_for_ended(self._pool.client, self._pool.address, self._places)
        for future in futures:
            place, task = self._places.pop(future)
            if future.status in ("finished", "error"):
                found: Result = unpacked(self._pool.result_of(future))
                future.release()
                yield place, found
            else:  # the dask scheduler dropped the task together with its worker
                self._submit(place, task)
        self._look_at_workers()

    def drop(self) -> None:
        """Cancel the tasks that have not started. Running tasks are stopped when the pool ends."""
        with suppress(Exception):  # the cluster may be gone, which is reported elsewhere
            self._pool.client.cancel(list(self._places))
        self._places.clear()

    def _submit(self, place: int, task: bytes) -> None:
        from harness.tasks.worker import compute

        retries = MAX_LOST_WORKERS - 1
        future = self._pool.client.submit(compute, self._pool.name, task, pure=False, retries=retries)
        self._places[future] = place, task

    def _look_at_workers(self) -> None:
        lost, last = self._workers.look()
        for address in lost:
            self._notify(f"the worker {address} was lost; its work is done again")
        if last:
            self._notify("no worker is left; waiting for one")


@contextmanager
def cluster_pool(address: str, workers: int) -> Iterator[ClusterPool]:
    """Connect to the dask scheduler at `address`, such as tcp://host:8786, and yield its pool.

    The address "local" starts `workers` processes on this machine. Raises ClusterError if no scheduler
    answers, if a worker has another version of conform, and if the cluster is lost before the block ends.
    """
    check_installed()
    from distributed import CancelledError, KilledWorker
    from distributed.comm import CommClosedError

    from harness.tasks.worker import TasksPlugin

    name = f"conform-{uuid.uuid4().hex}"
    with (
        connected(address, workers) as client,
        installed(client, address, TasksPlugin(name, local=address == LOCAL)),
    ):
        room = max(1, sum(client.nthreads().values()))
        try:
            yield ClusterPool(client, address, name, room)
        except KilledWorker:
            raise lost_at_task(address) from None
        except (CommClosedError, CancelledError, TimeoutError):
            raise ClusterGoneError(address) from None
