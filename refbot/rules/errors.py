"""The errors of a game, and the board sizes that it accepts."""

from __future__ import annotations

from refbot.errors import RefbotError

MIN_SIZE, MAX_SIZE = 2, 25


class IllegalMoveError(RefbotError, ValueError):
    """A move that the rules forbid; `reason` is "occupied", "suicide", "ko" or "superko"."""

    def __init__(self, colour: int, point: int, reason: str) -> None:
        self.colour, self.point, self.reason = colour, point, reason
        super().__init__(f"illegal move: {reason}")


class NothingToUndoError(RefbotError, ValueError):
    """The game has no move to take back."""

    def __init__(self) -> None:
        super().__init__("no move to take back")


class UnacceptableSizeError(RefbotError, ValueError):
    """A board size outside MIN_SIZE to MAX_SIZE."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(f"size must be {MIN_SIZE} to {MAX_SIZE}, not {size}")
