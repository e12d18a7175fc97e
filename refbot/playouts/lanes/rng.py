"""Random numbers in lanes: xoshiro256++ (Blackman and Vigna), one generator in each 64 bits of a vector.

A draw of one point takes 32 random bits per lane (64 in a lane of 64 bits, see `random_halves`). A lane of 16
bits gets them from two vectors of random bits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from refbot.playouts.lanes.layout import RANDOM_VECTORS, Field, Games
from refbot.playouts.lanes.vec import Vec
from refbot.playouts.lanes.width import VECTOR_BYTES, Lanes

_WORDS = VECTOR_BYTES // 8


def generator_state(seed: int) -> npt.NDArray[np.uint64]:
    """Return the states of all generators from one seed: shape (4, words of 64 bits in a vector)."""
    words = np.random.SeedSequence(int(seed)).generate_state(RANDOM_VECTORS * _WORDS, np.uint64)
    return words.astype(np.uint64).reshape(RANDOM_VECTORS, _WORDS)


def _rotate(word: Vec, distance: int) -> Vec:
    return (word << distance) | (word >> (64 - distance))


def random_words(games: Games, count: int) -> list[Vec]:
    """Return `count` vectors of random bits."""
    first = games.layout.field(Field.RANDOM)
    words = Lanes(64, games.lanes.bytes // 8)
    a, b, c, d = (games.load(first + k).as_lanes(words) for k in range(RANDOM_VECTORS))
    drawn = []
    for _ in range(count):
        drawn.append((_rotate(a + d, 23) + a).as_lanes(games.lanes))
        shifted = b << 17
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        c, d = c ^ shifted, _rotate(d, 45)
    for k, word in enumerate((a, b, c, d)):
        games.store(first + k, word.as_lanes(games.lanes))
    return drawn


def random_halves(games: Games) -> tuple[Vec, Vec]:
    """Return (high, low): the random bits of each lane in two halves.

    A half has 16 bits, or 32 in a lane of 64 bits.
    """
    if games.lanes.bits == 16:
        high, low = random_words(games, 2)
        return high, low
    (word,) = random_words(games, 1)
    if games.lanes.bits == 64:
        return word >> 32, word & 0xFFFFFFFF
    return word >> 16, word & 0xFFFF


def pick_below(total: Vec, high: Vec, low: Vec) -> Vec:
    """Return a number below `total`: floor(total * random / 2^32), or 0 if `total` is 0.

    `total` is below 2^10, and `random` has 32 bits: `high` and `low`, or `high` alone in a lane of 64 bits.
    The chances of two numbers differ by 2^-32 at most: less than one part in 4 million even on 25x25.
    """
    if total.lanes.bits == 64:
        return high.multiply_lower_halves(total) >> 32
    if total.lanes.bits == 32:
        return (high * total + ((low * total) >> 16)) >> 16
    lower = high * total
    carry = (lower + low.multiply_high(total)).below(lower)
    return high.multiply_high(total) - carry
