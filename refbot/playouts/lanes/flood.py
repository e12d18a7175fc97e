"""Floods: the stones that are connected to given stones of their chains, in every lane at once.

Everything here emits code (see `simd`); a row of a board is emitted when it is first read (see `rows`). A
flood makes one sweep over the board and one back, however long its chains are. So it may leave out stones of
a winding chain (`left_out`). A lane where these stones matter is *held*: it repeats its move in the next
step, and its floods continue from the stones that they have reached.
"""

from __future__ import annotations

from enum import IntEnum

from refbot.playouts.lanes.layout import Field, Games
from refbot.playouts.lanes.rows import Rows
from refbot.playouts.lanes.vec import Vec


def spread(stones: Vec, reached: Vec) -> Vec:
    """Spreads `reached`, some stones of a row, along the runs of stones that they are in.

    Towards higher bits it fills the whole run: an addition carries through the rest of a run and clears it.
    Towards lower bits it adds one stone only. No carry goes that way, and more shifts in every step cost more
    than the extra steps of the few lanes that need them. Example: stones 01111000, reached 00010000. The sum
    is 10001000. The stones that it clears are 01110000, and a shift adds 00001000: all four are reached.
    """
    reached = reached | stones.without(stones + reached)
    return reached | ((reached >> 1) & stones)


def left_out(stones: Rows, reached: Rows, row: int) -> Vec:
    """Return stones of a row that one more flood would reach; `reached` is the result of a `Flood`.

    Only a reached stone below or to the right may not have been followed: the sweep back, the last one, went
    in the other two directions.
    """
    near = reached[row - 1] | (reached[row] >> 1)
    if row == reached.height - 1:  # the sweep back began before the first row of the next band was complete
        near = near | reached[row + 1]
    return near & stones[row] & ~reached[row]


class Flood:
    """The flood of the chains of `stones` from `start`: a sweep forward, from row 0 on, then one back.

    All bands (see `shape`) are swept at once: the first row of a band is spread before the last row of the
    band below it is complete. So it is spread once more at the end of the sweep. Callers read `rows`, the
    result, from the last row to the first.
    """

    def __init__(self, stones: Rows, start: Rows) -> None:
        last, banded = start.height - 1, start.shape.bands > 1

        def forward(row: int) -> Vec:
            before = start[-1] if row == 0 else self._forward_once[row - 1]
            return spread(stones[row], start[row] | (before & stones[row]))

        def first_row_again(row: int) -> Vec:
            before = self._forward_once
            if not banded or row > 0:
                return before[row]
            return spread(stones[row], before[row] | (before[-1] & stones[row]))

        def back(row: int) -> Vec:
            if row == last and not banded:
                return self.forward[row]
            before = self.forward[row + 1] if row == last else self.rows[row + 1]
            return spread(stones[row], self.forward[row] | (before & stones[row]))

        self._forward_once = start.like(forward)
        self.forward = start.like(first_row_again)
        self.rows = start.like(back)

    def emit_forward(self, row: int) -> None:
        """Emits the code of the sweep forward for `row`; that of the rows before it has been emitted."""
        self._forward_once[row]  # reading a row emits its code


def emit_sweeps(floods: list[Flood], height: int) -> None:
    """Emits the sweeps forward of several floods, row by row in turn.

    Each sweep is a long chain of dependent operations; a processor works on several such chains at once.
    """
    for row in range(height):
        for flood in floods:
            flood.emit_forward(row)
    for flood in floods:
        flood.forward[0]


class StoredFlood:
    """A flood that stores its result on `board`, from where a held lane continues it in the next step."""

    def __init__(self, games: Games, board: IntEnum, stones: Rows, start: Rows) -> None:
        self.flood = Flood(stones, start | (games.board(board) & games.get(Field.HELD)))

        def kept(row: int) -> Vec:
            reached = self.flood.rows[row]
            games.set_row(board, row, reached)
            return reached

        self.rows = start.like(kept)
        self.left_out = start.like(lambda row: left_out(stones, self.rows, row))
