"""Plays the games of a run with several worker processes (`worker`) on this machine."""

from __future__ import annotations

import math
import multiprocessing
import os
import select
import selectors
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from harness.arena.config.tables import MatchConfig
from harness.arena.errors import MatchError
from harness.arena.game.snapshot import Snapshot
from harness.arena.records import Game
from harness.arena.run.coordinator import Coordinator, too_many_lost
from harness.arena.run.engine_pool import MAX_ENGINES
from harness.arena.run.events import Event
from harness.arena.run.stop import Stop
from harness.arena.run.worker import KILL_SECONDS, FinishedOrder, StopRequest, work
from harness.arena.store.store import Store
from harness.gtp import orphans_of_children
from harness.gtp.interrupts import deferred_interrupt
from harness.gtp.process import is_stopped
from harness.tasks import MAX_LOST_WORKERS, TICK

ORDER_SECONDS = 0.02
"""Seconds of play in one order, which is a list of games that a worker plays and stores together.
Chosen: storing takes a small part of this time, and a killed worker loses no more than this time."""
MOST_ORDERED = 16
"""Most games of one order. Chosen: more do not speed up even the shortest games."""
EXIT_SECONDS = 15.0
"""Time for a worker to stop its engines, beside the `quit` of each. Chosen: each needs a few seconds more."""
STOPPED_CHECK = 1.0
"""Seconds between two checks for workers that a signal has stopped. Chosen: a check costs microseconds."""
STOPPED_SECONDS = 60.0
"""Seconds after which a stopped worker is killed and replaced. Chosen: a user has time to continue it."""


@dataclass
class _Worker:
    """A worker process as its runner sees it. `stopped_since`: of the monotonic clock; None: it runs."""

    number: int  # from 0; messages and `slot` count from 1
    process: BaseProcess
    connection: Connection
    games: list[Game] = field(default_factory=list)  # sent to it and not finished; the game in play first
    stopped_since: float | None = None

    def __post_init__(self) -> None:
        self._poll = select.poll()
        self._poll.register(self.connection, select.POLLIN)

    def has_sent(self) -> bool:
        """True if a message, or the end of the connection, can be read.

        `Connection.poll` would take 50 times as long.
        """
        return bool(self._poll.poll(0))


