"""What a match will cost, from moves that its engines are asked for in the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from harness.go import random_game
from harness.gtp import Engine, Limits, format_vertex
from harness.match import EngineTable, MatchConfig

MOVES_A_POINT = 1.35
"""Moves of a whole game of bots that pass only when nothing is left, for each point of the board."""
DEPTH = 3  # a third of the points are played when the engines are asked
ASKED = 3  # times, of which the median counts
SEED = 2010


@dataclass(frozen=True)
class Pace:
    """Seconds that an engine takes for a move in the middle of a game, and until it is warm."""

    move: float
    start: float


def seconds_needed(config: MatchConfig, games: int, workers: int) -> float:
    """About how long so many games will take, on so many cores. Two engines stand for all."""
    size = config.run.size
    first, second = (pace(engine, size, config.run.timeout) for engine in config.engine[:2])
    playing = games * MOVES_A_POINT * size**2 * (first.move + second.move) / 2 / workers
    # Every worker starts every engine once.
    return playing + first.start + (len(config.engine) - 1) * second.start if games else 0.0


def pace(table: EngineTable, size: int, timeout: float) -> Pace:
    """Ask an engine for moves. Raises EngineStartError.

    One that does not answer counts as one that takes all the time there is.
    """
    game = random_game(size, SEED, size**2 // DEPTH)
    with Engine(table.launch(), Limits(startup=table.startup, answer=timeout)) as engine:
        setup = ["name", f"boardsize {size}", "clear_board", "komi 7.5"]
        setup += [f"play {move.colour} {format_vertex(move.point)}" for move in game.moves]
        before = sum(engine.ask(line).seconds for line in setup)
        first, *others = (engine.ask(f"genmove {game.to_move}").seconds for _ in range(1 + ASKED))
    return Pace(median(others), before + first)
