# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""One step of a game on a GPU: a try at a move, as bit logic on boards.

Boards are arrays of words in registers (see `boards`). The functions write their results into boards that
they are given. Each game has the boards

mine, theirs    stones of the side to move, and of the other side
unproved        all points but stones of `theirs` in chains that are known to have two liberties
banned          points not to be drawn: the ko, and points of this turn already found to be suicide
kept            four boards that the next step needs (see Kept)
touched, first  points played on in this game, and those that the side to move at the root played on first;
                written only if AMAF is wanted

The floods of a step may leave out stones of a winding chain. A game where these stones matter is *held*: it
repeats its move in the next step, and its floods continue from the stones that they have reached.
"""

from __future__ import annotations

from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np

from refbot.playouts.gpu.layout import Layout
from refbot.playouts.gpu.target import Target

U = np.uint32
ONE = U(1)
PLAYED, PASSED, WAITS = 0, 1, 2
"""Outcomes of a step. WAITS: no move was made, and the same side tries again in the next step."""


class Kept(IntEnum):
    """The boards that a game keeps for its next step. All but POINT are empty unless the game is held."""

    POINT, REACHED, PROVED, ALIVE = range(4)


def move_function(layout: Layout, target: Target, boards: SimpleNamespace, *, amaf: bool) -> Any:
    """Return the function `move` for one layout, compiled by `target`."""
    height, full, even_columns = layout.shape.height, layout.full, layout.even_columns
    machine, popcount, tracked = target.machine, target.popcount, height if amaf else 0
    below, above, beside, meet = boards.below, boards.above, boards.beside, boards.meet
    sensible, sweep, left_out = boards.sensible, boards.sweep, boards.left_out
    widths = tuple(width for width in (16, 8, 4, 2, 1) if width < layout.shape.bits)
    point_, reached_, proved_, alive_ = map(int, Kept)

    @target.device
    def nth_bit(word, n):
        """Returns the lowest one of `word` after its `n` lowest ones: 110100 and n = 1 give 010000."""
        bit = U(1)
        for width in widths:
            lower = popcount(U(word & U((1 << width) - 1)))
            if n >= lower:
                n = np.int32(n - lower)
                word = U(word >> U(width))
                bit = U(bit << U(width))
        return bit

    @target.device
    def draw(points, random, drawn):
        """Writes to `drawn` one of `points`, each equally likely; returns whether there is any.

        The point is number floor(count x random / 2^32): the probabilities of two points differ by at
        most 2^-32.
        """
        counts_to = machine.local.array(height, np.int32)
        total = np.int32(0)
        for row in range(height):
            total = np.int32(total + popcount(points[row]))
            counts_to[row] = total
        number = np.int32((np.uint64(random) * np.uint64(U(total))) >> np.uint64(32))
        word, n = points[height - 1], number
        if height > 1:
            n = np.int32(number - counts_to[height - 2])
        for back in range(1, height):
            row = height - 1 - back
            if number < counts_to[row]:
                word = points[row]
                n = np.int32(number - (counts_to[row - 1] if row > 0 else np.int32(0)))
        bit = nth_bit(word, n)
        for row in range(height):
            here = number < counts_to[row] and (row == 0 or number >= counts_to[row - 1])
            drawn[row] = bit if here else U(0)
        return total > 0

    @target.device
    def place(mine, theirs, unproved, banned, kept, held, random, point, reached, proved, alive):
        """Draws a point, or takes that of a held game, places a stone there and floods the chains.

        Liberties have two classes: those in even and those in odd columns. Two floods over the mover's
        stones, `reached` and `proved`, start from the two classes. A chain that both reach has two liberties:
        it cannot be captured in the next turn, and a point with only such chains around it is suicide for the
        other side. A third flood, `alive`, finds the chains of the other side that have a liberty. It also
        starts from those that had two liberties before this move.

        Adds the stone to `mine`, and writes the boards from `point` on. `random` is a random word. Returns
        four truth values:

        placed  there is a point to play at
        alone   its stone has no neighbour of its colour
        dying   the flood found no liberty of an enemy chain beside it
        safe    the floods found a liberty of the chain of the stone
        """
        near = machine.local.array(height, np.uint32)
        sensible(mine, theirs, unproved, banned, near)
        placed = draw(near, random, point)
        for row in range(height):
            point[row] = kept[point_, row] if held else point[row]
        for row in range(height):
            near[row] = beside(point, row)
        alone = not meet(near, mine)
        empty = machine.local.array(height, np.uint32)
        for row in range(height):
            mine[row] = U(mine[row] | point[row])
            empty[row] = U(full[row] & ~(mine[row] | theirs[row]))
        for row in range(height):
            level = U(U(empty[row] << ONE) | (empty[row] >> ONE))
            upright = U(below(empty, row) | above(empty, row))
            of_even = U((upright & even_columns[row]) | (level & ~even_columns[row]))
            of_odd = U((level & even_columns[row]) | (upright & ~even_columns[row]))
            reached[row] = U((mine[row] & of_even) | kept[reached_, row])
            proved[row] = U((mine[row] & of_odd) | kept[proved_, row])
            alive[row] = U((theirs[row] & (level | upright | ~unproved[row])) | kept[alive_, row])
        sweep(mine, reached)
        sweep(mine, proved)
        sweep(theirs, alive)
        lost = U(0)
        for row in range(height):
            lost = U(lost | (near[row] & theirs[row] & ~alive[row]))
        return placed, alone, lost != U(0), meet(point, reached) or meet(point, proved)

    @target.device
    def finish(
        mine, theirs, unproved, banned, kept, touched, first, root_turn,
        point, reached, proved, alive, placed, alone, dying, safe,
    ):  # fmt: skip
        """Makes the move that `place` has prepared, unless it is suicide; then its point is banned.

        The game is held if stones that a flood has left out matter. After a move or a pass the boards change
        sides. Returns as `move` does.
        """
        stones = machine.local.array(height, np.uint32)
        found = machine.local.array(height, np.uint32)
        for row in range(height):
            stones[row] = theirs[row] if dying else mine[row]
            found[row] = alive[row] if dying else U(reached[row] | proved[row])
        # Stones that a flood has left out matter if a chain seems to have no liberty.
        held = (dying or (placed and not alone and not safe)) and left_out(stones, found)
        refused = placed and not dying and not safe and not held
        for row in range(height):
            kept[point_, row] = point[row]
            kept[reached_, row] = reached[row] if held else U(0)
            kept[proved_, row] = proved[row] if held else U(0)
            kept[alive_, row] = alive[row] if held else U(0)
        if held or refused:
            for row in range(height):
                mine[row] = U(mine[row] & ~point[row])
                banned[row] = U(banned[row] | point[row]) if refused else banned[row]
            return WAITS, held
        for row in range(tracked):
            fresh = U(point[row] & ~touched[row])
            touched[row] = U(touched[row] | point[row])
            first[row] = U(first[row] | fresh) if root_turn else first[row]
        taken = np.int32(0)
        for row in range(height):
            alive[row] = alive[row] if dying else theirs[row]
            taken = np.int32(taken + popcount(U(theirs[row] & ~alive[row])))
        ko = taken == 1 and alone and not safe
        for row in range(height):
            banned[row] = U(theirs[row] & ~alive[row]) if ko else U(0)
            unproved[row] = U(full[row] & ~(reached[row] & proved[row]))
            theirs[row] = mine[row]
            mine[row] = alive[row]
        return (PLAYED if placed else PASSED), held

    @target.device
    def move(mine, theirs, unproved, banned, kept, touched, first, held, random, root_turn):
        """Makes one step of a game, on the boards that the module lists.

        `held`: the step before held the game. `random` is a random word. `root_turn`: the side that moves at
        the root is to move. Returns (PLAYED, PASSED or WAITS, whether the game is held now).
        """
        point = machine.local.array(height, np.uint32)
        reached = machine.local.array(height, np.uint32)
        proved = machine.local.array(height, np.uint32)
        alive = machine.local.array(height, np.uint32)
        placed, alone, dying, safe = place(
            mine, theirs, unproved, banned, kept, held, random, point, reached, proved, alive
        )
        return finish(
            mine, theirs, unproved, banned, kept, touched, first, root_turn,
            point, reached, proved, alive, placed, alone, dying, safe,
        )  # fmt: skip

    return move
