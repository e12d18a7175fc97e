"""The engines of one worker, kept from game to game."""

from __future__ import annotations

from harness.arena.config.tables import MatchConfig
from harness.arena.game.player import Player
from harness.arena.records import Game, GameRecord

MAX_ENGINES = 16
"""Number of engines that a worker keeps; beyond that it stops the least recently used."""


class EnginePool:
    """The engines of one worker by name, kept from game to game according to `restart`."""

    def __init__(self, config: MatchConfig) -> None:
        self._config = config
        self._players: dict[str, Player] = {}  # least recently used first

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
        for player in self._players.values():
            player.stop(politely=politely)

    def _player(self, name: str) -> Player:
        player = self._players.pop(name, None)
        if player is None:
            player = Player(self._config.engines[name], self._config.run.timeout)
        self._players[name] = player
        return player
