"""How many points there are on a board, or beside a point: none, one, or several."""

from __future__ import annotations

from functools import reduce
from operator import add, or_

from refbot.playouts.lanes.rows import Rows
from refbot.playouts.lanes.simd import Vec


def some(board: Rows) -> Vec:
    """The mask of the lanes with any point."""
    return reduce(or_, board).nonzero()


def some_and_several(board: Rows) -> tuple[Vec, Vec]:
    """The masks of the lanes with any point, and with two or more."""
    once = twice = board.empty_row
    for row in board:
        twice = twice | (once & row)
        once = once | row
    return once.nonzero(), (twice | (once & (once + -1))).nonzero()


def several(board: Rows) -> Vec:
    """The mask of the lanes with two points or more."""
    return some_and_several(board)[1]


def number(board: Rows) -> Vec:
    """The number of points in each lane."""
    return reduce(add, [row.popcount() for row in board])


def beside_several(board: Rows) -> Rows:
    """The points with two neighbours or more on `board`."""

    def row_of(row: int) -> Vec:
        left, right, below, above = board[row] << 1, board[row] >> 1, board[row - 1], board[row + 1]
        return (left & right) | (below & above) | ((left | right) & (below | above))

    return board.like(row_of)
