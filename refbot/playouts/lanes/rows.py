"""Boards as rows of vectors, in the code being generated: neighbours, eyes, numbers of points.

`Rows` is a board of all games: one vector for each row of a band (see `shape`), one lane for each game. The
code of a row is emitted when the row is first read, and only once. So the source is written board by board,
while the emitted code runs row by row and keeps few vectors alive at a time.

A board has bits for its points only. Functions that shift a board, such as `beside`, may also set bits
between and above the bands; mask their result by a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import add, or_

from refbot.playouts.lanes.shape import Shape
from refbot.playouts.lanes.vec import Vec


class Rows:
    """A board whose rows are emitted on demand.

    Row -1 is the last row of the band below, for every band at once; row `height` is the first row of the
    band above. Rows off the board are empty.
    """

    def __init__(self, shape: Shape, empty_row: Vec, row: Callable[[int], Vec]) -> None:
        self.shape = shape
        self.height = shape.height
        self.empty_row = empty_row
        self._row = row
        self._emitted: dict[int, Vec] = {}

    def __getitem__(self, row: int) -> Vec:
        if row not in self._emitted:
            self._emitted[row] = self._row(row) if 0 <= row < self.height else self._of_next_band(row)
        return self._emitted[row]

    def _of_next_band(self, row: int) -> Vec:
        if self.shape.bands == 1:
            return self.empty_row
        assert row in (-1, self.height)
        return self[self.height - 1] << self.shape.stride if row < 0 else self[0] >> self.shape.stride

    def __iter__(self) -> Iterator[Vec]:
        return (self[row] for row in range(self.height))

    def like(self, row: Callable[[int], Vec]) -> Rows:
        """Another board of the same size; `row` gives its rows."""
        return Rows(self.shape, self.empty_row, row)

    def constant(self, row: int, columns: Callable[[int], int]) -> Vec:
        """Row `row` of a board with the same points in every lane; `columns(board_row)` has their bits.

        A board row is a row of the real board: a row of vectors holds one of each band.
        """
        return self.empty_row.constant(self.shape.pattern(row, columns))

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


def all_points(board: Rows) -> Rows:
    """Every point of a board like this one."""
    full_row = (1 << board.shape.size) - 1
    return board.like(lambda row: board.constant(row, lambda _: full_row))


def false_eyes(theirs: Rows) -> Rows:
    """Return the points with two enemy diagonals, or with one if they are on the edge.

    Imagine a frame of enemy stones around the board, such that every edge or corner point has exactly one of
    them on its diagonals. Then the limit is two everywhere. At the sides, the frame has stones beside the
    rows (from 0) 2, 3, 6, 7, 10, 11 and so on: the point at the side of row 4 then has one, beside row 3, and
    none beside row 5. Above and below the board, each point has one, except a corner whose neighbour row is
    framed at the sides already.

    In the code, `one_side` are the points with an enemy to the left or right, `both_sides` those with two.
    """
    shape = theirs.shape
    last = shape.size - 1
    full_row = (1 << shape.size) - 1
    ends = full_row & ~(full_row >> 1) | 1

    def is_framed(row: int) -> bool:
        return bool(row >> 1 & 1)

    def outside(row_beside: int) -> int:
        """Return the points of an edge row that have a frame stone outside it, by the row beside it."""
        return full_row & ~ends if is_framed(row_beside) else full_row

    def sides(row: int) -> Vec:
        return theirs.constant(row, lambda board_row: ends if is_framed(board_row) else 0)

    def left_or_right(row: int) -> Vec:
        here = theirs[row]
        return (here << 1) | (here >> 1) | sides(row)

    def left_and_right(row: int) -> Vec:
        here = theirs[row]
        left, right = here << 1, here >> 1
        return (left & right) | ((left | right) & sides(row))

    one_side, both_sides = theirs.like(left_or_right), theirs.like(left_and_right)

    def below(row: int) -> Vec:
        # Row 0 of the vectors is at the edge in the lowest band only: `outside` has the bits of that band.
        return one_side[row - 1] | (outside(1) if row == 0 else 0)

    def above(row: int) -> Vec:
        top = theirs.constant(row, lambda board_row: outside(last - 1) if board_row == last else 0)
        return one_side[row + 1] | top

    def two_diagonals(row: int) -> Vec:
        return both_sides[row - 1] | both_sides[row + 1] | (below(row) & above(row))

    return theirs.like(two_diagonals)


class Amount:
    """Counts points per lane up to "several": none, one, or more, in the rows added so far.

    `_once` has the columns with a point in any row, `_twice` those with points in two rows or more.
    """

    def __init__(self, nothing: Vec) -> None:
        self._once = self._twice = nothing

    def add(self, row: Vec) -> None:
        """Adds the points of a row."""
        self._twice = self._twice | (self._once & row)
        self._once = self._once | row

    @property
    def any(self) -> Vec:
        """The mask of the lanes with any point."""
        return self._once.nonzero()

    @property
    def several(self) -> Vec:
        """The mask of the lanes with two points or more."""
        more_in_a_row = self._once & (self._once + -1)  # what is left without the lowest point
        return (self._twice | more_in_a_row).nonzero()


def amounts(**boards: Rows) -> dict[str, Amount]:
    """The amounts of points on several boards, emitted row by row from the last to the first."""
    found = {name: Amount(board.empty_row) for name, board in boards.items()}
    for row in reversed(range(next(iter(boards.values())).height)):
        for name, board in boards.items():
            found[name].add(board[row])
    return found


def any_point(board: Rows) -> Vec:
    """The mask of the lanes with any point."""
    return reduce(or_, board).nonzero()


def exactly_one(board: Rows) -> Vec:
    """The mask of the lanes with exactly one point."""
    amount = Amount(board.empty_row)
    for row in board:
        amount.add(row)
    return amount.any & ~amount.several


def number(board: Rows) -> Vec:
    """The number of points in each lane."""
    return reduce(add, [row.popcount() for row in board])


def beside_several(board: Rows) -> Rows:
    """The points with two neighbours or more on `board`."""

    def row_of(row: int) -> Vec:
        left, right, below, above = board[row] << 1, board[row] >> 1, board[row - 1], board[row + 1]
        return (left & right) | (below & above) | ((left | right) & (below | above))

    return board.like(row_of)
