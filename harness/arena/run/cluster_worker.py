"""Runs on the workers of a dask cluster: plays games, and keeps engines for the duration of the run."""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Sequence

from distributed import Worker, get_worker

from harness.arena.config.playable import check_playable
from harness.arena.config.tables import MatchConfig
from harness.arena.errors import PlayError
from harness.arena.records import Game
from harness.arena.run.engine_pool import EnginePool, FinishedGame, play_in_pool
from harness.arena.store.game_rows import GameRows
from harness.gtp import claim_orphans
from harness.tasks.worker import CheckedPlugin


class EnginesPlugin(CheckedPlugin):
    """One run on one worker. Each game in play at once has its own pool of engines."""

    def __init__(self, name: str, config: MatchConfig, *, local: bool) -> None:
        """Create the plugin. `local`: the worker is a process of a cluster started for this run."""
        super().__init__(name, local=local)
        self._config = config

    def setup(self, worker: Worker) -> None:
        """Called by dask. Raises PlayError or ClusterError if this worker cannot play the run."""
        if self._local:
            claim_orphans()
        self._lock = threading.Lock()
        self._idle: list[EnginePool] = []
        # dask names the workers of a local cluster 0, 1, …; each plays one game at a time.
        self._slots = itertools.count(int(worker.name) + 1 if self._local else 1)
        self._over = False
        self._error: PlayError | None = None
        super().setup(worker)
        try:
            self._books = check_playable(self._config)
        except PlayError as error:
            # dask raises this in the coordinator, unless the worker joined later: then `play` raises it.
            self._error = PlayError(f"worker {worker.address} on {socket.gethostname()}: {error}")
            raise self._error from None

    def teardown(self, worker: Worker) -> None:
        """Called by dask. Engines in play are stopped after their game."""
        with self._lock:
            self._over = True
            idle, self._idle = self._idle, []
        for pool in idle:
            pool.close(politely=True)

    def play(self, games: Sequence[Game]) -> list[tuple[FinishedGame, GameRows]]:
        """Play these games one after the other; return those that were played.

        After the end of the run, no further game starts. Raises PlayError or ClusterError if this worker
        cannot play the run.
        """
        self.require_version()
        if self._error is not None:
            raise self._error
        with self._lock:
            pool = self._idle.pop() if self._idle else EnginePool(self._config, next(self._slots))
        finished: list[tuple[FinishedGame, GameRows]] = []
        try:
            for game in games:
                if not self._over:
                    finished.append(play_in_pool(game, pool, self._books, self._config))
        finally:
            with self._lock:
                over = self._over
                if not over:
                    self._idle.append(pool)
            if over:
                pool.close(politely=True)
        return finished


def play_games(run: str, games: Sequence[Game]) -> list[tuple[FinishedGame, GameRows]]:
    """Play games with the engines of this worker. dask calls this function as a task."""
    engines: EnginesPlugin = get_worker().plugins[run]
    return engines.play(games)
