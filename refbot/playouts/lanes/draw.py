"""Uniform playouts: the points that may be drawn, and the draw of one of them at random in every lane.

Everything here emits code (see `simd`). Numbers and points differ from lane to lane; the examples show one.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate, pairwise
from operator import or_

from refbot.playouts.lanes.rng import pick_below
from refbot.playouts.lanes.rows import Rows, all_points, beside, false_eyes
from refbot.playouts.lanes.vec import Vec
from refbot.playouts.lanes.width import Lanes

_ONE_BY_ONE = 5  # a row of up to this number of bits is searched bit by bit; a wider one is halved first


def sensible(mine: Rows, theirs: Rows, unproved: Rows, banned: Rows) -> Rows:
    """Return the points that are no eye, not proved to be suicide, and not banned. They may be occupied.

    `unproved` is the board of that name (see `layout.Board`): a point that has no neighbour in it is suicide.
    """
    no_eye = beside(all_points(mine) & ~mine) | false_eyes(theirs)
    return no_eye & beside(unproved) & ~banned


class Draw:
    """One of `points` drawn in every lane, each with the same chance; no point in a lane that has none.

    points   the board with only the point that was drawn
    here     for each row a mask: the lanes whose point is in this row; the last row in lanes without a point
    bit      the column of the point, as one bit of a row

    `high` and `low` are random bits (see `rng.random_halves`).
    """

    def __init__(self, points: Rows, high: Vec, low: Vec) -> None:
        *counts_to, total = accumulate(row.popcount() for row in points)
        number = pick_below(total, high, low)
        # `number` counts candidates from the first row on. Subtract the candidates up to and including each
        # row: the difference is negative from the row of the drawn point on. The last difference before it
        # turns negative is the position within that row. It is the least of all, because `lesser` compares
        # without a sign, so that negative numbers are large. Example: number 4 with 2, 3 and 4 candidates in
        # the rows. The differences are 2 and -1: row 1, with 2 candidates of this row before the point. The
        # last row needs no difference: the point is there if no other row has it.
        left = [number - count for count in counts_to]
        reached = [rest.negative() for rest in left]
        nothing = points.empty_row
        self.here = [now & ~before for before, now in pairwise([nothing, *reached, ~nothing])]
        row_points = reduce(or_, [points[row] & here for row, here in enumerate(self.here)])
        self.bit = nth_bit(row_points, reduce(lesser, left, number), points.shape.bits)
        self.points = points.like(lambda row: self.bit & self.here[row])
        self._wings = (self.bit << 1) | (self.bit >> 1)

    def beside(self, row: int) -> Vec:
        """Return the neighbours of the point in a row. Some may be off the board (see `rows`)."""
        return (self._wings & self.here[row]) | self.points[row - 1] | self.points[row + 1]


def lesser(one: Vec, other: Vec) -> Vec:
    """The lesser of two small numbers. A negative number counts as very large; at most one may be negative.

    Lanes of 64 bits are compared as two of 32, of which the upper one is 0 or -1: processors do that faster.
    """
    lanes = one.lanes
    halves = Lanes(32, 8 * lanes.bytes // 32) if lanes.bits == 64 else lanes
    return one.as_lanes(halves).minimum(other.as_lanes(halves)).as_lanes(lanes)


def nth_bit(row: Vec, n: Vec, width: int) -> Vec:
    """Return the lowest one of `row` after its `n` lowest ones, as one bit: 0110100 and n = 1 give 0010000.

    There are more ones than n, or none at all. Bits from `width` on are not set.
    """
    starts = [0]
    while width > _ONE_BY_ONE:
        # The remaining ones of a lane are in one part of `width` bits, which differs from lane to lane.
        half = (width + 1) // 2
        lower_halves = reduce(or_, (((1 << half) - 1) << start for start in starts))
        in_upper_half = n - (row & lower_halves).popcount()
        row = row & (in_upper_half.negative() ^ ~lower_halves)
        n = lesser(n, in_upper_half)
        width, starts = half, [*starts, *(start + half for start in starts)]
    for k in range(width - 1):
        row = row.without_lowest(n, than=k)
    return row & -row
