# mypy: allow-untyped-defs, allow-untyped-calls
"""How a playout that has ended is decided: by the area, or by a short cut where an option allows one."""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined
from refbot.deviations import bits
from refbot.deviations.options import CHECK_EARLY_SCORE, CUTOFF, EARLY_SCORE, MERCY
from refbot.playouts.scalar.packed import BLACK
from refbot.playouts.scalar.score import area, area_cut_short
from refbot.playouts.tally import CONSIDERED, CUT_END, EARLY_END, FOUND, MERCY_END, WRONG

SHORT_CUTS = MERCY | EARLY_SCORE | CUTOFF


@inlined
def result_of(margin, root, mask):
    """2, 1 or 0 for a win of Black, a draw, a win of White; `margin` is Black's lead, komi taken off."""
    if margin == 0.0:
        if mask & bits.DRAW_TO_WHITE or (mask & bits.DRAW_LOST and root == BLACK):
            return 0
        if mask & bits.DRAW_TO_BLACK or (mask & bits.DRAW_LOST and root != BLACK):
            return 2
        return 1
    return 2 if margin > 0.0 else 0


@inlined
def stone_lead(size, n, black):
    """Black's stones minus White's, with `n` places empty."""
    return 2 * black + np.int64(n) - size * size


@inlined
def decide(board, start, n, black, extra, root, mercy, cut, tally, features, mask):
    """(Black's lead without komi, result) of a playout that has ended.

    `mercy`: it ended by the mercy rule. `cut`: it was cut off. Where the area was not counted, the lead is
    that in stones.
    """
    stones = stone_lead(start.size, n, black)
    if features & MERCY:
        tally[MERCY_END, CONSIDERED] += 1
        if mercy:
            tally[MERCY_END, FOUND] += 1
            return stones, result_of(np.float64(stones), root, mask)
    if features & CUTOFF:
        tally[CUT_END, CONSIDERED] += 1
        if cut:
            tally[CUT_END, FOUND] += 1
            lead = area_cut_short(board, start.size)
            return lead, result_of(np.float64(lead) - start.komi, root, mask)
    if features & EARLY_SCORE:
        tally[EARLY_END, CONSIDERED] += 1
        margin = np.float64(stones) - start.komi
        if abs(margin) > start.early_score:
            tally[EARLY_END, FOUND] += 1
            early = result_of(margin, root, mask)
            if features & CHECK_EARLY_SCORE:
                counted = np.float64(area(board, start.size, n, black, mask) + extra) - start.komi
                tally[EARLY_END, WRONG] += early != result_of(counted, root, mask)
            return stones, early
    return decide_by_area(board, start, n, black, extra, root, mercy, cut, tally, features, mask)


@inlined
def decide_by_area(board, start, n, black, extra, root, mercy, cut, tally, features, mask):
    """Decide by area without short cuts: all that a kernel without options needs."""
    lead = area(board, start.size, n, black, mask) + extra
    return lead, result_of(np.float64(lead) - start.komi, root, mask)
