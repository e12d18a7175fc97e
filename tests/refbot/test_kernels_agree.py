"""The lane kernel and the scalar kernel play the same games: 300 positions of every kind, both statistics."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from refbot.playouts import playouts
from refbot.playouts.stats import PlayoutStats
from refbot.rules import Game
from refbot.rules.position import BLACK, WHITE, Position
from tests.parameters import slow_but

SIZES = (5, 6, 7, 8, 9, 10, 11, 13, 16, 19)
OFTEN = (5, 9, 19)
"""Kernels of the other sizes are compiled for seconds."""

POSITIONS_A_SIZE = 30
PLAYOUTS = 1500
LIMIT = 7.5
"""Standard errors. Of some 30,000 nearly Normal statistics, one is beyond by chance in 2e-9 of runs."""

RARE = 4 / PLAYOUTS
"""A variance below that of so rare an event is not taken for less: such counts are far from Normal."""


def position_of(size: int, seed: int) -> tuple[Position, float]:
    """A position from the middle of a random game, and a komi from -20 to 20.

    Every third is reached by a capture in ko where the game offers one, every fifth follows a pass, every
    seventh has the move cap in reach.
    """
    rng = random.Random(seed * 1009 + size)
    game = Game(size, 0.0)
    share = rng.random() * 1.25
    colour = BLACK
    for _ in range(int(share * size * size)):
        moves = game.candidates(colour)
        game.play(colour, int(rng.choice(list(moves))) if len(moves) else None)
        colour = BLACK + WHITE - colour
        if seed % 3 == 0 and game.ko_point(colour) >= 0:
            break
    if seed % 5 == 0:
        game.play(colour, None)
        colour = BLACK + WHITE - colour
    position = game.position(colour if seed % 2 else BLACK + WHITE - colour)
    made = 3 * size * size - rng.randrange(1, 40) if seed % 7 == 0 else position.moves_made
    komi = rng.choice((rng.randrange(-20, 21), rng.randrange(-20, 20) + 0.5))
    return Position(size, position.stones, position.to_move, position.ko, made), komi


def apart(one: float, other: float, variance: float) -> float:
    """The difference of two means of PLAYOUTS values each, in standard errors."""
    if variance <= 0.0:
        return 0.0 if one == other else math.inf
    return abs(one - other) / math.sqrt(2.0 * variance / PLAYOUTS)


def result_variance(stats: PlayoutStats) -> float:
    return stats.black_wins_squared / stats.playouts - stats.black_rate**2


@pytest.mark.parametrize("size", slow_but(OFTEN, SIZES))
def test_lane_and_scalar_kernel_give_the_same_statistics(size: int) -> None:
    for seed in range(POSITIONS_A_SIZE):
        position, komi = position_of(size, seed)
        lanes = playouts(position, PLAYOUTS, komi=komi, seed=seed, kernel="lanes", amaf=True)
        scalar = playouts(position, PLAYOUTS, komi=komi, seed=seed, kernel="scalar", amaf=True)
        assert lanes.amaf is not None
        assert scalar.amaf is not None
        case = f"size {size}, seed {seed}, komi {komi}"
        length = apart(lanes.mean_moves, scalar.mean_moves, (lanes.sd_moves**2 + scalar.sd_moves**2) / 2)
        assert length < LIMIT, case
        result = apart(
            lanes.black_rate, scalar.black_rate, (result_variance(lanes) + result_variance(scalar)) / 2
        )
        assert result < LIMIT, case
        visits, others = lanes.amaf.visits, scalar.amaf.visits
        share = (visits + others) / (2 * PLAYOUTS)
        spread = np.sqrt(np.maximum(share * (1 - share), RARE) * 2 * PLAYOUTS)
        assert np.all(np.abs(visits - others) < LIMIT * spread), case


@pytest.mark.slow
def test_the_positions_are_of_every_kind() -> None:
    found = [position_of(size, seed)[0] for size in SIZES for seed in range(POSITIONS_A_SIZE)]
    assert len(found) == 300
    assert sum(position.ko >= 0 for position in found) >= 10
    assert {position.to_move for position in found} == {BLACK, WHITE}
    assert sum(3 * p.size**2 - p.moves_made < 40 for p in found) >= 30
    assert (
        any(not position.stones.any() for position in found)
        or min(np.count_nonzero(position.stones) for position in found) < 5
    )
