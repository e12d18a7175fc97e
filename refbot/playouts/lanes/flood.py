"""Floods: the stones that are connected to given stones of their chains, in every lane at once."""

from __future__ import annotations

from enum import IntEnum

from refbot.playouts.lanes.layout import Field, Games
from refbot.playouts.lanes.rows import Rows
from refbot.playouts.lanes.vec import Vec


def spread(stones: Vec, reached: Vec) -> Vec:
    """Spreads `reached`, some stones of a row, along the runs of stones that they are in.

    Towards higher bits it fills the whole run: an addition carries through the rest of a run and clears it.
    Towards lower bits it adds one stone only. No carry goes that way, and more shifts in every step cost more
    than the extra steps of the few lanes that need them.
    """
    reached = reached | stones.without(stones + reached)
    return reached | ((reached >> 1) & stones)


def left_out(stones: Rows, reached: Rows, row: int) -> Vec:
    """Stones of a row that one more sweep would reach; `reached` is the result of a `Flood`."""
    near = reached[row - 1] | (reached[row] >> 1)
    if row == reached.height - 1:  # the sweep up began before the first row of the next band was complete
        near = near | reached[row + 1]
    return near & stones[row] & ~reached[row]


class Flood:
    """The flood of the chains of `stones` from `start`, by one sweep down and one up the board.

    One sweep may miss stones of a winding chain: see `left_out`. All bands (see `shape`) are swept at once:
    the first row of a band is spread before the last row of the band below it is complete. So it is spread
    once more at the end of the sweep. Callers read `rows`, the result, from the last to the first.
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
        """Emits the code of the sweep down for `row`, whose predecessors have been emitted."""
        self._first_down[row]


def emit_sweeps(floods: list[Flood], height: int) -> None:
    """Emits the sweeps down of several floods interleaved: each is a long chain of dependent operations."""
    for row in range(height):
        for flood in floods:
            flood.sweep_down(row)
    for flood in floods:
        flood.down[0]


class Search:
    """A flood that stores its result on a board. A held lane repeats its move and continues from there."""

    def __init__(self, games: Games, board: IntEnum, stones: Rows, start: Rows) -> None:
        self.flood = Flood(stones, start | (games.board(board) & games.get(Field.HELD)))

        def kept(row: int) -> Vec:
            reached = self.flood.rows[row]
            games.set_row(board, row, reached)
            return reached

        self.rows = start.like(kept)
        self.left_out = start.like(lambda row: left_out(stones, self.rows, row))
