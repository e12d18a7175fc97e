"""The start position of a playout, as the kernels take it: plain arrays, no history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

EMPTY, BLACK, WHITE = 0, 1, 2
NO_POINT = -1


@dataclass(frozen=True, eq=False)
class Position:
    """The start of a playout.

    A point is `row * size + column`, with row 0 the lowest row (GTP row 1) and column 0 the column A.
    """

    size: int
    stones: npt.NDArray[np.int8]  # shape (size * size,), each EMPTY, BLACK or WHITE
    to_move: int = BLACK
    ko: int = NO_POINT  # the point that simple ko forbids to `to_move`
    moves_made: int = 0  # moves of the real game so far, passes included; the move cap counts them
    passes: int = 0  # passes in a row at the end of the real game so far; used by a fault only
    last: int = NO_POINT  # the point played last in the real game; used by policies only

    @classmethod
    def empty(cls, size: int) -> Position:
        """The empty board, Black to move."""
        import numpy as np

        return cls(size, np.zeros(size * size, np.int8))

    @property
    def move_cap(self) -> int:
        """Moves after which a playout is stopped, counted from the start of the real game: 3 N N."""
        return 3 * self.size * self.size
