"""The engines of one worker, and a game between two of them.

A worker process has one pool; a worker of a cluster has one for each game that it plays at once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from harness.arena.config.openings import OpeningBooks
from harness.arena.config.tables import MatchConfig
from harness.arena.game.game import play_game
from harness.arena.game.player import Player
from harness.arena.game.snapshot import Camera
from harness.arena.records import Game, GameRecord, GameSummary, Introduction
from harness.arena.run.core_sharing import CoreSharing
from harness.arena.store.game_rows import GameRows

SHORT_GAME = 0.25
"""A game below this many seconds is short. Chosen: waiting for the next game then costs noticeable speed."""
MAX_ENGINES = 16
"""Players that a pool keeps running, beside its referee. Chosen: more would save starts, but need memory."""


@dataclass(frozen=True)
class FinishedGame:
    """A worker's report of a game that it has played."""

    summary: GameSummary
    introductions: tuple[Introduction, ...]  # of the engines that were started for it
    seconds: float  # of the whole game, starts and stops of engines included

    @property
    def is_short(self) -> bool:
        """True if a worker should get several such games at once: it was short, and no engine failed."""
        return self.summary.failed is None and self.seconds < SHORT_GAME


class EnginePool:
    """The engines of one worker by name, kept from game to game according to `restart`; and its referee."""

    def __init__(self, config: MatchConfig, slot: int = 1, folder: Path | None = None) -> None:
        """Make an empty pool.

        slot        number of the pool, from 1, for the environment of the engines. No other pool of the run
                    on this machine has it, except pools of other workers of a dask scheduler
        folder      the folder of the run, which engines in a sandbox may not see
        """
        self.slot = slot
        self._hidden = () if folder is None else (folder,)
        self._config = config
        self._players: dict[str, Player] = {}  # least recently used first
        name = config.run.referee
        self.referee = None if name is None else Player(config.engines[name], config.run, hidden=self._hidden)

    def players_of(self, game: Game) -> tuple[Player, Player]:
        """Return (player of Black, player of White) of a game.

        A player starts its engine when it is first used.
        """
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
        """Stop all engines, the referee included."""
        for player in filter(None, (*self._players.values(), self.referee)):
            player.stop(politely=politely)

    def _player(self, name: str) -> Player:
        """The player of an engine, which becomes the most recently used one."""
        player = self._players.pop(name, None)
        if player is None:
            player = Player(self._config.engines[name], self._config.run, hidden=self._hidden)
        self._players[name] = player
        return player


def play_in_pool(
    game: Game,
    pool: EnginePool,
    books: OpeningBooks,
    config: MatchConfig,
    sharing: CoreSharing | None = None,
    camera: Camera | None = None,
) -> tuple[FinishedGame, GameRows]:
    """Play a game with the engines of `pool`. Return (the report of it, its rows for the store).

    sharing   decides if worker and engines share one core; None: they do not
    camera    gets the board after each move
    """
    began = time.monotonic()
    black, white = pool.players_of(game)
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
