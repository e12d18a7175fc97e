"""Plays a schedule with several workers on this machine."""

from __future__ import annotations

import multiprocessing
import os
import selectors
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from harness.match.config import MatchConfig
from harness.match.coordinator import LOST_AT_MOST, TICK, Coordinator, Observer, Stop, too_many_lost
from harness.match.records import Game
from harness.match.store import Store
from harness.match.worker import Finished, work

AHEAD = 2
"""Games that a worker is given while games are short: one to play and the next, so that it need not wait."""
LEAVE = 15.0  # seconds that a worker gets to end its engines


@dataclass
class _Worker:
    number: int
    process: BaseProcess
    connection: Connection
    games: list[Game] = field(default_factory=list)  # given and not come back, the one in play first


class Runner:
    """One start of a run. After `run`, no process of it is left."""

    def __init__(
        self, config: MatchConfig, store: Store, observer: Observer, stop: Stop | None = None
    ) -> None:
        self._config = config
        self._coordinator = Coordinator(config, store, observer, stop)
        self._stop = self._coordinator.stop
        self._lost: Counter[str] = Counter()
        self._workers: list[_Worker] = []
        self._cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._context = multiprocessing.get_context("spawn")
        self._selector = selectors.DefaultSelector()

    def run(self) -> bool:
        """Play until nothing is left to play; False if it was stopped before."""
        self._coordinator.begin()
        try:
            for number in range(min(wanted_workers(self._config), self._coordinator.left)):
                self._workers.append(self._hire(number))
            self._serve()
        finally:
            self._dismiss()
        return self._coordinator.end()

    # --- the loop ------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        for worker in self._workers:
            self._feed(worker)
        while any(worker.games for worker in self._workers) and self._stop.asked < 2:
            for ready, _ in self._selector.select(TICK):
                self._receive(ready.data)
            self._coordinator.look()

    def _feed(self, worker: _Worker) -> None:
        """Give a worker what it has room for; once we stop it gets nothing more."""
        while len(worker.games) < (AHEAD if self._coordinator.short else 1):
            game = self._coordinator.next()
            if game is None:
                return
            worker.games.append(game)
            try:
                worker.connection.send(game)
            except OSError:
                return  # it is gone, which its own end of the connection will tell

    def _receive(self, worker: _Worker) -> None:
        try:
            finished: Finished = worker.connection.recv()
        except (EOFError, OSError):
            self._replace(worker)
            return
        worker.games.remove(finished.record.game)
        self._feed(worker)  # before we are busy with the record
        self._coordinator.take(finished)

    # --- workers -------------------------------------------------------------------------------------------

    def _hire(self, number: int) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=work,
            args=(theirs, self._config, self._cores_of(number)),
            name=f"conform worker {number + 1}",
        )
        with deferred_interrupt():
            process.start()
        theirs.close()
        worker = _Worker(number, process, ours)
        self._selector.register(ours, selectors.EVENT_READ, worker)
        return worker

    def _cores_of(self, number: int) -> list[int]:
        """The cores on which a worker may be held: any, if there is more than one for each; else its own."""
        roomy = wanted_workers(self._config) < len(self._cores)
        if not self._cores or (roomy and self._config.run.affinity == "auto"):
            return self._cores
        return [self._cores[number % len(self._cores)]]

    def _replace(self, worker: _Worker) -> None:
        """A worker is lost: its games go back, another one takes its place."""
        self._selector.unregister(worker.connection)
        worker.connection.close()
        worker.process.join()
        self._workers.remove(worker)
        code = worker.process.exitcode
        self._coordinator.lost(
            f"worker {worker.number + 1} ended with {code}",
            f"a worker was lost (exit code {code}); its games are played again",
        )
        for position, game in enumerate(worker.games):
            self._lost[game.id] += position == 0
            if self._lost[game.id] == LOST_AT_MOST:
                raise too_many_lost(game)
            self._coordinator.give_back(game)
        if not self._stop.asked:
            self._workers.append(self._hire(worker.number))
            self._feed(self._workers[-1])

    def _dismiss(self) -> None:
        """End all workers: politely those that are idle, at once those that still play."""
        for worker in self._workers:
            if worker.games:
                worker.process.terminate()
            else:
                with suppress(OSError):
                    worker.connection.send(None)
        deadline = time.monotonic() + LEAVE
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
            worker.connection.close()
        self._selector.close()


def wanted_workers(config: MatchConfig) -> int:
    """Games at once: as the config says, else one a core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return config.run.workers or max(1, cores or 1)


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """A Ctrl-C in here comes at the end. What is started in here ignores it until it can deal with it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
