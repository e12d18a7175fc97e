"""A worker process: plays games one after another with its own engines, and stores them.

One connection leads to the coordinator. Orders (lists of games) come in; reports of games and snapshots of
boards go out. A thread reads the connection, so the worker ends at once even if the coordinator is killed.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from harness.arena.config.openings import OpeningBooks
from harness.arena.config.tables import MatchConfig
from harness.arena.errors import PlayError
from harness.arena.game.snapshot import Camera
from harness.arena.records import Game
from harness.arena.run.core_sharing import CoreSharing
from harness.arena.run.early_stop import EarlyStop, GameDroppedError
from harness.arena.run.engine_pool import EnginePool, FinishedGame, play_in_pool
from harness.arena.store.errors import StoreError
from harness.arena.store.game_rows import GameRows
from harness.arena.store.store import Store
from harness.gtp import claim_orphans, kill_all_below
from harness.gtp.process import continue_when_orphaned

KILL_SECONDS = 5.0
"""Time for killed processes to end. Chosen: they end within milliseconds unless the machine is overloaded."""
_storing = threading.Lock()
"""Held while games are stored. `_leave` never releases it, so no game with killed engines is stored."""


@dataclass(frozen=True)
class FinishedOrder:
    """A worker's message at the end of an order: what became of its games."""

    games: list[FinishedGame]  # stored now
    repeated: list[Game]  # played, but stored before
    given_back: Sequence[Game] = ()  # not played


@dataclass(frozen=True)
class StopRequest:
    """Request to a worker to stop. The worker gives back every game in which no engine has moved."""


def store_games(
    store: Store, played: Sequence[tuple[FinishedGame, GameRows]], *, check: bool = False
) -> FinishedOrder:
    """Store games that were played, except those that are stored already. `check`: as in `Store.add_all`."""
    for finished, _ in played:
        for introduction in finished.introductions:
            store.introduce(introduction, check=check)
    new = store.add_all([rows for _, rows in played], check=check) if played else []
    order = FinishedOrder([], [])
    for (finished, _), is_new in zip(played, new, strict=True):
        if is_new:
            order.games.append(finished)
        else:
            order.repeated.append(finished.summary.game)
    return order


def work(
    connection: Connection, config: MatchConfig, cores: Sequence[int], folder: Path, slot: int = 1
) -> None:
    """Play and store the games of all orders, until None is received or the connection is closed.

    cores       the cores to which `affinity` may pin this worker; empty where the system cannot pin processes
    folder      the folder of the run, whose store the coordinator has open
    slot        the number of this worker, from 1
    """
    # The coordinator handles Ctrl-C, which reaches the whole process group. Engines would inherit SIG_IGN.
    early_stop = EarlyStop()
    early_stop.install()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _exit)
    claim_orphans()
    continue_when_orphaned()
    sharing = CoreSharing(cores) if cores and config.run.affinity == "auto" else None
    if cores and config.run.affinity is True:
        os.sched_setaffinity(0, cores)
    orders: queue.SimpleQueue[Sequence[Game] | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, orders, early_stop), daemon=True).start()
    pool, books = EnginePool(config, slot, folder), OpeningBooks(config)
    camera = Camera(connection.send, early_stop.keep)
    play = partial(play_in_pool, pool=pool, books=books, config=config, sharing=sharing, camera=camera)
    politely = False
    try:
        with Store.open_in_worker(folder) as store:
            while (games := orders.get()) is not None:
                connection.send(_play_order(games, store, pool, play, early_stop))
        politely = True
    except PlayError as problem:  # for the coordinator to report
        connection.send(problem)
    except StoreError as problem:
        connection.send(StoreError(problem.path, problem.reason))  # a subclass has other arguments
    except (BrokenPipeError, ConnectionResetError):
        _leave()
    finally:
        pool.close(politely=politely)
        with suppress(OSError):
            connection.close()


def _play_order(
    games: Sequence[Game],
    store: Store,
    pool: EnginePool,
    play: Callable[[Game], tuple[FinishedGame, GameRows]],
    early_stop: EarlyStop,
) -> FinishedOrder:
    """Play the games of an order by `play`, and store the finished ones.

    A game that is slow or fails is the last one played. It is stored; the games after it are given back. A
    dropped game is given back with those after it. Any other error is raised after the games are stored.
    """
    played: list[tuple[FinishedGame, GameRows]] = []
    try:
        for game in games:
            with early_stop.droppable():
                finished, rows = play(game)
            played.append((finished, rows))
            if not finished.is_short:
                break
    except GameDroppedError:
        pool.close(politely=False)  # engines in the middle of an exchange
    finally:
        with _storing:
            order = store_games(store, played)
    return replace(order, given_back=games[len(played) :])


def _exit(*_: object) -> None:
    """Handle SIGTERM: drop the game in play and stop the engines."""
    raise SystemExit(0)


def _listen(
    connection: Connection, orders: queue.SimpleQueue[Sequence[Game] | None], early_stop: EarlyStop
) -> None:
    """Queue incoming orders, and pass on a stop request. Leave when the coordinator is gone."""
    try:
        while True:
            message = connection.recv()
            if isinstance(message, StopRequest):
                early_stop.request()
            else:
                orders.put(message)
    except (EOFError, OSError):
        _leave()


def _leave() -> None:
    """Kill the engines and all that they started, and exit, because the coordinator is gone."""
    _storing.acquire()  # for good: killed engines must not be stored as failed
    kill_all_below(KILL_SECONDS)
    os._exit(1)
