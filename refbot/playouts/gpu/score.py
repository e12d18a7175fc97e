# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The area of a game that has ended."""

from __future__ import annotations

from typing import Any

import numpy as np

from refbot.playouts.gpu.layout import Layout
from refbot.playouts.gpu.rows import Rows
from refbot.playouts.gpu.target import Target

U = np.uint32


def margin(layout: Layout, target: Target, rows: Rows) -> Any:
    """The function for one layout."""
    height, full = layout.shape.height, layout.full
    machine, popcount, beside = target.machine, target.popcount, rows.beside

    @target.device
    def grow(reached, empty):
        """Adds the empty points beside `reached`; returns whether there were any."""
        more = U(0)
        for row in range(height):
            found = U(beside(reached, row) & empty[row] & ~reached[row])
            more = U(more | found)
            reached[row] = U(reached[row] | found)
        return more != U(0)

    @target.device
    def margin(mine, theirs):
        """Area of the side to move less that of the other side.

        After two passes every empty point stands alone among stones of one colour. Only at the cap are there
        larger regions, which are flooded from both sides.
        """
        empty = machine.local.array(height, np.uint32)
        near_mine = machine.local.array(height, np.uint32)
        near_theirs = machine.local.array(height, np.uint32)
        larger = U(0)
        for row in range(height):
            empty[row] = U(full[row] & ~(mine[row] | theirs[row]))
        for row in range(height):
            near_mine[row] = U(mine[row] | (beside(mine, row) & empty[row]))
            near_theirs[row] = U(theirs[row] | (beside(theirs, row) & empty[row]))
            larger = U(larger | (beside(empty, row) & empty[row]))
        while larger != U(0):
            larger = U(0)
            if grow(near_mine, empty):
                larger = U(1)
            if grow(near_theirs, empty):
                larger = U(1)
        found = np.int32(0)
        for row in range(height):
            found = np.int32(found + popcount(U(near_mine[row] & ~near_theirs[row])))
            found = np.int32(found - popcount(U(near_theirs[row] & ~near_mine[row])))
        return found

    return margin
