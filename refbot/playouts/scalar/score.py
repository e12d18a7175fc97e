# mypy: allow-untyped-defs, allow-untyped-calls
"""The result of a playout that has ended: by its area, or by a short cut where an option allows one.

`kernel` calls `decide` (or `decide_by_area`) at the end of a playout. All arguments are those of the kernel:

    board      the packed board (see `packed`); its places are framed: a row has w = size + 2
    n, black   the numbers of empty places and of Black's stones
    features   bits of the options in force, such as MERCY
    mask       bits of the faults in force, such as `bits.DRAW_TO_WHITE`; 0 for a right bot
"""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined, part
from refbot.deviations import bits
from refbot.deviations.options import CHECK_EARLY_SCORE, CUTOFF, EARLY_SCORE, MERCY
from refbot.playouts.scalar.packed import (
    ALL_AROUND,
    BLACK,
    CHAIN,
    COLOUR,
    COUNTS,
    EMPTIES,
    EMPTY,
    OFF,
    WHITE,
    friends,
    is_enclosed,
)
from refbot.playouts.scalar.tactics import NOWHERE, sides, sole_liberty
from refbot.playouts.tally import CONSIDERED, CUT_END, EARLY_END, FOUND, MERCY_END, WRONG

U = np.uint64
_1 = U(1)


@inlined
def area(board, size, n, black, mask):
    """Black's area minus White's, of a board with `n` empty places and `black` black stones.

    Without a fault, it is stones plus `single_points`, or stones plus `flooded`. After two passes each empty
    place has no empty neighbour, and its neighbour counts give its owner. Regions of several places, which
    exist if the move cap ended the playout, are flooded.
    """
    white = size * size - np.int64(n) - black
    total = black - white
    if mask & bits.AREA_STONES_ONLY:
        return total
    if mask & bits.AREA_TERRITORY_ONLY:
        total = 0
    if mask & bits.AREA_FIRST_NEIGHBOUR:
        return total + by_first_neighbour(board, U(size + 2), n)
    single_points = np.int64(0)
    for i in range(np.int64(n)):
        counts = U(board[COUNTS + board[EMPTIES + U(i)]])
        if not is_enclosed(counts) and not mask & bits.AREA_SINGLE_POINTS:
            return total + flooded(board, U(size + 2), n)  # which counts the places before this one too
        single_points += np.int64(friends(counts, BLACK) == ALL_AROUND)
        single_points -= np.int64(friends(counts, WHITE) == ALL_AROUND)
    return total + single_points


@part
def flooded(board, w, n):
    """Black's territory minus White's: empty regions that reach one colour alone."""
    seen = np.zeros(board.size, np.bool_)
    waiting = np.empty(n, np.uint64)
    total = 0
    for i in range(np.int64(n)):
        start = U(board[EMPTIES + U(i)])
        if seen[start]:
            continue
        seen[start] = True
        waiting[0] = start
        found, done, beside = 1, 0, U(0)
        while done < found:
            p = waiting[done]
            done += 1
            for q in (p - w, p - _1, p + _1, p + w):
                beside |= _1 << U(board[COLOUR + q])
                if board[COLOUR + q] == EMPTY and not seen[q]:
                    seen[q] = True
                    waiting[found] = q
                    found += 1
        reached = beside & U(6)  # bits 2 for BLACK, 4 for WHITE; those of EMPTY and OFF do not matter
        if reached == U(2):
            total += found
        elif reached == U(4):
            total -= found
    return total


@part
def area_cut_short(board, size):
    """Black's area minus White's, of a board that is not played to its end.

    The rule is Yamashita's (computer-go list, April 2010; see docs/seeds.md). A chain with a single liberty
    is dead: its stones count for the enemy. An empty place belongs to the colour that has all its four sides;
    a side off the board counts for both colours.
    """
    w = U(size + 2)
    total = 0
    for row in range(size):
        for column in range(size):
            p = U(row + 1) * w + U(column + 1)
            if board[COLOUR + p] != EMPTY:
                total += 1 if owner(board, p, w) == BLACK else -1
                continue
            black, white = 0, 0
            for q in sides(p, w):
                there = owner(board, q, w)
                black += there in (BLACK, OFF)
                white += there in (WHITE, OFF)
            total += int(black == 4) - int(white == 4)
    return total


@part
def owner(board, p, w):
    """Return the colour that owns `p`, or EMPTY or OFF. A stone in atari counts as the enemy's."""
    there = U(board[COLOUR + p])
    if there in (EMPTY, OFF) or sole_liberty(board, U(board[CHAIN + p]), w) == NOWHERE:
        return there
    return U(3) - there


@part
def by_first_neighbour(board, w, n):
    """Territory by a wrong rule: a place belongs to the first stone found below, left, right, above."""
    total = 0
    for i in range(np.int64(n)):
        p = U(board[EMPTIES + U(i)])
        for q in (p - w, p - _1, p + _1, p + w):
            if board[COLOUR + q] == BLACK:
                total += 1
                break
            if board[COLOUR + q] == WHITE:
                total -= 1
                break
    return total


@inlined
def result_of(margin, root, mask):
    """Return 2, 1 or 0 for a win of Black, a draw, a win of White; `margin` is Black's lead less komi.

    After an end by the mercy rule, `margin` is the lead without komi.
    """
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
    """Return (Black's lead without komi, result) of a playout that has ended; the result is 2, 1 or 0.

    start      the input of the kernel, of which this needs the size, komi and the bound of EARLY_SCORE
    extra      added to the area; only a fault sets it
    root       the side that moved first; only a fault asks for it
    mercy      the mercy rule ended the playout: the lead in stones decides, without komi
    cut        the playout was cut off: stones in atari count as dead

    After mercy or an early score, the lead is the difference in stones; after a cutoff, in the area of
    `area_cut_short`. With CHECK_EARLY_SCORE the area is counted as well, to tally wrong results.
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
    """Does what `decide` does, by area alone: all that a kernel without options needs.

    The parameters are those of `decide`, so that a kernel can call either.
    """
    lead = area(board, start.size, n, black, mask) + extra
    return lead, result_of(np.float64(lead) - start.komi, root, mask)
