"""How many points there are on a board, or beside a point: none, one, or several."""

from __future__ import annotations

from functools import reduce
from operator import add, or_

from refbot.playouts.lanes.rows import Rows
from refbot.playouts.lanes.simd import Vec


class Amount:
    """None, one, or several points: those of the rows added so far."""

    def __init__(self, nothing: Vec) -> None:
        self._once = self._twice = nothing

    def add(self, row: Vec) -> None:
        """Adds the points of a row."""
        self._twice = self._twice | (self._once & row)
        self._once = self._once | row

    @property
    def some(self) -> Vec:
        """The mask of the lanes with any point."""
        return self._once.nonzero()

    @property
    def several(self) -> Vec:
        """The mask of the lanes with two points or more."""
        return (self._twice | (self._once & (self._once + -1))).nonzero()


def amounts(**boards: Rows) -> dict[str, Amount]:
    """The amounts of points on several boards, emitted row by row from the last to the first."""
    found = {name: Amount(board.empty_row) for name, board in boards.items()}
    for row in reversed(range(next(iter(boards.values())).height)):
        for name, board in boards.items():
            found[name].add(board[row])
    return found


def some(board: Rows) -> Vec:
    """The mask of the lanes with any point."""
    return reduce(or_, board).nonzero()


def exactly_one(board: Rows) -> Vec:
    """The mask of the lanes with exactly one point."""
    amount = Amount(board.empty_row)
    for row in board:
        amount.add(row)
    return amount.some & ~amount.several


def number(board: Rows) -> Vec:
    """The number of points in each lane."""
    return reduce(add, [row.popcount() for row in board])


def beside_several(board: Rows) -> Rows:
    """The points with two neighbours or more on `board`."""

    def row_of(row: int) -> Vec:
        left, right, below, above = board[row] << 1, board[row] >> 1, board[row - 1], board[row + 1]
        return (left & right) | (below & above) | ((left | right) & (below | above))

    return board.like(row_of)
