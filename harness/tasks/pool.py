"""Runs tasks (calls of a function of one argument) on the workers of a dask cluster.

Commands with the option --cluster use it, except match: `harness.arena.run.cluster` plays matches there.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from concurrent.futures import Future as Answer
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from harness.tasks.asking import Flight, Workers, answer_of
from harness.tasks.connection import (
    CONNECT_SECONDS,
    LOCAL,
    connected,
    plugin_installed,
    require_cluster_packages,
)
from harness.tasks.errors import MAX_LOST_WORKERS, ClusterError, ClusterGoneError, lost_at_task, unfit_workers
from harness.tasks.task_process import LostProcessError, pack_task, unpack_result

if TYPE_CHECKING:
    from distributed import Client

Argument = TypeVar("Argument")
Result = TypeVar("Result")
Notify = Callable[[str], object]


def ignore(_: str) -> None:
    """Do nothing: the default for `notify`."""


@dataclass(frozen=True)
class ClusterPool:
    """The workers of a cluster, for one command.

    name       name of the command's plugin on the workers
    capacity   number of tasks that the workers could compute at once when the pool began
    """

    client: Client
    address: str
    name: str
    capacity: int

    def result_of(self, answer: Answer[object]) -> bytes:
        """Return the result of a task that has ended. Raises ClusterError for lost or unfit workers."""
        from distributed import KilledWorker

        try:
            found = cast("bytes", answer.result())
        except (KilledWorker, LostProcessError):
            raise lost_at_task(self.address) from None
        except ClusterError as error:
            raise unfit_workers(self.address, error) from None
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
        """Yield (index of the argument, result), as soon as it is computed. See `Tasks`."""
        tasks = Tasks(self, function, notify)
        try:
            for index, argument in enumerate(arguments):
                tasks.add(index, argument)
            while tasks.waiting:
                yield from tasks.take_ended()
        finally:
            tasks.drop()


class Tasks(Generic[Argument, Result]):
    """Calls of one function on the workers of a cluster, each in a process of its own.

    The function must be importable by name. dask repeats the tasks of a lost worker on another one; `notify`
    gets a sentence about it.
    """

    def __init__(
        self, pool: ClusterPool, function: Callable[[Argument], Result], notify: Notify = ignore
    ) -> None:
        self._pool = pool
        self._function = function
        self._notify = notify
        self._workers = Workers(pool.client, pool.address)
        self._flight: Flight[tuple[int, bytes]] = Flight(pool.client, pool.address)

    @property
    def waiting(self) -> int:
        """Number of tasks without a result so far."""
        return len(self._flight)

    def add(self, number: int, argument: Argument) -> None:
        """Add a task. `take_ended` returns `number` with its result."""
        self._submit(number, pack_task(self._function, argument))

    def take_ended(self) -> Iterator[tuple[int, Result]]:
        """Wait up to TICK (of `asking`), then yield (number, result) of each task that has ended.

        Raises ClusterError, and the exceptions of the function.
        """
        for future, answer, (number, task) in self._flight.take_ended():
            if future.status in ("finished", "error"):
                found: Result = unpack_result(self._pool.result_of(answer))
                yield number, found
            else:  # the dask scheduler dropped the task together with its worker
                self._submit(number, task)
        self._look_at_workers()

    def drop(self) -> None:
        """Cancel the tasks that have not started. Running tasks are stopped when the pool ends."""
        client, tasks = self._pool.client, self._flight.drop()
        with suppress(Exception):  # the cluster may be gone, which is reported elsewhere
            answer_of(client, lambda: client.cancel(tasks), CONNECT_SECONDS)

    def _submit(self, number: int, task: bytes) -> None:
        """Send a task, as `pack_task` returns it, to the scheduler."""
        from harness.tasks.worker import compute

        retries = MAX_LOST_WORKERS - 1
        future = self._pool.client.submit(compute, self._pool.name, task, pure=False, retries=retries)
        self._flight.add(future, (number, task))

    def _look_at_workers(self) -> None:
        """Notify of lost workers. Raises ClusterGoneError."""
        lost, is_last = self._workers.look()
        for address in lost:
            self._notify(f"the worker {address} was lost; its work is done again")
        if is_last:
            self._notify("no worker is left; waiting for one")


@contextmanager
def cluster_pool(address: str, workers: int) -> Iterator[ClusterPool]:
    """Connect to the dask scheduler at `address`, such as tcp://host:8786, and yield its pool.

    The address "local" starts `workers` processes on this machine. Raises ClusterError if a package that
    clusters need is not installed, if no scheduler answers, if a worker has another version of conform, and
    if the cluster is lost before the block ends.
    """
    require_cluster_packages()
    from distributed import CancelledError, KilledWorker
    from distributed.comm import CommClosedError

    from harness.tasks.worker import TasksPlugin

    name = f"conform-{uuid.uuid4().hex}"
    with (
        connected(address, workers) as client,
        plugin_installed(client, address, TasksPlugin(name, local=address == LOCAL)),
    ):
        capacity = max(1, sum(client.nthreads().values()))
        try:
            yield ClusterPool(client, address, name, capacity)
        except KilledWorker:
            raise lost_at_task(address) from None
        except (CommClosedError, CancelledError, TimeoutError):
            raise ClusterGoneError(address) from None
