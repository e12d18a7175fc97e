"""Plays a schedule on several machines, by dask.distributed: a task is two games with colours exchanged.

dask brings tasks to workers and runs those of a lost worker again; whatever comes back, and however often,
is stored here, once. `distributed` is an extra, and slow to import: only what runs imports it.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.match.config import MatchConfig
from harness.match.coordinator import LOST_AT_MOST, TICK, Coordinator, Observer, Stop, too_many_lost
from harness.match.errors import PlayError
from harness.match.records import Game
from harness.match.runner import AHEAD, deferred_interrupt, wanted_workers
from harness.match.store import Store

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

LOCAL = "local"
"""In place of an address: a cluster of processes on this machine, for trial."""
CONNECT = 10.0  # seconds for an answer of the scheduler, and for a first worker


@dataclass(frozen=True)
class Cluster:
    """A cluster whose workers have the engines of a run."""

    client: Client
    address: str
    run: str  # what the run is called there


@contextmanager
def cluster_for(config: MatchConfig, address: str) -> Iterator[Cluster]:
    """The cluster of the dask scheduler at `address` (tcp://host:8786), or "local", made ready for a run.

    Raises PlayError, before anything is written, where it is not there or its workers cannot play.
    """
    _check_installed()
    from harness.match.cluster_worker import Engines

    with _connected(address, config) as client:
        run = f"conform-{uuid.uuid4().hex}"
        try:
            client.register_plugin(Engines(run, config, ours=address == LOCAL))
        except PlayError:
            raise
        except Exception as error:  # whatever a worker without conform, or with an old dask, has to say
            raise PlayError(_unable(address, error)) from None
        try:
            yield Cluster(client, address, run)
        finally:
            with suppress(Exception):  # workers may be gone, which is not what we are here to tell
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
        """Play until nothing is left to play; False if it was stopped before. Raises PlayError."""
        from distributed.comm import CommClosedError

        self._coordinator.begin()
        try:
            with self._client.as_current():  # which `wait` asks for
                self._serve()
        except (CommClosedError, TimeoutError):
            raise self._gone() from None
        return self._coordinator.end()

    def _serve(self) -> None:
        stop = self._coordinator.stop
        self._look_at_workers()
        self._feed()
        while self._in_flight and stop.asked < 2:
            for future in self._done():
                self._receive(future)
            self._look_at_workers()
            self._feed()
            self._coordinator.look()

    def _feed(self) -> None:
        """Submit as much as there is room for. Without a worker one task waits for the first to come."""
        from harness.match.cluster_worker import play_games

        room = sum(self._workers.values()) * (AHEAD if self._coordinator.short else 1)
        while len(self._in_flight) < max(1, room):
            games = self._coordinator.next_pair()
            if not games:
                return
            run = self._cluster.run
            future = self._client.submit(play_games, run, games, key=f"{run}-{games[0].id}", pure=False)
            self._in_flight[future] = games

    def _done(self) -> Iterable[Future]:
        """Tasks that have ended, after a while of waiting for one."""
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
                self._coordinator.take(finished)
            future.release()
            return
        if future.status != "error":
            # The scheduler forgot the task with the worker that had it; that it is there, `_done` has seen.
            for game in games:
                self._coordinator.give_back(game)
            return
        error = future.exception()
        if isinstance(error, KilledWorker):
            raise too_many_lost(games[0])
        raise (error if isinstance(error, PlayError) else PlayError(_unable(self._cluster.address, error)))

    def _look_at_workers(self) -> None:
        """Who is there now; the tasks of those that are gone are given to others by dask."""
        now = self._client.nthreads()
        for address in self._workers.keys() - now.keys():
            self._coordinator.lost(
                f"worker {address}", f"the worker {address} was lost; its games are played again"
            )
        if self._workers and not now:
            self._coordinator.lost("all workers", "no worker is left; waiting for one")
        self._workers = dict(now)

    def _gone(self) -> PlayError:
        return PlayError(
            f"the cluster at {self._cluster.address} is gone; what is finished is stored, "
            "and the same command goes on"
        )


@contextmanager
def _connected(address: str, config: MatchConfig) -> Iterator[Client]:
    """A client of the cluster, which has workers. A local one ends with it. Raises PlayError."""
    from distributed import Client
    from distributed.comm import get_address_host_port

    # Whatever matters is told by us, in one line; dask would tell it in twenty.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        try:
            if address == LOCAL:
                cluster = stack.enter_context(_local_cluster(config))
            else:
                get_address_host_port(cluster := address)  # a client that was given nonsense hangs at its end
            client = Client(cluster, timeout=CONNECT, set_as_default=False, name="conform")
        except RuntimeError as error:
            raise PlayError(f"the workers of the cluster at {address} do not start: {error}") from None
        except (OSError, ValueError):
            raise PlayError(
                f"no dask scheduler answers at {address!r}: give --cluster its address, "
                "as tcp://host:8786, or local"
            ) from None
        stack.enter_context(client)
        try:
            client.wait_for_workers(1, timeout=CONNECT)
        except TimeoutError:
            raise PlayError(
                f"the cluster at {address} has no workers: start some, by dask worker {address}"
            ) from None
        yield client


def _local_cluster(config: MatchConfig) -> LocalCluster:
    """Processes of this machine, which nobody else can reach."""
    import dask
    from distributed import LocalCluster

    # Workers ignore Ctrl-C until they know what to do with it; their settings are ours.
    with deferred_interrupt(), dask.config.set({"logging.distributed": "critical"}):
        return LocalCluster(
            n_workers=wanted_workers(config),
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,  # the engines are bounded by their own limits
            silence_logs=logging.CRITICAL,
            scheduler_kwargs={"allowed_failures": LOST_AT_MOST - 1},
        )


def _check_installed() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise PlayError(
            "--cluster needs dask.distributed, which is not installed: pip install 'conform[cluster]'"
        ) from None


def _unable(address: str, error: BaseException) -> str:
    text = str(error).strip().splitlines()
    told = f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
    return f"the workers of {address} cannot play ({told}); have they the same conform installed?"
