"""AMAF records as binary counters across bits: a finished game is added to all points of a word at once.

Rows are packed into words of 64 bits, as many as fit. Plane k holds bit k of every point's counter. A game is
added by carrying from plane to plane, which on average ends after two of them; before a counter could run
over, the planes are added to the totals and cleared.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from refbot.jit import part

VISITS, HALF_WINS = 0, 1  # the two counters of a point
PLANES = 9
GAMES_UNTIL_FULL = (1 << PLANES) // 2 - 1  # a game adds two half-wins at most

_WORD_BITS = 64
_ONE = np.uint64(1)


def amaf_planes(size: int) -> npt.NDArray[np.uint64]:
    """Counters at zero: shape (counters, words, planes)."""
    rows_a_word = _WORD_BITS // size
    return np.zeros((2, (size + rows_a_word - 1) // rows_a_word, PLANES), np.uint64)


@part
def _count(planes, points, first_plane):  # type: ignore[no-untyped-def]
    """Adds 2^first_plane to the counters of the points of one word."""
    plane = first_plane
    while points:
        carry = planes[plane] & points
        planes[plane] ^= points
        points = carry
        plane += 1


@part
def add_amaf(first, size, half_points, planes):  # type: ignore[no-untyped-def]
    """Adds a finished game to the counters of the points that the root's mover was first to use: `first`."""
    rows_a_word = _WORD_BITS // size
    for word in range(planes.shape[1]):
        points, shift = np.uint64(0), np.uint64(0)
        for row in range(word * rows_a_word, min(size, (word + 1) * rows_a_word)):
            points |= first[row] << shift
            shift += np.uint64(size)
        _count(planes[VISITS, word], points, 0)
        if half_points > 0:
            _count(planes[HALF_WINS, word], points, half_points - 1)


@part
def flush_amaf(size, planes, visits, half_wins):  # type: ignore[no-untyped-def]
    """Adds the counters to the totals of each point, and clears them."""
    points_a_word = _WORD_BITS // size * size
    for point in range(size * size):
        word, bit = point // points_a_word, np.uint64(point % points_a_word)
        for plane in range(PLANES):
            visits[point] += np.int64((planes[VISITS, word, plane] >> bit) & _ONE) << plane
            half_wins[point] += np.int64((planes[HALF_WINS, word, plane] >> bit) & _ONE) << plane
    planes[:] = np.uint64(0)
