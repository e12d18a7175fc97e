"""AMAF records as binary counters across bits: a finished game is added to all points of a word at once.

Rows are packed into words of 64 bits, as many as fit. Plane k holds bit k of every point's counter. To carry
each game from plane to plane would take as many planes as the longest carry of 64 points. So the words of
every other game wait: two of them and what is in the plane become one word there and one for the next plane,
where every other one waits again. A game takes two planes on average (the carry-save adders of Harley & Seal,
in Warren, Hacker's Delight, 2002). Before a counter could run over, the planes are added to the totals.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from refbot.compile.jit import leaf

_VISITS, _WINS, _DRAWS = 0, 1, 2  # the counters of a point
_SUM, _WAITING = 0, 1  # the words of a plane
PLANES = 9
GAMES_UNTIL_FULL = (1 << PLANES) - 1

_WORD_BITS = 64
_NONE, _ONE = np.uint64(0), np.uint64(1)


def amaf_planes(size: int) -> npt.NDArray[np.uint64]:
    """Return the counters of visits, wins and draws, all zero: shape (3, words, planes, 2).

    A word of a plane has two entries: its sum, and the points that wait.
    """
    rows_a_word = _WORD_BITS // size
    return np.zeros((3, (size + rows_a_word - 1) // rows_a_word, PLANES, 2), np.uint64)


@leaf
def _count(planes, counter, word, points, games):  # type: ignore[no-untyped-def]
    """Adds 1 to the counters of the points of one word; `games` are counted already."""
    plane = 0
    while games & 1:  # a word waits in this plane
        total, waiting = planes[counter, word, plane, _SUM], planes[counter, word, plane, _WAITING]
        odd = total ^ waiting
        planes[counter, word, plane, _SUM] = odd ^ points
        points = (total & waiting) | (odd & points)
        games >>= 1
        plane += 1
    planes[counter, word, plane, _WAITING] = points


@leaf
def add_amaf(first, size, half_points, planes, games):  # type: ignore[no-untyped-def]
    """Adds a finished game to the counters of the points that the root's mover was first to use: `first`.

    `games` have been added since the counters were at zero.
    """
    rows_a_word = _WORD_BITS // size
    for word in range(planes.shape[1]):
        points, shift = _NONE, _NONE
        for row in range(word * rows_a_word, min(size, (word + 1) * rows_a_word)):
            points |= first[row] << shift
            shift += np.uint64(size)
        _count(planes, _VISITS, word, points, games)
        _count(planes, _WINS, word, points if half_points == 2 else _NONE, games)
        _count(planes, _DRAWS, word, points if half_points == 1 else _NONE, games)


@leaf
def _counted(planes, counter, word, bit, games):  # type: ignore[no-untyped-def]
    """The counter of one point."""
    number = np.int64(0)
    for plane in range(PLANES):
        number += np.int64((planes[counter, word, plane, _SUM] >> bit) & _ONE) << plane
        if games >> plane & 1:
            number += np.int64((planes[counter, word, plane, _WAITING] >> bit) & _ONE) << plane
    return number


@leaf
def flush_amaf(size, planes, games, visits, half_wins):  # type: ignore[no-untyped-def]
    """Adds the counters, which hold `games` games, to the totals of each point. Sets the counters to zero."""
    points_a_word = _WORD_BITS // size * size
    for point in range(size * size):
        word, bit = point // points_a_word, np.uint64(point % points_a_word)
        visits[point] += _counted(planes, _VISITS, word, bit, games)
        half_wins[point] += 2 * _counted(planes, _WINS, word, bit, games)
        half_wins[point] += _counted(planes, _DRAWS, word, bit, games)
    planes[:] = _NONE
