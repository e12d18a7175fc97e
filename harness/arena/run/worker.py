"""A worker process: plays games one after another with its own engines, and stores them.

One connection leads to the coordinator. Orders (lists of games) come in; reports of games and snapshots of
boards go out. A thread reads the connection, so the worker ends at once even if the coordinator is killed.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from harness.arena.config.openings import OpeningBooks
from harness.arena.config.tables import MatchConfig
from harness.arena.errors import PlayError
from harness.arena.game.game import play_game
from harness.arena.game.player import Player
from harness.arena.game.snapshot import Camera
from harness.arena.records import Game, GameRecord, GameSummary, Introduction
from harness.arena.run.core_sharing import CoreSharing
from harness.arena.store.errors import StoreError
from harness.arena.store.game_rows import GameRows
from harness.arena.store.store import Store
from harness.gtp import claim_orphans, kill_all_below
from harness.gtp.process import continue_when_orphaned

KILL_SECONDS = 5.0
"""Time for killed processes to end. Chosen: they end within milliseconds unless the machine is overloaded."""
SHORT_GAME = 0.25
"""A game below this many seconds is short. Chosen: waiting for the next game then costs noticeable speed."""
MAX_ENGINES = 16
"""Engines that a worker keeps running. Chosen: more would save starts, but need memory."""

_storing = threading.Lock()
"""Held while games are stored. `_leave` never releases it, so no game with killed engines is stored."""


@dataclass(frozen=True)
class FinishedGame:
    """A worker's report of a game that it has played."""

    summary: GameSummary
    introductions: tuple[Introduction, ...]  # of the engines that were started for it
    seconds: float  # of the whole game, the start of engines included

    @property
    def short(self) -> bool:
        """Games are short enough to be sent several at once."""
        return self.summary.failed is None and self.seconds < SHORT_GAME


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
    politely = False
    try:
        with Store.open_in_worker(folder) as store:
            while (games := orders.get()) is not None:
                played: list[tuple[FinishedGame, GameRows]] = []
                try:
                    for game in games:
                        with early_stop.droppable():
                            finished, rows = play_in_pool(game, pool, books, config, sharing, camera)
                        played.append((finished, rows))
                        if not finished.short:  # a slow or failed game: give back the rest of the order
                            break
                except GameDroppedError:
                    pool.close(politely=False)  # engines in the middle of an exchange
                finally:
                    with _storing:
                        order = store_games(store, played)
                connection.send(replace(order, given_back=games[len(played) :]))
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


def play_in_pool(
    game: Game,
    pool: EnginePool,
    books: OpeningBooks,
    config: MatchConfig,
    sharing: CoreSharing | None = None,
    camera: Camera | None = None,
) -> tuple[FinishedGame, GameRows]:
    """Play a game with the engines of `pool`; `sharing` decides whether they share one core."""
    began = time.monotonic()
    black, white = pool.pair(game)
    before = black.introduction, white.introduction
    if sharing:
        sharing.before_game(black, white)
    run, start = config.run_of(game.pair), books.opening(game)
    record = play_game(game, run, start, black, white, camera, pool.referee, pool.slot)
    if sharing:
        sharing.after_game(black, white, record)
    new = [
        player.introduction
        for player, old in zip((black, white), before, strict=True)
        if player.introduction is not None and player.introduction is not old
    ]
    pool.after_game(record)
    seconds = time.monotonic() - began
    return FinishedGame(GameSummary.of(record), tuple(new), seconds), GameRows.of(record)


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


# --- engines ------------------------------------------------------------------------------------------------


class EnginePool:
    """The engines of one worker by name, kept from game to game according to `restart`; and its referee."""

    def __init__(self, config: MatchConfig, slot: int = 1, folder: Path | None = None) -> None:
        """Make an empty pool.

        slot        a number that no other pool on this machine has, for the environment of the engines
        folder      the folder of the run, which engines in a sandbox may not see
        """
        self.slot = slot
        self._hidden = () if folder is None else (folder,)
        self._config = config
        self._players: dict[str, Player] = {}  # least recently used first
        name = config.run.referee
        self.referee = None if name is None else Player(config.engines[name], config.run, hidden=self._hidden)

    def pair(self, game: Game) -> tuple[Player, Player]:
        """The players of a game. A player starts its engine when it is first used."""
        black, white = self._player(game.black), self._player(game.white)
        for name in list(self._players)[: max(0, len(self._players) - MAX_ENGINES)]:
            self._players.pop(name).stop(politely=True)
        return black, white

    def after_game(self, record: GameRecord) -> None:
        """Stop the engine that failed; with `restart = "game"`, stop both."""
        if record.failure is not None:
            self._players[record.failure.offender].stop(politely=False)
        if self._config.run.restart == "game":
            for name in (record.game.black, record.game.white):
                self._players[name].stop(politely=True)

    def close(self, *, politely: bool) -> None:
        """Stop all engines."""
        for player in filter(None, (*self._players.values(), self.referee)):
            player.stop(politely=politely)

    def _player(self, name: str) -> Player:
        player = self._players.pop(name, None)
        if player is None:
            player = Player(self._config.engines[name], self._config.run, hidden=self._hidden)
        self._players[name] = player
        return player


# --- a stop -------------------------------------------------------------------------------------------------


class GameDroppedError(BaseException):
    """The game in play was dropped. No `except Exception` may take it for a failure of an engine."""


class EarlyStop:
    """Drops the game in play after a stop request, unless an engine has moved in it.

    A game without a move may be waiting for an engine that starts slowly, and dropping it favours neither
    side. A game with a move is played to its end. The request reaches the main thread as SIGINT. Only
    `request` may be called in another thread.
    """

    def __init__(self) -> None:
        self.requested = False
        self._droppable = False

    def install(self) -> None:
        """Handle SIGINT. Without a request it is ignored, because the coordinator handles Ctrl-C."""
        signal.signal(signal.SIGINT, self._on_signal)

    def request(self) -> None:
        """Drop the game in play if it can be dropped, and every later one."""
        self.requested = True
        main = threading.main_thread().ident
        if main is not None:
            signal.pthread_kill(main, signal.SIGINT)

    @contextmanager
    def droppable(self) -> Iterator[None]:
        """A block that a stop request before a call of `keep` ends with GameDroppedError."""
        self._droppable = True
        try:
            if self.requested:
                raise GameDroppedError
            yield
        finally:
            self._droppable = False

    def keep(self) -> None:
        """From now on, play this game to its end."""
        self._droppable = False

    def _on_signal(self, *_: object) -> None:
        if self.requested and self._droppable:
            self._droppable = False
            raise GameDroppedError
