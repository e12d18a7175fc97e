"""Plays a schedule with several workers. The coordinator gives out games and stores what comes back."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Protocol

from harness.match.config import MatchConfig
from harness.match.dispense import Dispenser
from harness.match.judge import decided_pairs
from harness.match.records import Game, GameRecord
from harness.match.setup import MatchProblem, now, run_pairings
from harness.match.store import Store
from harness.match.worker import Finished, work

AHEAD = 2
"""Games that a worker is given while games are short: one to play and the next, so that it need not wait."""
SHORT = 0.25  # seconds of a game that is short
TICK = 0.5  # seconds between two looks at the clock while nothing comes in
LEAVE = 15.0  # seconds that a worker gets to end its engines
LOST_AT_MOST = 3
"""So many workers lost over one game end the run."""


class Observer(Protocol):
    """Who wants to know how a run goes on."""

    def stored(self, record: GameRecord) -> None:
        """A game has been stored."""

    def tick(self, progress: Progress) -> None:
        """Called every now and then, at least twice a second."""

    def told(self, sentence: str) -> None:
        """Something that a user should know."""


@dataclass
class Progress:
    """How far a run is."""

    total: int
    done: int  # stored, those of earlier starts among them
    began: float = field(default_factory=time.monotonic)
    done_here: int = 0
    moves_here: int = 0
    benched: dict[str, str] = field(default_factory=dict)  # engine: why

    @property
    def seconds(self) -> float:
        """Since this start."""
        return time.monotonic() - self.began


@dataclass
class _Worker:
    number: int
    process: BaseProcess
    connection: Connection
    games: list[Game] = field(default_factory=list)  # given and not come back, the one in play first
    leaving: bool = False


class Stop:
    """What Ctrl-C sets: once, the games in flight are the last; twice, they are dropped."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self) -> None:
        """Stop, or stop at once."""
        self.asked += 1


class Runner:
    """One start of a run. After `run`, no process of it is left."""

    def __init__(
        self, config: MatchConfig, store: Store, observer: Observer, stop: Stop | None = None
    ) -> None:
        self._config = config
        self._store = store
        self._observer = observer
        self._stop = stop or Stop()
        self._pairs = run_pairings(store, config)
        played = store.played()
        self._dispenser = Dispenser(self._pairs, config.run.games, played)
        self.progress = Progress(total=len(self._pairs) * config.run.games, done=len(played))
        self._in_a_row: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()
        self._workers: list[_Worker] = []
        self._cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._context = multiprocessing.get_context("spawn")
        self._next_verdict = 0.0
        self._short = False

    def run(self) -> bool:
        """Play until nothing is left to play; False if it was stopped before."""
        self._note("start", f"{self._dispenser.left()} games to play")
        self._close_decided()
        try:
            for number in range(min(self._wanted_workers(), self._dispenser.left())):
                self._workers.append(self._hire(number))
            self._serve()
        finally:
            self._dismiss()
        complete = not self._stop.asked
        self._note("complete" if complete and not self.progress.benched else "stop", "")
        return complete

    # --- the loop ------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        for worker in self._workers:
            self._feed(worker)
        while any(worker.games for worker in self._workers) and self._stop.asked < 2:
            ready = wait([worker.connection for worker in self._workers if worker.games], TICK)
            for worker in list(self._workers):
                if worker.connection in ready:
                    self._receive(worker)
            self._close_decided()
            self._observer.tick(self.progress)

    def _feed(self, worker: _Worker) -> None:
        """Give a worker what it has room for; once we stop it gets nothing more."""
        while len(worker.games) < (AHEAD if self._short else 1) and not self._stop.asked:
            game = self._dispenser.next()
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
        record = finished.record
        worker.games.remove(record.game)
        self._short = record.seconds("b") + record.seconds("w") < SHORT
        self._feed(worker)  # before we are busy with the record
        for introduction in finished.introductions:
            self._store.introduce(introduction)
        if self._store.add(record):
            self.progress.done += 1
            self.progress.done_here += 1
            self.progress.moves_here += len(record.searches)
            self._observer.stored(record)
        self._judge_conduct(record)

    # --- engines that fail ---------------------------------------------------------------------------------

    def _judge_conduct(self, record: GameRecord) -> None:
        """Count failures in a row; bench who has failed too often, or may not be started again."""
        failure = record.failure
        for name in (record.game.black, record.game.white):
            if failure is None or failure.offender != name:
                self._in_a_row[name] = 0
        if failure is None or failure.offender in self.progress.benched:
            return
        name, run = failure.offender, self._config.run
        self._in_a_row[name] += 1
        if run.restart == "never":
            self._bench(name, f'failed ({record.ending.reason}), and restart is "never"')
        elif self._in_a_row[name] >= run.bench_after:
            self._bench(
                name, f"failed {self._in_a_row[name]} games in a row, the last by {record.ending.reason}"
            )

    def _bench(self, name: str, why: str) -> None:
        self.progress.benched[name] = why
        self._dispenser.bench(name)
        self._note("benched", f"{name} {why}")
        self._observer.told(f"{name} is benched until the next start: it {why}")

    # --- pairs that are decided ----------------------------------------------------------------------------

    def _close_decided(self) -> None:
        if self._config.run.stop != "decided" or time.monotonic() < self._next_verdict:
            return
        began = time.monotonic()
        for pair in decided_pairs(self._store, self._config):
            self._dispenser.close(pair)
        # The look costs more the more is stored: it gets a twentieth of the time at most.
        self._next_verdict = time.monotonic() + max(TICK, 20 * (time.monotonic() - began))

    # --- workers -------------------------------------------------------------------------------------------

    def _wanted_workers(self) -> int:
        return self._config.run.workers or max(1, len(self._cores) or os.cpu_count() or 1)

    def _hire(self, number: int) -> _Worker:
        ours, theirs = self._context.Pipe()
        cores = None
        if self._config.run.affinity and self._cores:
            cores = [self._cores[number % len(self._cores)]]
        process = self._context.Process(
            target=work, args=(theirs, self._config, cores), name=f"conform worker {number + 1}"
        )
        with _deferred_interrupt():
            process.start()
        theirs.close()
        return _Worker(number, process, ours)

    def _replace(self, worker: _Worker) -> None:
        """A worker is lost: its games go back, another one takes its place."""
        worker.connection.close()
        worker.process.join()
        code = worker.process.exitcode
        self._note("lost", f"worker {worker.number + 1} ended with {code}")
        self._observer.told(f"a worker was lost (exit code {code}); its games are played again")
        for position, game in enumerate(worker.games):
            self._lost[game.id] += position == 0
            if self._lost[game.id] == LOST_AT_MOST:
                self._workers.remove(worker)
                raise MatchProblem(f"{LOST_AT_MOST} workers were killed over game {game.id}: out of memory?")
            self._dispenser.give_back(game)
        self._workers.remove(worker)
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

    def _note(self, kind: str, text: str) -> None:
        self._store.note(kind, text, now())


@contextmanager
def _deferred_interrupt() -> Iterator[None]:
    """A Ctrl-C in here comes at the end. What is started in here ignores it until it can deal with it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
