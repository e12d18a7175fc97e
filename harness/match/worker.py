"""A process that plays games one after another with engines of its own.

One connection leads to the coordinator: games come in, records and snapshots of boards go out. A thread reads
the connection, so that the worker ends at once when the coordinator ends, even by a kill.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection

from harness.gtp import claim_orphans, kill_all_below
from harness.gtp.process import continue_when_orphaned
from harness.match.config import MatchConfig
from harness.match.core_sharing import CoreSharing
from harness.match.engine_pool import EnginePool
from harness.match.errors import PlayError
from harness.match.game import play_game
from harness.match.game_rows import GameRows
from harness.match.openings import OpeningBook
from harness.match.records import Game, GameSummary, Introduction
from harness.match.snapshot import Camera

KILL_SECONDS = 5.0  # time for killed processes to end
SHORT_GAME = 0.25  # a game below this many seconds is short


@dataclass(frozen=True)
class FinishedGame:
    """What a worker sends: a game, and the introductions of the engines that were started for it."""

    summary: GameSummary
    rows: GameRows  # for the store
    introductions: tuple[Introduction, ...]
    seconds: float  # of the whole game, the start of engines included
    given_back: Sequence[Game] = ()  # games that the worker had ahead and does not play

    @property
    def short(self) -> bool:
        """Others like it may be given out ahead."""
        return self.summary.failed is None and self.seconds < SHORT_GAME


def work(connection: Connection, config: MatchConfig, cores: Sequence[int]) -> None:
    """Play the games that come in, until None comes or the connection is closed.

    `cores`: the cores to which `affinity` may pin this worker; empty where the system cannot pin processes.
    """
    # The coordinator handles Ctrl-C, which reaches the whole process group. Engines would inherit SIG_IGN.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _exit)
    claim_orphans()
    continue_when_orphaned()
    sharing = CoreSharing(cores) if cores and config.run.affinity == "auto" else None
    if cores and config.run.affinity is True:
        os.sched_setaffinity(0, cores)
    orders: queue.SimpleQueue[Sequence[Game] | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, orders), daemon=True).start()
    pool, book = EnginePool(config), OpeningBook(config.run)
    camera = Camera(connection.send)
    politely = False
    try:
        while (games := orders.get()) is not None:
            for number, game in enumerate(games, 1):
                finished = play_in_pool(game, pool, book, config, sharing, camera)
                if finished.short:
                    connection.send(finished)
                else:  # a failing engine is not to fail in all of them, and a stop must not wait for them
                    connection.send(replace(finished, given_back=games[number:]))
                    break
        politely = True
    except PlayError as problem:  # for the coordinator to report
        connection.send(problem)
    except (BrokenPipeError, ConnectionResetError):
        _leave()
    finally:
        pool.close(politely=politely)
        with contextlib.suppress(OSError):
            connection.close()


def play_in_pool(
    game: Game,
    pool: EnginePool,
    book: OpeningBook,
    config: MatchConfig,
    sharing: CoreSharing | None = None,
    camera: Camera | None = None,
) -> FinishedGame:
    """Play a game with the engines of `pool`; `sharing` decides whether they share one core."""
    began = time.monotonic()
    black, white = pool.pair(game)
    before = black.introduction, white.introduction
    if sharing:
        sharing.before_game(black, white)
    record = play_game(game, config.run, book.opening(game.opening), black, white, camera)
    if sharing:
        sharing.after_game(black, white, record)
    new = [
        player.introduction
        for player, old in zip((black, white), before, strict=True)
        if player.introduction is not None and player.introduction is not old
    ]
    pool.after_game(record)
    seconds = time.monotonic() - began
    return FinishedGame(GameSummary.of(record), GameRows.of(record), tuple(new), seconds)


def _exit(*_: object) -> None:
    """SIGTERM: drop the game in play and stop the engines."""
    raise SystemExit(0)


def _listen(connection: Connection, orders: queue.SimpleQueue[Sequence[Game] | None]) -> None:
    """Queue what comes in, until the coordinator is gone."""
    try:
        while True:
            orders.put(connection.recv())
    except (EOFError, OSError):
        _leave()


def _leave() -> None:
    """The coordinator is gone: kill the engines and all that they started, and exit."""
    kill_all_below(KILL_SECONDS)
    os._exit(1)
