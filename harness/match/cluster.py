"""Plays the games of a run on several machines with dask.distributed. A task is two games, colours exchanged.

dask sends tasks to workers, and repeats the tasks of a lost worker. A game that comes back twice is stored
once. `distributed` is an optional dependency and slow to import, so only functions that use it import it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.gtp import orphans_of_children
from harness.match.cluster_connection import LOCAL, check_installed, connected, unable
from harness.match.config import MatchConfig
from harness.match.coordinator import TICK, Coordinator, Observer, Stop, too_many_lost
from harness.match.errors import PlayError
from harness.match.records import Game
from harness.match.runner import GAMES_AHEAD, wanted_workers
from harness.match.store import Store
from harness.match.worker import KILL_SECONDS

if TYPE_CHECKING:
    from distributed import Client, Future


@dataclass(frozen=True)
class Cluster:
    """A cluster whose workers can start the engines of a run."""

    client: Client
    address: str
    run: str  # name of the run on the cluster


@contextmanager
def cluster_for(config: MatchConfig, address: str) -> Iterator[Cluster]:
    """Connect to the dask scheduler at `address` (tcp://host:8786, or "local") and prepare its workers.

    Raises PlayError, before anything is written, if no scheduler answers or its workers cannot play.
    """
    check_installed()
    from harness.match.cluster_worker import EnginesPlugin

    with connected(address, wanted_workers(config)) as client:
        run = f"conform-{uuid.uuid4().hex}"
        try:
            client.register_plugin(EnginesPlugin(run, config, local=address == LOCAL))
        except PlayError:
            raise
        except Exception as error:  # any error of a worker without conform, or with another dask
            raise PlayError(unable(address, error)) from None
        try:
            yield Cluster(client, address, run)
        finally:
            with suppress(Exception):  # workers may be gone, which is reported elsewhere
                client.unregister_worker_plugin(run)


class ClusterRunner:
    """One start of a run on a cluster."""

    def __init__(
        self,
        cluster: Cluster,
        config: MatchConfig,
        store: Store,
        observer: Observer,
        stop: Stop | None = None,
    ) -> None:
        self._client = cluster.client
        self._cluster = cluster
        self._coordinator = Coordinator(config, store, observer, stop)
        self._in_flight: dict[Future, tuple[Game, ...]] = {}
        self._workers: dict[str, int] = {}  # address: games at once

    def run(self) -> bool:
        """Play until no game is left. False if it was stopped before. Raises PlayError."""
        from distributed.comm import CommClosedError

        self._coordinator.begin()
        try:
            # `wait` asks for the current client. The workers of a local cluster are children.
            with self._client.as_current(), orphans_of_children(KILL_SECONDS):
                self._loop()
        except (CommClosedError, TimeoutError):
            raise self._gone() from None
        return self._coordinator.end()

    def _loop(self) -> None:
        stop = self._coordinator.stop
        self._check_workers()
        self._submit()
        while self._in_flight and stop.asked < 2:
            for future in self._done():
                self._receive(future)
            self._check_workers()
            self._submit()
            self._coordinator.update()

    def _submit(self) -> None:
        """Submit tasks up to the limit of the workers. One task waits while there is no worker."""
        from harness.match.cluster_worker import play_games

        room = sum(self._workers.values()) * (GAMES_AHEAD if self._coordinator.short else 1)
        while len(self._in_flight) < max(1, room):
            games = self._coordinator.next_pair()
            if not games:
                return
            run = self._cluster.run
            future = self._client.submit(play_games, run, games, key=f"{run}-{games[0].id}", pure=False)
            self._in_flight[future] = games

    def _done(self) -> Iterable[Future]:
        """The tasks that have ended, after waiting up to TICK for one."""
        from distributed import wait

        try:
            ended: Iterable[Future] = wait(
                list(self._in_flight), timeout=TICK, return_when="FIRST_COMPLETED"
            ).done
        except TimeoutError:
            ended = ()
        if self._client.status != "running":
            raise self._gone()
        return ended

    def _receive(self, future: Future) -> None:
        from distributed import KilledWorker

        games = self._in_flight.pop(future)
        if future.status == "finished":
            for finished in future.result():
                self._coordinator.store(finished)
            future.release()
            return
        if future.status != "error":
            # The dask scheduler dropped the task together with its worker.
            for game in games:
                self._coordinator.give_back(game)
            return
        error = future.exception()
        if isinstance(error, KilledWorker):
            raise too_many_lost(games[0])
        raise (error if isinstance(error, PlayError) else PlayError(unable(self._cluster.address, error)))

    def _check_workers(self) -> None:
        """Report lost workers. dask gives their tasks to other workers."""
        now = self._client.nthreads()
        for address in self._workers.keys() - now.keys():
            self._coordinator.worker_lost(
                f"worker {address}", f"the worker {address} was lost; its games are played again"
            )
        if self._workers and not now:
            self._coordinator.worker_lost("all workers", "no worker is left; waiting for one")
        self._workers = dict(now)

    def _gone(self) -> PlayError:
        return PlayError(
            f"the cluster at {self._cluster.address} no longer answers; all finished games are stored; "
            "run the same command again to continue"
        )
