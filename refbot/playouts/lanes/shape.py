"""The mapping from the rows of a board to the bits of a lane: one row in a lane, or several side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """A board of `size` rows, cut into bands of `height` rows that lie side by side in the bits of a lane.

    Vector k holds row k of every band: row k of the board in the lowest bits, row k + height from bit
    `stride` on, and so on. The rows above and below a row are in the vectors k + 1 and k - 1. Only at the
    edge of a band they are in another band of the same lane, `stride` bits away. One bit between two bands
    stays empty. It stops carries, and it keeps shifts by one column out of the neighbouring band.

    Example: 19x19 in 3 bands has the height 7 and the stride 20. Vector 0 holds row 0 in the bits 0 to 18,
    row 7 in the bits 20 to 38 and row 14 in the bits 40 to 58.
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
        """Number of bits of a lane, from the lowest to the highest that holds a point."""
        return (self.bands - 1) * self.stride + self.size

    def pattern(self, vector: int, columns: Callable[[int], int]) -> int:
        """The bits of one lane of a vector; `columns(row)` has the bits of a row of the board."""
        rows = range(vector, self.size, self.height)
        return sum(columns(row) << band * self.stride for band, row in enumerate(rows))
