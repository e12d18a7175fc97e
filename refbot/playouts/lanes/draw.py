"""One point at random in every lane: which points, and the draw."""

from __future__ import annotations

from functools import reduce
from itertools import accumulate, pairwise
from operator import or_

from refbot.playouts.lanes.rng import pick_below
from refbot.playouts.lanes.rows import Rows, all_points, beside, false_eyes
from refbot.playouts.lanes.vec import Vec
from refbot.playouts.lanes.width import Lanes

_ONE_BY_ONE = 5  # bits that are counted off one by one; wider rows are halved first


def sensible(mine: Rows, theirs: Rows, unproved: Rows, banned: Rows) -> Rows:
    """Return the empty points that may be drawn: no eye, not proved to be suicide, and not banned."""
    no_eye = beside(all_points(mine) & ~mine) | false_eyes(theirs)
    return no_eye & beside(unproved) & ~banned


class Draw:
    """A point drawn in every lane; in a lane with none to draw from, no point."""

    def __init__(self, points: Rows, high: Vec, low: Vec) -> None:
        *counts_to, total = accumulate(row.popcount() for row in points)
        number = pick_below(total, high, low)
        # Less the points up to a row, the number is below zero from the row on that it falls into. Its place
        # in that row is what was left before: the least, as numbers below zero are large without a sign.
        left = [number - count for count in counts_to]
        reached = [rest.negative() for rest in left]
        nothing = points.empty_row
        self.here = [now & ~before for before, now in pairwise([nothing, *reached, ~nothing])]
        row_points = reduce(or_, [points[row] & here for row, here in enumerate(self.here)])
        self.bit = nth_bit(row_points, reduce(lesser, left, number), points.shape.bits)
        self.points = points.like(lambda row: self.bit & self.here[row])
        self._wings = (self.bit << 1) | (self.bit >> 1)

    def beside(self, row: int) -> Vec:
        """The neighbours of the point in a row."""
        return (self._wings & self.here[row]) | self.points[row - 1] | self.points[row + 1]


def lesser(one: Vec, other: Vec) -> Vec:
    """The lesser of two small numbers, where one below zero counts as very large; not both may be below zero.

    Lanes of 64 bits are compared as two of 32, of which the upper one is 0 or -1: processors do that faster.
    """
    lanes = one.lanes
    halves = Lanes(32, 8 * lanes.bytes // 32) if lanes.bits == 64 else lanes
    return one.as_lanes(halves).lower(other.as_lanes(halves)).as_lanes(lanes)


def nth_bit(row: Vec, n: Vec, width: int) -> Vec:
    """The lowest bit of `row` after its `n` lowest ones; there are more ones than n, or none at all.

    Bits from `width` on are not set.
    """
    starts = [0]
    while width > _ONE_BY_ONE:
        # The ones left are in one part of at most `width` bits; which part differs from lane to lane.
        half = (width + 1) // 2
        lower_halves = reduce(or_, (((1 << half) - 1) << start for start in starts))
        in_upper_half = n - (row & lower_halves).popcount()
        row = row & (in_upper_half.negative() ^ ~lower_halves)
        n = lesser(n, in_upper_half)
        width, starts = half, [*starts, *(start + half for start in starts)]
    for k in range(width - 1):
        row = row.without_lowest(n, than=k)
    return row & -row
