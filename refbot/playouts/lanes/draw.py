"""One point at random in every lane: which points, and the draw."""

from __future__ import annotations

from functools import reduce
from operator import add

from refbot.playouts.lanes.rng import pick_below
from refbot.playouts.lanes.rows import Rows, all_points, beside, false_eyes
from refbot.playouts.lanes.simd import Vec

_ONE_BY_ONE = 9  # bits that are counted off one by one; wider rows are halved first


def candidates(mine: Rows, theirs: Rows, unproved: Rows, banned: Rows) -> Rows:
    """The points to draw from: empty, no eye, not banned, and not proved to be suicide."""
    not_mine = all_points(mine) & ~mine
    no_eye = beside(not_mine) | false_eyes(theirs)
    no_suicide = beside(unproved)
    return not_mine & ~theirs & no_eye & no_suicide & ~banned


class Draw:
    """A point drawn in every lane; in a lane with none to draw from, no point."""

    def __init__(self, points: Rows, high: Vec, low: Vec) -> None:
        counts = [row.popcount() for row in points]
        number = pick_below(reduce(add, counts), high, low)
        rest, nothing = number, points.empty_row
        row_points, before, reached_before = nothing, nothing, nothing
        self.here: list[Vec] = []
        for row, row_count in zip(points, counts, strict=True):
            rest = rest - row_count
            reached = rest.negative()
            here = reached & ~reached_before
            row_points = row_points | (row & here)
            before = before + (row_count & ~reached)
            self.here.append(here)
            reached_before = reached
        self.bit = nth_bit(row_points, number - before, points.shape.bits)
        self.points = points.like(lambda row: self.bit & self.here[row])
        self._wings = (self.bit << 1) | (self.bit >> 1)

    def beside(self, row: int) -> Vec:
        """The neighbours of the point in a row."""
        return (self._wings & self.here[row]) | self.points[row - 1] | self.points[row + 1]


def nth_bit(row: Vec, n: Vec, width: int) -> Vec:
    """The lowest bit of `row` after its `n` lowest ones; there are more ones than n, or none at all.

    Bits from `width` on are not set.
    """
    parts = 1
    while width > _ONE_BY_ONE:
        # The ones left are in one part of `width` bits, which part differs from lane to lane.
        half = (width + 1) // 2
        lower_halves = sum(((1 << half) - 1) << part * width for part in range(parts))
        in_lower_half = (row & lower_halves).popcount()
        lower = (n - in_lower_half).negative()
        row = row & (lower ^ ~lower_halves)
        n = n - (in_lower_half & ~lower)
        width, parts = half, 2 * parts
    for k in range(width - 1):
        row = row & (row + (row.constant(k) - n).negative())  # clears the lowest bit while k < n
    return row & -row
