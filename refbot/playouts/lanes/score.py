"""The end of a game, one lane at a time: its margin in area and in stones."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from refbot.jit import part

_NONE, _ONE = np.uint64(0), np.uint64(1)


@intrinsic
def popcount(_context: Any, number: Any) -> Any:
    """The number of ones of an unsigned integer."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.zext(builder.ctpop(arguments[0]), ir.IntType(64))

    return types.int64(number), generate


@part
def read_rows(workspace, board, size, height, lane, rows):  # type: ignore[no-untyped-def]
    """Writes the rows of a board of one lane into `rows`, bit c for column c; see `shape`."""
    full_row, stride = (_ONE << np.uint64(size)) - _ONE, np.uint64(size + 1)
    shift = np.uint64(0)
    for band in range(0, size, height):
        for row in range(min(height, size - band)):
            rows[band + row] = (np.uint64(workspace[board * height + row, lane]) >> shift) & full_row
        shift += stride


@part
def flooded_margin(all_mine, all_theirs):  # type: ignore[no-untyped-def]
    """Area of the side to move less the other's, on any board: empty regions are flooded from both."""
    size = all_mine.size
    mine, theirs = np.zeros(size + 2, np.uint64), np.zeros(size + 2, np.uint64)
    near_mine, near_theirs = np.zeros(size + 2, np.uint64), np.zeros(size + 2, np.uint64)
    full = (np.uint64(1) << np.uint64(size)) - np.uint64(1)
    one = np.uint64(1)
    for r in range(size):
        mine[r + 1] = near_mine[r + 1] = all_mine[r]
        theirs[r + 1] = near_theirs[r + 1] = all_theirs[r]
    changed = True
    while changed:
        changed = False
        for r in range(1, size + 1):
            empty = full & ~(mine[r] | theirs[r])
            a, b = near_mine[r], near_theirs[r]
            near_mine[r] = a | (((a << one) | (a >> one) | near_mine[r - 1] | near_mine[r + 1]) & empty)
            near_theirs[r] = b | (((b << one) | (b >> one) | near_theirs[r - 1] | near_theirs[r + 1]) & empty)
            changed |= near_mine[r] != a or near_theirs[r] != b
    margin = np.int64(0)
    for r in range(1, size + 1):
        for c in range(size):
            column = np.uint64(c)
            margin += np.int64((near_mine[r] & ~near_theirs[r]) >> column & one)
            margin -= np.int64((near_theirs[r] & ~near_mine[r]) >> column & one)
    return margin


@part
def area_margin(all_mine, all_theirs):  # type: ignore[no-untyped-def]
    """Area of the side to move less the other's, from the rows of both.

    When both sides have passed, every empty point stands alone among stones: it belongs to the one colour
    around it. Only at the cap are there larger empty regions, which must be flooded.
    """
    size = all_mine.size
    full_row = (_ONE << np.uint64(size)) - _ONE
    mine, theirs = all_mine[0], all_theirs[0]
    mine_below = theirs_below = empty_below = _NONE
    margin = 0
    for row in range(size):
        mine_above = theirs_above = _NONE
        if row + 1 < size:
            mine_above = all_mine[row + 1]
            theirs_above = all_theirs[row + 1]
        empty = full_row & ~(mine | theirs)
        if empty & (empty_below | (empty << _ONE)):
            return flooded_margin(all_mine, all_theirs)
        by_mine = (mine << _ONE) | (mine >> _ONE) | mine_below | mine_above
        by_theirs = (theirs << _ONE) | (theirs >> _ONE) | theirs_below | theirs_above
        margin += popcount(mine | (empty & ~by_theirs))  # type: ignore[call-arg]
        margin -= popcount(theirs | (empty & ~by_mine))
        mine_below, theirs_below, empty_below = mine, theirs, empty
        mine, theirs = mine_above, theirs_above
    return margin


@part
def stone_margin(mine, theirs):  # type: ignore[no-untyped-def]
    """Stones of the side to move less the other's, from the rows of both."""
    margin = np.int64(0)
    for row in range(mine.size):
        margin += popcount(mine[row]) - popcount(theirs[row])  # type: ignore[call-arg]
    return margin
