"""The board for a person: drawn, or as a list of chains."""

from __future__ import annotations

from collections.abc import Sequence

from refbot.gtp.syntax import COLUMNS

_SIGNS = ".XO"  # EMPTY, BLACK, WHITE


def draw(stones: Sequence[int], size: int) -> str:
    """Lines of text, highest row first, with the names of columns and rows on all sides; none is empty."""
    header = "   " + " ".join(COLUMNS[:size])
    rows = [_draw_row(stones[row * size : (row + 1) * size], row + 1) for row in range(size)]
    return "\n".join([header, *reversed(rows), header])


def _draw_row(stones: Sequence[int], number: int) -> str:
    return f"{number:2d} " + " ".join(_SIGNS[stone] for stone in stones) + f" {number}"


def chains(stones: Sequence[int], size: int) -> list[list[int]]:
    """The chains of the board, each a sorted list of points, in the order of their first points."""
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in range(size * size):
        if stones[start] and start not in seen:
            chain = _chain(stones, size, start)
            seen |= chain
            found.append(sorted(chain))
    return found


def _chain(stones: Sequence[int], size: int, start: int) -> set[int]:
    chain, rim = {start}, [start]
    while rim:
        for point in _neighbours(rim.pop(), size):
            if stones[point] == stones[start] and point not in chain:
                chain.add(point)
                rim.append(point)
    return chain


def _neighbours(point: int, size: int) -> list[int]:
    row, column = divmod(point, size)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]
