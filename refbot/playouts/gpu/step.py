# mypy: allow-untyped-defs, allow-untyped-calls
"""One move of a game, as bit logic on boards. Arrays are in registers; each is written in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from refbot.playouts.gpu.draw import Draws
from refbot.playouts.gpu.flood import Floods
from refbot.playouts.gpu.layout import Layout
from refbot.playouts.gpu.rows import Rows
from refbot.playouts.gpu.target import Target

U = np.uint32
ONE = U(1)
PLAYED, PASSED, REFUSED = 0, 1, 2


def step(
    layout: Layout, target: Target, rows: Rows, floods: Floods, draws: Draws, *, amaf: bool
) -> Callable[..., Any]:
    """The function for one layout: what a thread does between two random words."""
    height, full, even_columns = layout.shape.height, layout.full, layout.even_columns
    machine, popcount, tracked = target.machine, target.popcount, height if amaf else 0
    below, above, beside, meet = rows.below, rows.above, rows.beside, rows.meet
    sensible, draw = rows.sensible, draws.draw
    sweep, left_out = floods.sweep, floods.left_out

    @target.device
    def place(mine, theirs, unproved, point, reached, alive, proved):
        """Floods the chains after a stone at `point`, which is on `mine` already.

        Two floods over the mover's stones start from liberties of two classes: those in even and those in odd
        columns. A chain that both reach has two liberties: next turn it cannot be captured, and a point with
        nothing but such chains around it is suicide. A third flood finds the chains of the other side that
        have a liberty; it starts also from those that had two before this move.
        """
        empty = machine.local.array(height, np.uint32)
        for row in range(height):
            empty[row] = U(full[row] & ~(mine[row] | theirs[row]))
        for row in range(height):
            level = U(U(empty[row] << ONE) | (empty[row] >> ONE))
            upright = U(below(empty, row) | above(empty, row))
            reached[row] = U(mine[row] & ((level & ~even_columns[row]) | (upright & even_columns[row])))
            proved[row] = U(mine[row] & ((level & even_columns[row]) | (upright & ~even_columns[row])))
            alive[row] = U(theirs[row] & (level | upright | ~unproved[row]))
        sweep(mine, reached)
        sweep(mine, proved)
        sweep(theirs, alive)
        for row in range(height):
            both = U(reached[row] & proved[row])
            reached[row] = U(reached[row] | proved[row])
            proved[row] = both

    @target.device
    def settle(mine, theirs, near, point, joined, reached, alive):
        """Goes on with the flood that decides, if it has left stones out; returns (captures, has a liberty)."""
        stones = machine.local.array(height, np.uint32)
        flooded = machine.local.array(height, np.uint32)
        while True:
            lost = U(0)
            for row in range(height):
                lost = U(lost | (near[row] & theirs[row] & ~alive[row]))
            captures, safe = lost != U(0), meet(point, reached)
            for row in range(height):
                stones[row] = theirs[row] if captures else mine[row]
                flooded[row] = alive[row] if captures else reached[row]
            if not ((captures or (joined and not safe)) and left_out(stones, flooded)):
                return captures, safe
            sweep(stones, flooded)
            for row in range(height):
                alive[row] = flooded[row] if captures else alive[row]
                reached[row] = reached[row] if captures else flooded[row]

    @target.device
    def move(mine, theirs, unproved, banned, touched, first, random, root_turn):
        """Draws a point and plays there, unless it is suicide; then the point is banned for this turn.

        The boards change sides after a move. `touched` and `first` are the points that anybody, and that the
        root's mover, was the first to play on; they are written if AMAF is wanted.
        """
        point = machine.local.array(height, np.uint32)
        near = machine.local.array(height, np.uint32)
        reached = machine.local.array(height, np.uint32)
        alive = machine.local.array(height, np.uint32)
        proved = machine.local.array(height, np.uint32)
        sensible(mine, theirs, unproved, banned, near)
        placed = draw(near, random, point)
        for row in range(height):
            near[row] = beside(point, row)
        joined = meet(near, mine)
        for row in range(height):
            mine[row] = U(mine[row] | point[row])
        place(mine, theirs, unproved, point, reached, alive, proved)
        captures, safe = settle(mine, theirs, near, point, joined, reached, alive)
        if placed and not captures and not safe:
            for row in range(height):
                mine[row] = U(mine[row] & ~point[row])
                banned[row] = U(banned[row] | point[row])
            return REFUSED
        for row in range(tracked):
            fresh = U(point[row] & ~touched[row])
            touched[row] = U(touched[row] | point[row])
            first[row] = U(first[row] | fresh) if root_turn else first[row]
        lost = np.int32(0)
        for row in range(height):
            alive[row] = alive[row] if captures else theirs[row]
            lost = np.int32(lost + popcount(U(theirs[row] & ~alive[row])))
        ko = lost == 1 and not joined and not safe
        for row in range(height):
            banned[row] = U(theirs[row] & ~alive[row]) if ko else U(0)
            unproved[row] = U(full[row] & ~proved[row])
            theirs[row] = mine[row]
            mine[row] = alive[row]
        return PLAYED if placed else PASSED

    return move
