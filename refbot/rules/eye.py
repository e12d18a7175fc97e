"""The one-point eye: one rule, used by the real game and, compiled, by the playouts."""

from __future__ import annotations

from refbot.deviations.faults import Faults, bit

_EDGE_AS_CENTRE = bit(Faults.EYE_EDGE_AS_CENTRE)
_CORNER_AS_CENTRE = bit(Faults.EYE_CORNER_AS_CENTRE)
_CENTRE_STRICT = bit(Faults.EYE_CENTRE_STRICT)
_CENTRE_TWO = bit(Faults.EYE_CENTRE_TWO)
_NO_DIAGONALS = bit(Faults.EYE_NO_DIAGONALS)
_EMPTY_HOSTILE = bit(Faults.EYE_EMPTY_HOSTILE)
_OFF_BOARD_HOSTILE = bit(Faults.EYE_OFF_BOARD_HOSTILE)


def diagonals_allow_eye(hostile: int, vacant: int, off_board: int, mask: int) -> bool:
    """Return whether four diagonals leave a point with four friendly neighbours an eye.

    `hostile`, `vacant` and `off_board` count the enemy, empty and off-board ones. Off the edge one
    enemy is allowed, on it none; an edge point has two diagonals off the board, a corner three.
    """
    if mask & _NO_DIAGONALS:
        return True
    if mask & _EMPTY_HOSTILE:
        hostile += vacant
    if mask & _OFF_BOARD_HOSTILE:
        hostile += off_board
    if mask & _EDGE_AS_CENTRE:
        off_board = 0
    if mask & _CORNER_AS_CENTRE and off_board == 3:
        off_board = 0
    if off_board == 0 and mask & _CENTRE_STRICT:
        return hostile == 0
    if off_board == 0 and mask & _CENTRE_TWO:
        return hostile <= 2
    return hostile + (off_board > 0) <= 1
