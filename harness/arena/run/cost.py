"""Estimates the time of a match from the time of a few moves of its engines."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from harness.arena.config.engine_keys import genmove_command
from harness.arena.config.tables import EngineTable, MatchConfig
from harness.arena.errors import MatchError
from harness.go import random_game
from harness.gtp import Engine, Limits, format_vertex

MOVES_PER_POINT = 1.35
"""Moves per game and point of the board. Measured: 109 moves on 9x9, if bots pass only at the end."""
DEPTH = 3
"""The measured position has a move on one point in DEPTH. Chosen: the middle of a game."""
REPEATS = 3
"""Number of measured moves; the median counts. Chosen: one slow move has no effect, the wait is short."""
SEED = 2010  # of the measured position; any number serves


class NoPaceError(MatchError):
    """An engine did not answer while it was measured."""

    def __init__(self, engine: str, line: str) -> None:
        super().__init__(f"{engine} did not answer {line}")


@dataclass(frozen=True)
class Pace:
    """Seconds that an engine takes for a move in the middle of a game, and for its start and first move."""

    move: float
    start: float


def seconds_needed(config: MatchConfig, games: int, workers: int) -> float:
    """Estimate the seconds for this number of games, the starts of the engines included.

    The first two engines stand for all. Raises EngineStartError and NoPaceError.
    """
    first, second = measure_paces(config)
    # Every worker starts every engine once.
    starts = first.start + (len(config.engine) - 1) * second.start if games else 0.0
    return games * seconds_of_game(config, (first, second), workers) + starts


def measure_paces(config: MatchConfig) -> tuple[Pace, Pace]:
    """Return the paces of the first two engines that play, in their order.

    Raises EngineStartError and NoPaceError.
    """
    first, second = (
        measure_pace(engine, config.run.size, config.run.timeout) for engine in config.players[:2]
    )
    return first, second


def seconds_of_game(config: MatchConfig, paces: tuple[Pace, Pace], workers: int) -> float:
    """Estimate the seconds that one more game adds to a run, by the board size of `[run]` and no move cap.

    `paces`: of the two engines; `workers`: games at once.
    """
    return MOVES_PER_POINT * config.run.size**2 * (paces[0].move + paces[1].move) / 2 / workers


def measure_pace(table: EngineTable, size: int, timeout: float) -> Pace:
    """Measure the times of an engine: of a move, and from its start to its first move.

    Raises EngineStartError, and NoPaceError if it does not answer.
    """
    game = random_game(size, SEED, size**2 // DEPTH)
    with Engine(table.launch(), Limits(startup=table.startup, answer=timeout)) as engine:
        setup = ["name", f"boardsize {size}", "clear_board", "komi 7.5"]
        setup += [f"play {move.colour} {format_vertex(move.point)}" for move in game.moves]
        lines = [*setup, *[genmove_command(table.genmove, game.to_move)] * (1 + REPEATS)]
        seconds = []
        for line in lines:
            exchange = engine.ask(line)
            seconds.append(exchange.seconds)
            if exchange.answer is None:
                raise NoPaceError(table.name, line)
    first, *others = seconds[len(setup) :]
    return Pace(median(others), sum(seconds[: len(setup)]) + first)
