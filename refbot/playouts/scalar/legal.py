# mypy: allow-untyped-defs, allow-untyped-calls
"""Which points a playout may play: not an own eye, not the ko point, no suicide."""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined
from refbot.deviations import bits
from refbot.playouts.scalar.packed import (
    ALL_AROUND,
    COLOUR,
    COUNTS,
    EMPTY,
    OFF,
    diagonal_count,
    diagonals,
    friends,
    is_bare,
    is_suicide,
)
from refbot.rules import eye

U = np.uint64
_1, _3 = U(1), U(3)
NO_KO = U(0)  # a place off the board

diagonals_allow_eye = inlined(eye.diagonals_allow_eye)


@inlined
def is_eye(board, p, w, counts, colour, mask):
    """Return whether the empty place `p` is a one-point eye of `colour`."""
    if friends(counts, colour) != ALL_AROUND:
        return False
    around = diagonals(board, p, w)
    return diagonals_allow_eye(
        np.int64(diagonal_count(around, _3 - colour)),
        np.int64(diagonal_count(around, EMPTY)),
        np.int64(diagonal_count(around, OFF)),
        mask,
    )


@inlined
def has_friend(board, p, w, colour):
    """Return whether a stone of `colour` stands beside `p`."""
    return (
        (board[COLOUR + p - w] == colour)
        | (board[COLOUR + p - _1] == colour)
        | (board[COLOUR + p + _1] == colour)
        | (board[COLOUR + p + w] == colour)
    )


@inlined
def may_play(board, p, w, colour, ko, mask):
    """Return whether a playout may play the empty place `p`."""
    if mask & bits.UNIFORM_NO_CORNER and p == w + _1:
        return False
    if mask & bits.UNIFORM_NO_LAST_COLUMN and board[COLOUR + p + _1] == OFF:
        return False
    counts = U(board[COUNTS + p])
    if not is_bare(counts):
        return True  # a place with an empty neighbour is no eye, no ko and no suicide
    if not mask & bits.EYE_FILLED and is_eye(board, p, w, counts, colour, mask):
        return False
    if mask & bits.EYE_EITHER_COLOUR and is_eye(board, p, w, counts, _3 - colour, mask):
        return False
    if p == ko:
        return False
    if mask & bits.SUICIDE_PLAYOUT or (mask & bits.SUICIDE_PLAYOUT_MULTI and has_friend(board, p, w, colour)):
        return True
    return not is_suicide(board, p, w, colour)
