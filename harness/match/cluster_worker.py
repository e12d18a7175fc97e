"""What runs on the workers of a dask cluster: games, with engines that are kept for the length of the run."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Sequence

from distributed import Worker, WorkerPlugin, get_worker

from harness import __version__
from harness.match.config import MatchConfig
from harness.match.errors import PlayError
from harness.match.openings import OpeningBook
from harness.match.playable import check_playable
from harness.match.records import Game
from harness.match.worker import Finished, Stable, finish


class Engines(WorkerPlugin):  # type: ignore[misc]  # dask ships no types
    """One run on one worker: a stable of engines for each game that it plays at once.

    dask brings it to every worker, also to those that come later, and takes it away at the end of the run.
    """

    def __init__(self, name: str, config: MatchConfig, *, ours: bool) -> None:
        """`ours`: the worker is a process that we have started, and ends with the run."""
        self.name = name
        self._config = config
        self._version = __version__
        self._ours = ours

    def setup(self, worker: Worker) -> None:
        """Called by dask. Raises PlayError where this worker cannot play the run."""
        if self._ours:
            _leave_interrupts_to_the_coordinator()
        self._lock = threading.Lock()
        self._idle: list[Stable] = []
        self._over = False
        self._problem: PlayError | None = None
        try:
            self._check()
            self._book = OpeningBook(self._config.run)
        except PlayError as problem:
            # dask shows this to whoever brings the plugin, but not if the worker came later: see `play`.
            self._problem = PlayError(f"worker {worker.address} on {socket.gethostname()}: {problem}")
            raise self._problem from None

    def teardown(self, worker: Worker) -> None:
        """Called by dask. Engines in play end with their game."""
        with self._lock:
            self._over = True
            idle, self._idle = self._idle, []
        for stable in idle:
            stable.close(politely=True)

    def play(self, games: Sequence[Game]) -> list[Finished]:
        """Play these games one after the other; only the one in play if the run is over meanwhile."""
        if self._problem is not None:
            raise self._problem
        with self._lock:
            stable = self._idle.pop() if self._idle else Stable(self._config)
        finished: list[Finished] = []
        try:
            for game in games:
                if not self._over:
                    finished.append(finish(game, stable, self._book, self._config))
        finally:
            with self._lock:
                over = self._over
                if not over:
                    self._idle.append(stable)
            if over:
                stable.close(politely=True)
        return finished

    def _check(self) -> None:
        if self._version != __version__:
            raise PlayError(f"conform {__version__} is installed, not {self._version} as here")
        check_playable(self._config)


def play_games(run: str, games: Sequence[Game]) -> list[Finished]:
    """The task: play games with the engines of this worker."""
    engines: Engines = get_worker().plugins[run]
    return engines.play(games)


def _leave_interrupts_to_the_coordinator() -> None:
    """Ctrl-C goes to the whole group; the coordinator decides. Not SIG_IGN: engines would inherit that."""
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
