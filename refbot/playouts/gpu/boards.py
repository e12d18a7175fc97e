# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Functions on a board in 32-bit words: neighbours, eyes, floods over chains, and the area.

A board is an array of `height` words. A row here is a word: it may hold several rows of the board side by
side, one of each band (see `lanes.shape`). A board has bits for its points only. Functions that shift a row,
such as `beside`, may also set bits between the bands; mask their result by a board.

`board_functions` makes the functions for one layout; `step` and `kernel` call them.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from refbot.playouts.gpu.layout import Layout
from refbot.playouts.gpu.target import Target

U = np.uint32
ONE = U(1)


def board_functions(layout: Layout, target: Target) -> SimpleNamespace:
    """Return the functions on boards of one layout, compiled by `target`."""
    height, stride, banded = layout.shape.height, U(layout.shape.stride), layout.shape.bands > 1
    full, edge = layout.full, layout.edge
    device, machine, popcount = target.device, target.machine, target.popcount

    @device
    def below(board, row):
        """The row before `row`. Before the first row of a band is the last row of the band below."""
        if row > 0:
            return board[row - 1]
        return U(board[height - 1] << stride) if banded else U(0)

    @device
    def above(board, row):
        """The row after `row`. After the last row of a band is the first row of the band above."""
        if row < height - 1:
            return board[row + 1]
        return U(board[0] >> stride) if banded else U(0)

    @device
    def beside(board, row):
        """The points of a row with a neighbour on `board`."""
        return U(U(board[row] << ONE) | (board[row] >> ONE) | below(board, row) | above(board, row))

    @device
    def meet(one, other):
        """Return whether two boards have a point in common."""
        common = U(0)
        for row in range(height):
            common = U(common | (one[row] & other[row]))
        return common != U(0)

    @device
    def sensible(mine, theirs, unproved, banned, found):
        """Writes to `found` the empty points that are no eye, not proved to be suicide, and not banned.

        A false eye has two enemy diagonals, or one if it is on the edge. `some` are the points with an enemy
        to the left or right, `both` those with enemies on both sides: the diagonals of the rows above and
        below.
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

    @device
    def spread(stones, reached):
        """Returns `reached`, some stones of a row, spread along the runs of stones that they are in.

        Towards higher bits it fills the whole run: an addition carries through the rest of a run and clears
        it. Towards lower bits it adds one stone only.
        """
        reached = U(reached | (stones & ~U(stones + reached)))
        return U(reached | ((reached >> ONE) & stones))

    @device
    def sweep(stones, reached):
        """Spreads `reached` over the chains of `stones`, in place, by two sweeps: from row 0 on, and back.

        They may leave out stones of a winding chain: see `left_out`.

        All bands are swept at once: the first row of a band is spread before the last row of the band below
        it is complete. So it is spread once more after the sweep.
        """
        for row in range(height):
            reached[row] = spread(stones[row], U(reached[row] | (below(reached, row) & stones[row])))
        if banded:
            reached[0] = spread(stones[0], U(reached[0] | (below(reached, 0) & stones[0])))
        for back in range(height):
            row = height - 1 - back
            reached[row] = spread(stones[row], U(reached[row] | (above(reached, row) & stones[row])))

    @device
    def left_out(stones, reached):
        """Return whether the flood `reached` is incomplete: a stone beside it is not in it."""
        found = U(0)
        for row in range(height):
            found = U(found | (beside(reached, row) & stones[row] & ~reached[row]))
        return found != U(0)

    @device
    def grow(reached, empty):
        """Adds the empty points beside `reached` to it; returns a word that is 0 if there were none."""
        more = U(0)
        for row in range(height):
            found = U(beside(reached, row) & empty[row] & ~reached[row])
            more = U(more | found)
            reached[row] = U(reached[row] | found)
        return more

    @device
    def margin(mine, theirs):
        """Returns the area of the side to move less that of the other side.

        After two passes every empty point stands alone among stones of one colour. Larger regions exist only
        if the move cap ended the game; they are flooded from both sides.
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
        grown = larger
        while grown != U(0):
            grown = U(grow(near_mine, empty) | grow(near_theirs, empty))
        found = np.int32(0)
        for row in range(height):
            found = np.int32(found + popcount(U(near_mine[row] & ~near_theirs[row])))
            found = np.int32(found - popcount(U(near_theirs[row] & ~near_mine[row])))
        return found

    return SimpleNamespace(
        below=below, above=above, beside=beside, meet=meet, sensible=sensible, sweep=sweep,
        left_out=left_out, margin=margin,
    )  # fmt: skip
