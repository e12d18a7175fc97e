# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Floods: which chains are connected to which of their liberties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from refbot.playouts.gpu.layout import Layout
from refbot.playouts.gpu.rows import Rows
from refbot.playouts.gpu.target import Target

U = np.uint32
ONE = U(1)


class Floods(NamedTuple):
    """Functions that spread a board over chains."""

    sweep: Callable[..., Any]
    left_out: Callable[..., Any]


def floods(layout: Layout, target: Target, rows: Rows) -> Floods:
    """The functions for one layout."""
    height, banded = layout.shape.height, layout.shape.bands > 1
    device = target.device
    below, above, beside = rows.below, rows.above, rows.beside

    @device
    def spread(stones, reached):
        """`reached`, some stones of a row, spread along its runs: to their upper end, and one stone down.

        Upwards by the carry of an addition, which turns the rest of the run to zeros.
        """
        reached = U(reached | (stones & ~U(stones + reached)))
        return U(reached | ((reached >> ONE) & stones))

    @device
    def sweep(stones, reached):
        """Spreads `reached` over the chains of `stones`, by one sweep down and one up the board.

        All bands are swept at once, so that a sweep begins before the last rows of the bands are done. Their
        first row is therefore spread once more at its end.
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
        """Whether there are stones beside `reached` that are not on it."""
        found = U(0)
        for row in range(height):
            found = U(found | (beside(reached, row) & stones[row] & ~reached[row]))
        return found != U(0)

    return Floods(sweep, left_out)
