"""The points of fixed handicap stones, as GTP version 2 (draft 2, 4.1.1) lists them."""

from __future__ import annotations

from harness.go.geometry import Point

FEWEST_HANDICAP, MOST_HANDICAP = 2, 9
SMALLEST = 7  # the smallest board with fixed points
LARGE = 13  # from this size on the points are on the fourth line, below on the third


def most_handicap(size: int) -> int:
    """Return the largest number of stones with fixed points on a board: 9, 4 or, on small boards, 0."""
    if size < SMALLEST:
        return 0
    return MOST_HANDICAP if size % 2 and size > SMALLEST else 4


def handicap_points(stones: int, size: int) -> tuple[Point, ...]:
    """Return the fixed points of a handicap as (row, column) from A1: C3 and G7 for two stones on 9x9.

    Raises ValueError if the board has no fixed points for this number of stones.
    """
    if not FEWEST_HANDICAP <= stones <= most_handicap(size):
        raise ValueError(f"a {size}x{size} board has no fixed points for {stones} handicap stones")
    low = 3 if size >= LARGE else 2
    high, middle = size - 1 - low, size // 2
    points = [(low, low), (high, high), (high, low), (low, high)][: min(stones, 4)]
    if stones >= 6:
        points += [(middle, low), (middle, high)]
    if stones >= 8:
        points += [(low, middle), (high, middle)]
    if stones in (5, 7, 9):
        points.append((middle, middle))
    return tuple(points)
