"""Boards as rows of vectors, in the code being generated: neighbours, eyes, and other bit logic.

`Rows` is a board: one vector a row, a game a lane, bit c of a lane for column c. A row is emitted when it is
first asked for, and only once, so that code reads board by board and yet runs row by row, with few vectors
alive at a time.

Only bits below `size` may be set in a board. What looks at neighbours leaves rubbish above; it disappears
when the result is masked by a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import add, or_

from refbot.playouts.lanes.simd import Vec


class Rows:
    """A board whose rows are emitted on demand; rows off the board are empty."""

    def __init__(self, size: int, empty_row: Vec, row: Callable[[int], Vec]) -> None:
        self.size = size
        self.empty_row = empty_row
        self._row = row
        self._emitted: dict[int, Vec] = {}

    def __getitem__(self, row: int) -> Vec:
        if not 0 <= row < self.size:
            return self.empty_row
        if row not in self._emitted:
            self._emitted[row] = self._row(row)
        return self._emitted[row]

    def __iter__(self) -> Iterator[Vec]:
        return (self[row] for row in range(self.size))

    def like(self, row: Callable[[int], Vec]) -> Rows:
        """Another board of the same size."""
        return Rows(self.size, self.empty_row, row)

    def _with(self, how: Callable[[Vec, Vec], Vec], other: Rows | Vec) -> Rows:
        return self.like(lambda row: how(self[row], other[row] if isinstance(other, Rows) else other))

    def __and__(self, other: Rows | Vec) -> Rows:
        return self._with(lambda mine, its: mine & its, other)

    def __or__(self, other: Rows | Vec) -> Rows:
        return self._with(lambda mine, its: mine | its, other)

    def __invert__(self) -> Rows:
        return self.like(lambda row: ~self[row])


def sideways(board: Rows) -> Rows:
    """The points with a point of `board` to the left or right."""
    return board.like(lambda row: (board[row] << 1) | (board[row] >> 1))


def above_or_below(board: Rows) -> Rows:
    """The points with a point of `board` above or below."""
    return board.like(lambda row: board[row - 1] | board[row + 1])


def beside(board: Rows) -> Rows:
    """The points with a neighbour on `board` (a point is not its own neighbour)."""
    return sideways(board) | above_or_below(board)


def anywhere(board: Rows) -> Vec:
    """The union of all rows: not zero in the lanes where the board is not empty."""
    return reduce(or_, board)


def count(board: Rows) -> Vec:
    """The number of points in each lane."""
    return reduce(add, [row.popcount() for row in board])


def exactly_one(board: Rows) -> Vec:
    """The mask of the lanes with exactly one point."""
    once = twice = board.empty_row
    for row in board:
        twice = twice | (once & row)
        once = once | row
    twice = twice | (once & (once + -1))
    return once.nonzero() & ~twice.nonzero()


def all_points(board: Rows) -> Rows:
    """Every point of a board like this one."""
    full_row = board.empty_row.constant((1 << board.size) - 1)
    return board.like(lambda _: full_row)


def false_eyes(theirs: Rows) -> Rows:
    """The points with two enemy diagonals, or with one if they are on the edge.

    The board is framed with enemy stones so that every edge or corner point sees exactly one of them: then
    the rule is "two" everywhere. Left and right, every other pair of rows has a frame stone at its end; the
    rows above and below the board show one to each point, but for the corners that have theirs at a side.
    """
    last = theirs.size - 1
    full_row = (1 << theirs.size) - 1
    ends = full_row & ~(full_row >> 1) | 1

    def framed(row: int) -> bool:
        return bool(row >> 1 & 1)

    def outside(next_to_corner: int) -> Vec:
        return theirs.empty_row.constant(full_row & ~ends if framed(next_to_corner) else full_row)

    def left_or_right(row: int) -> Vec:
        here = theirs[row]
        return (here << 1) | (here >> 1) | (ends if framed(row) else 0)

    def left_and_right(row: int) -> Vec:
        here = theirs[row]
        left, right, frame = here << 1, here >> 1, here.constant(ends if framed(row) else 0)
        return (left & right) | ((left | right) & frame)

    some, both = theirs.like(left_or_right), theirs.like(left_and_right)

    def two(row: int) -> Vec:
        below = some[row - 1] if row > 0 else outside(1)
        above = some[row + 1] if row < last else outside(last - 1)
        return both[row - 1] | both[row + 1] | (below & above)

    return theirs.like(two)
