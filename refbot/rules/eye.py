"""The rule of the one-point eye. The real game calls it, and the scalar kernel compiles it."""

from __future__ import annotations

from refbot.deviations import bits


def diagonals_allow_eye(hostile: int, vacant: int, off_board: int, mask: int) -> bool:
    """Return whether an empty point with only friendly neighbours is an eye, by its four diagonals.

    `hostile`, `vacant` and `off_board` are the numbers of enemy, empty and off-board diagonals. In the centre
    one enemy is allowed, on the edge none. An edge point has two diagonals off the board, a corner three.
    `mask` has the bits of the faults of this rule.
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
