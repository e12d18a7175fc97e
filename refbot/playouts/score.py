# mypy: allow-untyped-defs, allow-untyped-calls
"""The area of a finished playout."""

from __future__ import annotations

import numpy as np

from refbot.cache import inlined, part
from refbot.faults import bit
from refbot.playouts.packed import ALL_AROUND, BLACK, COLOUR, COUNTS, EMPTIES, EMPTY, WHITE, friends, is_bare

U = np.uint64
_1 = U(1)
_STONES_ONLY = bit("area-stones-only")
_TERRITORY_ONLY = bit("area-territory-only")
_FIRST_NEIGHBOUR = bit("area-first-neighbour")


@inlined
def area(board, size, n, black, mask):
    """Black's area minus White's, of a board with `n` empty places and `black` black stones.

    At the usual end of a playout each empty place is alone, and its neighbour counts say whose it is;
    regions of several places are flooded.
    """
    white = size * size - np.int64(n) - black
    total = black - white
    if mask & _STONES_ONLY:
        return total
    if mask & _TERRITORY_ONLY:
        total = 0
    if mask & _FIRST_NEIGHBOUR:
        return total + by_first_neighbour(board, U(size + 2), n)
    for i in range(np.int64(n)):
        counts = U(board[COUNTS + board[EMPTIES + U(i)]])
        if not is_bare(counts):
            return total + flooded(board, U(size + 2), n)
        total += np.int64(friends(counts, BLACK) == ALL_AROUND)
        total -= np.int64(friends(counts, WHITE) == ALL_AROUND)
    return total


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
        reached = beside & U(6)  # 2 for BLACK, 4 for WHITE
        if reached == U(2):
            total += found
        elif reached == U(4):
            total -= found
    return total


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
