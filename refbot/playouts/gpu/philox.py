# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The random words of a game on a GPU: a function of the seed, the number of the game and of the step.

So a game does not depend on the thread that plays it. The function is Philox2x32 (Salmon and others,
"Parallel random numbers: as easy as 1, 2, 3", 2011) with seven rounds, the fewest that pass the tests of its
authors. The two halves of the seed are the keys of alternate rounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from refbot.playouts.gpu.target import Target

U = np.uint32
ROUNDS = 7
_MULTIPLIER, _WEYL, _MASK = 0xD256D193, 0x9E3779B9, 0xFFFFFFFF
_HALF = np.uint64(32)
STEP_BITS = 20  # a game takes fewer steps than 2^20, and a seed has fewer games than 2^44


def round_keys(seed: int) -> tuple[np.uint32, ...]:
    """Return the key of each round, from the lower 64 bits of a seed."""
    halves = seed & _MASK, seed >> 32 & _MASK
    return tuple(U((halves[n % 2] + n // 2 * _WEYL) & _MASK) for n in range(ROUNDS))


def random_words(target: Target) -> Any:
    """Return the function random_word(keys, game_low, game_high, step), compiled by `target`."""
    multiplier = np.uint64(_MULTIPLIER)

    @target.device
    def random_word(keys, game_low, game_high, step):
        """Returns the random word of a step of game number `game_low` + 2^32 x `game_high`."""
        left, right = game_low, U(U(game_high << U(STEP_BITS)) | U(step))
        for n in range(ROUNDS):
            product = np.uint64(left) * multiplier
            left = U(U(product >> _HALF) ^ keys[n] ^ right)
            right = U(product)
        return left

    return random_word
