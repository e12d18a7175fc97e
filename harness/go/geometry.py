"""Points, colours, neighbours and symmetries of a square board."""

from __future__ import annotations

from functools import cache
from typing import Literal, Protocol, TypeVar, cast

Colour = Literal["b", "w"]
Point = tuple[int, int]  # (row, column); row 0 is GTP row 1, the lowest; column 0 is A

COLUMN_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # without I, as on every Go diagram
MAX_SIZE = len(COLUMN_LETTERS)  # GTP has no name for a further column

_PointOrPass = TypeVar("_PointOrPass", bound=Point | None)


class Symmetry(Protocol):
    """A rotation or reflection of the board."""

    def __call__(self, point: _PointOrPass, /) -> _PointOrPass:
        """Return the image of a point; a pass (None) stays a pass."""


def opponent(colour: Colour) -> Colour:
    """Return the other colour."""
    return "w" if colour == "b" else "b"


def all_points(size: int) -> list[Point]:
    """Return every point, lowest row first. The point at index `i` is `divmod(i, size)`."""
    return [(row, column) for row in range(size) for column in range(size)]


@cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each point index, the indices of the points beside it: (1, 9) for A1 on 9x9."""
    return _table(size, ((-1, 0), (0, -1), (0, 1), (1, 0)))


@cache
def diagonals(size: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each point index, the indices of the points diagonal to it: (10,) for A1 on 9x9."""
    return _table(size, ((-1, -1), (-1, 1), (1, -1), (1, 1)))


def _table(size: int, steps: tuple[Point, ...]) -> tuple[tuple[int, ...], ...]:
    """Return, for each point index, the indices of the points on the board that one of `steps` leads to."""
    return tuple(
        tuple(
            (row + up) * size + column + right
            for up, right in steps
            if 0 <= row + up < size and 0 <= column + right < size
        )
        for row, column in all_points(size)
    )


def symmetries(size: int) -> list[Symmetry]:
    """Return the eight rotations and reflections of the board, the identity first."""
    return [
        _symmetry(size, transpose, flip_rows, flip_columns)
        for transpose in (False, True)
        for flip_rows in (False, True)
        for flip_columns in (False, True)
    ]


def _symmetry(size: int, transpose: bool, flip_rows: bool, flip_columns: bool) -> Symmetry:
    """Return the symmetry that first exchanges rows and columns, if wanted, and then flips them."""
    last = size - 1

    def image(point: _PointOrPass, /) -> _PointOrPass:
        if point is None:
            return point
        row, column = (point[1], point[0]) if transpose else point
        moved = (last - row if flip_rows else row, last - column if flip_columns else column)
        return cast("_PointOrPass", moved)

    return image
