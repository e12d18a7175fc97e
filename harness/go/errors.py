"""The errors of `harness.go`."""

from __future__ import annotations

from typing import Literal

from harness.go.geometry import Colour, Point

Reason = Literal["off-board", "occupied", "suicide", "ko", "superko"]


class GoError(ValueError):
    """Base class of all errors of `harness.go`."""


class BoardError(GoError):
    """Stones that cannot stand on a board, or a size outside 1 to 25."""


class IllegalMoveError(GoError):
    """A move that the rules forbid. The position has not changed. `reason`: the rule."""

    def __init__(self, colour: Colour, point: Point, reason: Reason) -> None:
        super().__init__(f"{colour} may not play {point}: {reason}")
        self.colour = colour
        self.point = point
        self.reason: Reason = reason


class SgfError(GoError):
    """A game in SGF that cannot be used. The message is one line: place, fault, and what is expected.

    legal_moves   of a game with an illegal move: the number of moves before it; else 0
    """

    def __init__(self, message: str, legal_moves: int = 0) -> None:
        super().__init__(message)
        self.legal_moves = legal_moves
