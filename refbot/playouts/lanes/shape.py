"""The place of the rows of a board in the lanes: one row in a lane, or several rows of a lane's bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """A board of `size` rows, cut into bands of `height` rows that lie side by side in the bits of a lane.

    Vector k holds row k of every band: row k of the board in the lowest bits, row k + height from bit
    `stride` on, and so on. So the rows above and below are other vectors here as well; only from one band to
    the next they are in the same lane, `stride` bits away. A bit between two bands stays empty: it stops
    carries, and shifts by one column lose nothing in a neighbouring band.
    """

    size: int
    bands: int = 1

    @property
    def height(self) -> int:
        """Vectors of a board."""
        return -(-self.size // self.bands)

    @property
    def stride(self) -> int:
        """Bits from a column to the same column of the next band."""
        return self.size + 1

    @property
    def bits(self) -> int:
        """Bits of a lane that are used."""
        return (self.bands - 1) * self.stride + self.size

    def pattern(self, vector: int, columns: Callable[[int], int]) -> int:
        """A lane of one vector, from the columns of each row of the board."""
        rows = range(vector, self.size, self.height)
        return sum(columns(row) << band * self.stride for band, row in enumerate(rows))