class Runner:
    """One start of a run on this machine. No worker process is left after `play`."""

    def __init__(
        self,
        config: MatchConfig,
        store: Store,
        stop: Stop | None = None,
        *,
        stopped_seconds: float = STOPPED_SECONDS,
    ) -> None:
        """`stopped_seconds`: the time after which a worker that a signal has stopped is replaced."""
        self._config = config
        self._folder = store.path.parent
        self.coordinator = Coordinator(config, store, stop)
        self._stop = self.coordinator.stop
        self._stopped_seconds = stopped_seconds
        self._deaths: Counter[str] = Counter()  # by id of a game, workers that died while they played it
        self._workers: list[_Worker] = []
        self._cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._context = multiprocessing.get_context("spawn")
        self._selector = selectors.DefaultSelector()
        self._next_check = 0.0
        self._stop_passed_on = False

    def play(self) -> Generator[Event, None, bool]:
        """Play until no game is left, or until a stop; yield the events.

        Return what `Coordinator.end` returns. Raises PlayError if workers keep dying, and the error of
        a worker.
        """
        yield from self.coordinator.begin()
        with orphans_of_children(KILL_SECONDS):
            try:
                for number in range(min(wanted_workers(self._config), self.coordinator.left)):
                    self._workers.append(self._start_worker(number))
                yield from self._loop()
            finally:
                self._stop_workers()
        # A worker ended by SIGTERM may have stored games that it did not report: `on_game_lost` counts them.
        for worker in self._workers:
            for game in worker.games:
                self.coordinator.on_game_lost(game)
        return (yield from self.coordinator.end())

    # --- the loop ------------------------------------------------------------------------------------------

    def _loop(self) -> Iterator[Event]:
        """Give out games and receive results, until no worker has a game."""
        self._send_games()
        while any(worker.games for worker in self._workers) and self._stop.asked < 2:  # 2: drop the games
            yield from self.coordinator.take_events()  # at once, not after the wait
            self._receive([ready.data for ready, _ in self._selector.select(TICK)])
            self._check_stopped()
            yield from self.coordinator.update()
            self._send_games()
            self._pass_on_stop()

    def _pass_on_stop(self) -> None:
        """After a stop, ask each worker once to give back the games in which no engine has moved."""
        if not self._stop.asked or self._stop_passed_on:
            return
        self._stop_passed_on = True
        for worker in self._workers:
            with suppress(OSError):  # the worker is gone; the next receive notices it
                worker.connection.send(StopRequest())

    def _check_stopped(self) -> None:
        """Report each worker that a signal has stopped; kill it if it is not continued in time."""
        now = time.monotonic()
        if now < self._next_check:
            return
        self._next_check = now + STOPPED_CHECK
        for worker in self._workers:
            if worker.process.pid is None or not is_stopped(worker.process.pid):
                worker.stopped_since = None
            elif worker.stopped_since is None:
                worker.stopped_since = now
                self.coordinator.on_worker_stopped(worker.process.pid, self._stopped_seconds)
            elif now > worker.stopped_since + self._stopped_seconds:
                worker.process.kill()  # the next receive notices it

    def _send_games(self) -> None:
        """Send an order to each worker that has few games left; none once a stop is requested.

        A worker has one game at a time. While games are short, it has an order of several games and the next
        order, so that it never waits.
        """
        size = min(MOST_ORDERED, max(1, math.ceil(ORDER_SECONDS / self.coordinator.game_seconds)))
        enough = size + 1 if self.coordinator.games_are_short else 1
        for worker in self._workers:
            while len(worker.games) < enough:
                games = tuple(islice(iter(self.coordinator.next_game, None), size))
                if not games:
                    return
                worker.games += games
                with suppress(OSError):  # the worker is gone; the next receive notices it
                    worker.connection.send(games)

    def _receive(self, workers: Sequence[_Worker]) -> None:
        """Receive what these workers have sent. Raises the first error that one of them has sent."""
        lost: list[_Worker] = []
        errors: list[MatchError] = []
        for worker in workers:
            messages: list[FinishedOrder | Snapshot | MatchError] = []
            try:
                while worker.has_sent():
                    messages.append(worker.connection.recv())
            except (EOFError, OSError):
                lost.append(worker)
            for message in messages:
                match message:
                    case FinishedOrder():
                        self._settle(worker, message)
                    case Snapshot():
                        self.coordinator.boards[worker.number] = message
                    case MatchError():
                        errors.append(message)
        if errors:
            raise errors[0]
        for worker in lost:
            self._replace(worker)

    def _settle(self, worker: _Worker, order: FinishedOrder) -> None:
        """Count the games that were stored by an order. Games that were not played are given out again."""
        for game in order.given_back:
            self.coordinator.give_back(game)
        settled = {*order.given_back, *order.repeated, *(finished.summary.game for finished in order.games)}
        worker.games = [game for game in worker.games if game not in settled]
        if not worker.games:  # the game of its last board has ended
            self.coordinator.boards.pop(worker.number, None)
        self.coordinator.on_games_stored(order.games)

    # --- workers -------------------------------------------------------------------------------------------

    def _start_worker(self, number: int) -> _Worker:
        own_end, worker_end = self._context.Pipe()
        process = self._context.Process(
            target=work,
            args=(worker_end, self._config, self._cores_of(number), self._folder, number + 1),
            name=f"conform worker {number + 1}",
        )
        with deferred_interrupt():
            process.start()
        worker_end.close()
        worker = _Worker(number, process, own_end)
        self._selector.register(own_end, selectors.EVENT_READ, worker)
        return worker

    def _cores_of(self, number: int) -> list[int]:
        """The cores to which a worker may be pinned: all if "auto" and a core is spare, otherwise one.

        Empty where the system cannot pin processes.
        """
        spare = wanted_workers(self._config) < len(self._cores)
        if not self._cores or (spare and self._config.run.affinity == "auto"):
            return self._cores
        return [self._cores[number % len(self._cores)]]

    def _replace(self, worker: _Worker) -> None:
        """Give the games of a worker that died out again; replace it, unless a stop was requested.

        Raises PlayError if too many workers have died in one game.
        """
        self._selector.unregister(worker.connection)
        worker.connection.close()
        worker.process.join()
        self._workers.remove(worker)
        self.coordinator.boards.pop(worker.number, None)
        code = worker.process.exitcode
        self.coordinator.on_worker_lost(
            f"worker {worker.number + 1} ended with {code}",
            f"a worker was lost (exit code {code}); its games are played again",
        )
        for index, game in enumerate(worker.games):
            self._deaths[game.id] += index == 0  # only the game in play can be the cause
            if self._deaths[game.id] == MAX_LOST_WORKERS:
                raise too_many_lost(game)
            self.coordinator.on_game_lost(game)
        if not self._stop.asked:
            self._workers.append(self._start_worker(worker.number))

    def _stop_workers(self) -> None:
        """Stop all workers: idle workers politely, workers that still play by SIGTERM."""
        for worker in self._workers:
            if worker.games:
                worker.process.terminate()
            else:
                with suppress(OSError):
                    worker.connection.send(None)
        deadline = time.monotonic() + exit_seconds(self._config)
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
            worker.connection.close()
        self._selector.close()


def exit_seconds(config: MatchConfig) -> float:
    """The seconds for a worker to stop its engines, one after another. It has at most MAX_ENGINES at once."""
    return EXIT_SECONDS + sum(sorted(engine.quit for engine in config.engine)[-MAX_ENGINES:])


def wanted_workers(config: MatchConfig) -> int:
    """Number of games at once: from the config, otherwise one per core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return config.run.workers or max(1, cores or 1)
