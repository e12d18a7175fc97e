# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Boards as words: neighbours, eyes, and the points to draw from.

Only bits of points are set in a board. What looks at neighbours leaves rubbish beside them; it disappears
when the result is masked by a board.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from refbot.playouts.gpu.layout import Layout
from refbot.playouts.gpu.target import Target

U = np.uint32
ONE = U(1)


class Rows(NamedTuple):
    """Functions of boards."""

    below: Callable[..., Any]
    above: Callable[..., Any]
    beside: Callable[..., Any]
    meet: Callable[..., Any]
    sensible: Callable[..., Any]


def rows(layout: Layout, target: Target) -> Rows:
    """The functions for one layout."""
    height, stride, banded = layout.shape.height, U(layout.shape.stride), layout.shape.bands > 1
    full, edge = layout.full, layout.edge
    device, machine = target.device, target.machine

    @device
    def below(board, row):
        """The row before; before the first one is the last one of the band below."""
        if row > 0:
            return board[row - 1]
        return U(board[height - 1] << stride) if banded else U(0)

    @device
    def above(board, row):
        """The row after."""
        if row < height - 1:
            return board[row + 1]
        return U(board[0] >> stride) if banded else U(0)

    @device
    def beside(board, row):
        """The points of a row with a neighbour on `board`."""
        return U(U(board[row] << ONE) | (board[row] >> ONE) | below(board, row) | above(board, row))

    @device
    def meet(one, other):
        """Whether two boards have a point in common."""
        common = U(0)
        for row in range(height):
            common = U(common | (one[row] & other[row]))
        return common != U(0)

    @device
    def sensible(mine, theirs, unproved, banned, found):
        """Writes to `found` the empty points that are no eye, not proved to be suicide, and not banned.

        A false eye has two enemy diagonals, or one on the edge: the two of a row and of another row are
        looked at together, and the points of the edge count as if they had one more.
        """
        for row in range(height):
            found[row] = U(full[row] & ~mine[row])
        some = machine.local.array(height, np.uint32)
        both = machine.local.array(height, np.uint32)
        for row in range(height):
            left, right = U(theirs[row] << ONE), U(theirs[row] >> ONE)
            some[row] = U(left | right)
            both[row] = U(left & right)
        open_ = machine.local.array(height, np.uint32)
        for row in range(height):
            under, over = below(some, row), above(some, row)
            false_eyes = U(
                (under & over) | (edge[row] & (under | over)) | below(both, row) | above(both, row)
            )
            open_[row] = U((beside(found, row) | false_eyes) & beside(unproved, row))
        for row in range(height):
            found[row] = U(found[row] & ~theirs[row] & ~banned[row] & open_[row])

    return Rows(below, above, beside, meet, sensible)
