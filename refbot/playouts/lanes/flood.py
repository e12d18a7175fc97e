"""Floods: which chains are connected to which of their liberties, in every lane at once."""

from __future__ import annotations

from enum import IntEnum

from refbot.playouts.lanes.layout import Field, Games
from refbot.playouts.lanes.rows import Rows
from refbot.playouts.lanes.vec import Vec


def spread(stones: Vec, reached: Vec) -> Vec:
    """`reached`, some stones of a row, spread along its runs: to their upper end, and one stone downwards.

    Upwards by the carry of an addition, which turns the rest of the run to zeros. Arithmetic carries nothing
    towards lower bits, and filling more of them costs more than the steps of lanes that are held for it.
    """
    reached = reached | stones.without(stones + reached)
    return reached | ((reached >> 1) & stones)


def left_out(stones: Rows, reached: Rows, row: int) -> Vec:
    """Stones of a row that one more sweep would reach; `reached` has been swept down, then up."""
    near = reached[row - 1] | (reached[row] >> 1)
    if row == reached.height - 1:  # the sweep up has begun before the first row of the next band was done
        near = near | reached[row + 1]
    return near & stones[row] & ~reached[row]


class Flood:
    """Flood of the chains of `stones` from `start`, by one sweep down and one up the board.

    All bands are swept at once, so that a sweep down begins before the last rows of the bands are done. Their
    first row is therefore spread once more at its end. Callers read `rows` from the last to the first.
    """

    def __init__(self, stones: Rows, start: Rows) -> None:
        last, banded = start.height - 1, start.shape.bands > 1

        def down(row: int) -> Vec:
            before = start[-1] if row == 0 else self._first_down[row - 1]
            return spread(stones[row], start[row] | (before & stones[row]))

        def first_row_again(row: int) -> Vec:
            before = self._first_down
            if not banded or row > 0:
                return before[row]
            return spread(stones[row], before[row] | (before[-1] & stones[row]))

        def up(row: int) -> Vec:
            if row == last and not banded:
                return self.down[row]
            before = self.down[row + 1] if row == last else self.rows[row + 1]
            return spread(stones[row], self.down[row] | (before & stones[row]))

        self._first_down = start.like(down)
        self.down = start.like(first_row_again)
        self.rows = start.like(up)

    def sweep_down(self, row: int) -> None:
        """Emits the first way down as far as `row`."""
        self._first_down[row]


def swept(floods: list[Flood], height: int) -> None:
    """Emits the way down of several floods side by side, for each is a long chain of dependent operations."""
    for row in range(height):
        for flood in floods:
            flood.sweep_down(row)
    for flood in floods:
        flood.down[0]


class Search:
    """A flood that stores on a board what it reaches. In lanes that are held it continues from there."""

    def __init__(self, games: Games, board: IntEnum, stones: Rows, start: Rows) -> None:
        self.flood = Flood(stones, start | (games.board(board) & games.get(Field.HELD)))

        def kept(row: int) -> Vec:
            reached = self.flood.rows[row]
            games.set_row(board, row, reached)
            return reached

        self.rows = start.like(kept)
        self.left_out = start.like(lambda row: left_out(stones, self.rows, row))
