"""The layout of a board in the 32-bit words of a GPU thread. A word is like a lane of the lane kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from refbot.playouts.lanes.shape import Shape

WORD_BITS = 32
_ROWS_A_BAND = 3  # about the fewest: more bands would save words only up to 7x7, which needs few anyway


@dataclass(frozen=True)
class Layout:
    """A board as `shape.height` words; word k holds row k of every band (see `lanes.shape`).

    Example: 9x9 has 3 bands of 3 rows, so word 0 holds the rows 0, 3 and 6 from the bits 0, 10 and 20 on.
    """

    shape: Shape

    @classmethod
    def of(cls, size: int) -> Layout:
        """Return the layout of a size: 3 words for 9x9, 7 for 13x13, 19 for 19x19.

        From 8x8 on, 32 bits do not allow fewer words.
        """
        fitting = (WORD_BITS + 1) // (size + 1)
        return cls(Shape(size, min(fitting, -(-size // _ROWS_A_BAND))))

    @cached_property
    def full(self) -> tuple[np.uint32, ...]:
        """The words with every point of the board."""
        return self._words(lambda _: (1 << self.shape.size) - 1)

    @cached_property
    def edge(self) -> tuple[np.uint32, ...]:
        """The points on the edge."""
        last = self.shape.size - 1
        ends, whole = 1 << last | 1, (1 << self.shape.size) - 1
        return self._words(lambda row: whole if row in (0, last) else ends)

    @cached_property
    def even_columns(self) -> tuple[np.uint32, ...]:
        """The points in every other column, from the first on."""
        return self._words(lambda _: sum(1 << column for column in range(0, self.shape.size, 2)))

    def _words(self, columns: Callable[[int], int]) -> tuple[np.uint32, ...]:
        return tuple(np.uint32(self.shape.pattern(word, columns)) for word in range(self.shape.height))

    def packed(self, boards: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint32]:
        """Return the words of boards, shape (boards, height); `boards` has shape (boards, points)."""
        word, bit = np.divmod(self.places(), WORD_BITS)
        found = np.zeros((len(boards), self.shape.height), np.uint32)
        for point in range(boards.shape[1]):
            found[:, word[point]] |= boards[:, point].astype(np.uint32) << np.uint32(bit[point])
        return found

    def places(self) -> npt.NDArray[np.int64]:
        """Return the index of the bit of each point, in order: its word times 32 plus its bit."""
        size, height, stride = self.shape.size, self.shape.height, self.shape.stride
        row, column = np.divmod(np.arange(size * size), size)
        band, word = np.divmod(row, height)
        return np.asarray(word * WORD_BITS + band * stride + column)
