"""The one-point eye: one rule, used by the real game and, compiled, by the playouts."""

from __future__ import annotations

from refbot.deviations import bits


def diagonals_allow_eye(hostile: int, vacant: int, off_board: int, mask: int) -> bool:
    """Return whether four diagonals leave a point with four friendly neighbours an eye.

    `hostile`, `vacant` and `off_board` count the enemy, empty and off-board ones. Off the edge one
    enemy is allowed, on it none; an edge point has two diagonals off the board, a corner three.
    """
    if mask & bits.EYE_NO_DIAGONALS:
        return True
    if mask & bits.EYE_EMPTY_HOSTILE:
        hostile += vacant
    if mask & bits.EYE_OFF_BOARD_HOSTILE:
        hostile += off_board
    if mask & bits.EYE_EDGE_AS_CENTRE:
        off_board = 0
    if mask & bits.EYE_CORNER_AS_CENTRE and off_board == 3:
        off_board = 0
    if off_board == 0 and mask & bits.EYE_CENTRE_STRICT:
        return hostile == 0
    if off_board == 0 and mask & bits.EYE_CENTRE_TWO:
        return hostile <= 2
    return hostile + (off_board > 0) <= 1
