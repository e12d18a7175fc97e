"""Plays the games of a run on several machines with dask.distributed.

A task is two games with colours exchanged, or a single game. dask repeats the tasks of a lost worker; a game
that is returned twice is stored once. `distributed` is an optional dependency and slow to import, so only
functions that use it import it.
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future as Answer  # the result of a task; `Future` of dask is the task
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from harness.arena.config.tables import MatchConfig
from harness.arena.errors import PlayError
from harness.arena.records import Game
from harness.arena.run.coordinator import Coordinator, too_many_lost
from harness.arena.run.events import Event
from harness.arena.run.runner import wanted_workers
from harness.arena.run.stop import Stop
from harness.arena.run.worker import KILL_SECONDS, FinishedOrder, store_games
from harness.arena.store.errors import StoreError, UnsoundPartError
from harness.arena.store.store import Store
from harness.gtp import orphans_of_children
from harness.tasks import (
    LOCAL,
    ClusterError,
    ClusterGoneError,
    Flight,
    Workers,
    connected,
    in_one_line,
    plugin_installed,
    require_cluster_packages,
    unfit_workers,
)

if TYPE_CHECKING:
    from distributed import Client, Future


TASKS_AHEAD = 2
"""Tasks per worker while games are short. Chosen: one in play and the next one, so no worker waits."""

MOST_FRUITLESS = 3
"""Tasks in a row that may return no game. Chosen: a worker that leaves returns one such task."""


@dataclass(frozen=True)
class Cluster:
    """A cluster whose workers can start the engines of a run."""

    client: Client
    address: str
    run: str  # name of the run on the cluster


@contextmanager
def cluster_for(config: MatchConfig, address: str, stop: Stop | None = None) -> Iterator[Cluster]:
    """Connect to the dask scheduler at `address` (tcp://host:8786, or "local") and prepare its workers.

    Raises ClusterError, before anything is written, if no scheduler answers, PlayError if workers cannot
    play, and KeyboardInterrupt if `stop` is asked for while the workers are prepared.
    """
    require_cluster_packages()
    from harness.arena.run.cluster_worker import EnginesPlugin

    run = f"conform-{uuid.uuid4().hex}"
    with connected(address, wanted_workers(config)) as client:
        plugin = EnginesPlugin(run, config, local=address == LOCAL)
        stopped = (lambda: stop.asked > 0) if stop else (lambda: False)
        with plugin_installed(client, address, plugin, (PlayError,), stopped):
            yield Cluster(client, address, run)


class ClusterRunner:
    """One start of a run on a cluster."""

    def __init__(
        self,
        cluster: Cluster,
        config: MatchConfig,
        store: Store,
        stop: Stop | None = None,
    ) -> None:
        self._client = cluster.client
        self._cluster = cluster
        self._store = store
        self.coordinator = Coordinator(config, store, stop)
        self._flight: Flight[tuple[Game, ...]] = Flight(cluster.client, cluster.address)
        self._numbers = itertools.count()  # of tasks
        self._fruitless = 0  # tasks in a row that returned no game
        self._workers = Workers(cluster.client, cluster.address)

    def play(self) -> Generator[Event, None, bool]:
        """Play until no game is left, or until a stop; yield the events.

        Return what `Coordinator.end` returns. Raises PlayError, ClusterError and StoreError.
        """
        from distributed.comm import CommClosedError

        yield from self.coordinator.begin()
        try:
            with orphans_of_children(KILL_SECONDS):  # the workers of a local cluster are children
                yield from self._loop()
        except (CommClosedError, TimeoutError, ClusterGoneError):
            error = ClusterGoneError(self._cluster.address)
            raise ClusterError(
                f"{error}; all finished games are stored; run the same command again to continue"
            ) from None
        finally:
            self._flight.drop()
        return (yield from self.coordinator.end())

    def _loop(self) -> Iterator[Event]:
        stop = self.coordinator.stop
        self._check_workers()
        self._submit()
        while self._flight and stop.asked < 2:
            yield from self.coordinator.take_events()  # before the wait
            for task, answer, games in self._flight.take_ended():
                self._receive(task, answer, games)
            self._check_workers()
            self._submit()
            yield from self.coordinator.update()

    def _submit(self) -> None:
        """Submit tasks up to the limit of the workers. Without a worker, submit one, which waits."""
        from harness.arena.run.cluster_worker import play_games

        room = self._workers.capacity * (TASKS_AHEAD if self.coordinator.games_are_short else 1)
        while len(self._flight) < max(1, room):
            games = self.coordinator.next_pair()
            if not games:
                return
            run, number = self._cluster.run, next(self._numbers)
            # dask would answer a key that it knows with the result of the earlier task.
            future = self._client.submit(
                play_games, run, games, key=f"{run}-{number}-{games[0].id}", pure=False
            )
            self._flight.add(future, games)

    def _receive(self, task: Future, answer: Answer[object], games: Sequence[Game]) -> None:
        """Take the result of a task that has ended. Games that it did not play are given out again.

        Raises the error of the task, as PlayError or ClusterError.
        """
        from distributed import KilledWorker

        if task.status == "error":
            error = answer.exception()
            assert error is not None
            if isinstance(error, KilledWorker):
                raise too_many_lost(games[0])
            raise (error if isinstance(error, PlayError) else unfit_workers(self._cluster.address, error))
        if task.status != "finished" or answer.cancelled():
            self._give_back(games)  # the dask scheduler dropped the task together with its worker
            return
        order = self._store_results(games, answer)
        played = len(order.games) + len(order.repeated)
        self._give_back(games[played:])  # the worker is leaving
        self.coordinator.on_games_stored(order.games)

    def _store_results(self, games: Sequence[Game], answer: Answer[object]) -> FinishedOrder:
        """Store the results of these games from a worker. They have this order; the last may be missing.

        A worker of another machine may be broken. Nothing that it returns may damage the run. Raises
        ClusterError for any other result, and for more than MOST_FRUITLESS tasks in a row without a game.
        """
        from distributed.comm import CommClosedError

        try:
            played = cast("Any", answer.result())
            returned = [(done.summary.game, rows.game_id) for done, rows in played]
            if returned != [(game, game.id) for game in games[: len(returned)]]:
                raise UnsoundPartError("it has other games than were asked for")
            self._fruitless = 0 if returned else self._fruitless + 1
            if self._fruitless > MOST_FRUITLESS:
                raise UnsoundPartError("it is empty again")
            return store_games(self._store, played, check=True)
        except (CommClosedError, TimeoutError, StoreError):
            raise
        except Exception as error:  # any object, of any type
            raise ClusterError(
                f"a worker of {self._cluster.address} sent a wrong answer for the games "
                f"{', '.join(game.id for game in games)} ({in_one_line(error)}). Earlier games are stored. "
                "Read the logs of the workers, restart them, then run the same command again."
            ) from None

    def _give_back(self, games: Sequence[Game]) -> None:
        for game in games:
            self.coordinator.give_back(game)

    def _check_workers(self) -> None:
        """Report lost workers. dask gives their tasks to other workers."""
        lost, is_last = self._workers.look()
        for address in lost:
            self.coordinator.on_worker_lost(
                f"worker {address}", f"the worker {address} was lost; its games are played again"
            )
        if is_last:
            self.coordinator.on_worker_lost("all workers", "no worker is left; waiting for one")
