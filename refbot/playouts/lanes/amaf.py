"""All-moves-as-first records as bit counters: a finished game is added to all points of a word at once.

A word of 64 bits has one bit for each point of as many whole rows as fit: seven rows of 9x9. Plane k holds
bit k of the counter of every point of the word. A point that 5 games have counted (binary 101) has a one in
the planes 0 and 2. So one operation on the words of a plane works on all its points.

Adding every game to plane 0 at once would carry through as many planes as the longest carry among 64 points.
So the word of every other game waits in the plane. With the next game, the plane adds three words: the one
that waits, the new one and its own. The sum stays in the plane; the carry goes to the next plane, where again
every other word waits. After n games, a word waits in plane k if bit k of n is a one; a counter is then the
sum of its bits in all planes and waiting words, those of plane k times 2^k. A game takes two planes on
average (the carry-save adders of Harley & Seal, in Warren, Hacker's Delight, 2002). Before a counter
overflows, the planes are added to the totals.

The lane kernel calls `add_amaf` for each game that has ended, and `flush_amaf` when the counters are full and
at the end.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from refbot.compile.jit import leaf

_VISITS, _WINS, _DRAWS = 0, 1, 2  # the counters of a point
_SUM, _WAITING = 0, 1  # the words of a plane
PLANES = 9  # so the counters are full after 511 games; chosen
GAMES_UNTIL_FULL = (1 << PLANES) - 1

_WORD_BITS = 64
_NONE, _ONE = np.uint64(0), np.uint64(1)


def amaf_planes(size: int) -> npt.NDArray[np.uint64]:
    """Return the counters of visits, wins and draws, all zero: shape (3, words, planes, 2).

    Each plane of a word has two entries: the sum, and the word that waits.
    """
    rows_a_word = _WORD_BITS // size
    return np.zeros((3, (size + rows_a_word - 1) // rows_a_word, PLANES, 2), np.uint64)


@leaf
def _add_to_counter(planes, counter, word, points, games):  # type: ignore[no-untyped-def]
    """Adds 1 to a counter of each of the `points` of a word, which holds `games` games so far."""
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
    """Adds a finished game to the counters of the points that the side to move at the root played first.

    `first` has a bit mask of these points for each row. `half_points` is the result for that side: 2, 1 or 0.
    `games` games have been added since the counters were 0.
    """
    rows_a_word = _WORD_BITS // size
    for word in range(planes.shape[1]):
        points, shift = _NONE, _NONE
        for row in range(word * rows_a_word, min(size, (word + 1) * rows_a_word)):
            points |= first[row] << shift
            shift += np.uint64(size)
        _add_to_counter(planes, _VISITS, word, points, games)
        _add_to_counter(planes, _WINS, word, points if half_points == 2 else _NONE, games)
        _add_to_counter(planes, _DRAWS, word, points if half_points == 1 else _NONE, games)


@leaf
def _read_counter(planes, counter, word, bit, games):  # type: ignore[no-untyped-def]
    """Return a counter of the point at `bit` of a word, after `games` games."""
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
        visits[point] += _read_counter(planes, _VISITS, word, bit, games)
        half_wins[point] += 2 * _read_counter(planes, _WINS, word, bit, games)
        half_wins[point] += _read_counter(planes, _DRAWS, word, bit, games)
    planes[:] = _NONE
