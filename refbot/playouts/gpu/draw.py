# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""One point at random: the random numbers, and the draw.

The random numbers are those of Philox (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3",
2011): a word is a function of the seed, the number of a game, and the number of a step. So a game does not
depend on the thread that plays it. This is Philox2x32 with seven rounds, the fewest that pass the tests of
its authors; the two halves of the seed serve as key in turns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from refbot.playouts.gpu.layout import WORD_BITS, Layout
from refbot.playouts.gpu.target import Target

U = np.uint32
ROUNDS = 7
_MULTIPLIER, _WEYL, _MASK = 0xD256D193, 0x9E3779B9, 0xFFFFFFFF
_HALF = np.uint64(32)
STEP_BITS = 20  # a game takes fewer steps than 2^20, and a seed has fewer games than 2^44


class Draws(NamedTuple):
    """Functions that draw."""

    random_word: Callable[..., Any]
    draw: Callable[..., Any]


def round_keys(seed: int) -> tuple[np.uint32, ...]:
    """The keys of all rounds from a seed of 64 bits."""
    halves = seed & _MASK, seed >> 32 & _MASK
    return tuple(U((halves[n % 2] + n // 2 * _WEYL) & _MASK) for n in range(ROUNDS))


def draws(layout: Layout, target: Target) -> Draws:
    """The functions for one layout."""
    height = layout.shape.height
    multiplier = np.uint64(_MULTIPLIER)
    widths = tuple(width for width in (16, 8, 4, 2, 1) if width < layout.shape.bits)
    assert layout.shape.bits <= WORD_BITS
    machine, popcount = target.machine, target.popcount

    @target.device
    def random_word(keys, game_low, game_high, step):
        """The random word of a step of a game."""
        left, right = game_low, U(U(game_high << U(STEP_BITS)) | U(step))
        for n in range(ROUNDS):
            product = np.uint64(left) * multiplier
            left = U(U(product >> _HALF) ^ keys[n] ^ right)
            right = U(product)
        return left

    @target.device
    def nth_bit(word, n):
        """The lowest bit of `word` after its `n` lowest ones."""
        bit = U(1)
        for width in widths:
            lower = popcount(U(word & U((1 << width) - 1)))
            if n >= lower:
                n = np.int32(n - lower)
                word = U(word >> U(width))
                bit = U(bit << U(width))
        return bit

    @target.device
    def draw(points, random, drawn):
        """Writes to `drawn` one of `points`, all with equal chances; returns whether there is any.

        The point is number floor(points x random / 2^32): the chances of two points differ by 2^-32.
        """
        counts_to = machine.local.array(height, np.int32)
        total = np.int32(0)
        for row in range(height):
            total = np.int32(total + popcount(points[row]))
            counts_to[row] = total
        number = np.int32((np.uint64(random) * np.uint64(U(total))) >> _HALF)
        word, n = points[height - 1], number
        if height > 1:
            n = np.int32(number - counts_to[height - 2])
        for back in range(1, height):
            row = height - 1 - back
            if number < counts_to[row]:
                word = points[row]
                n = np.int32(number - (counts_to[row - 1] if row > 0 else np.int32(0)))
        bit = nth_bit(word, n)
        for row in range(height):
            here = number < counts_to[row] and (row == 0 or number >= counts_to[row - 1])
            drawn[row] = bit if here else U(0)
        return total > 0

    return Draws(random_word, draw)
