"""How many games a run has. Dropped engines and skipped pairs play no further ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.arena.config.tables import MOST_GAMES, MatchConfig
from harness.arena.pairings import Pairing


def games_of_pair(config: MatchConfig) -> int:
    """The number of games of a pair in the schedule. Without an end, it is more than are ever played."""
    return config.run.games or MOST_GAMES


def plays_on(pair: Pairing, config: MatchConfig) -> bool:
    """Whether a pair plays games that are not stored yet."""
    names = {pair.first, pair.second}
    dropped = {engine.name for engine in config.engine if engine.dropped}
    return not names & dropped and all(names != set(skipped) for skipped in config.run.skip)


def total_games(pairs: Sequence[Pairing], config: MatchConfig, played: Iterable[tuple[int, int]]) -> int:
    """The number of games of a run; 0 without an end. `played`: (pair, number) of the stored games."""
    if not config.run.games:
        return 0
    going_on = {pair.number for pair in pairs if plays_on(pair, config)}
    stored = sum(pair not in going_on for pair, _ in played)
    return len(going_on) * config.run.games + stored
