"""Handicaps: the fixed points of the stones, as GTP version 2 lists them, and the points that White gets."""

from __future__ import annotations

from harness.arena.config.pair_tables import HandicapBonus, most_handicap
from harness.gtp import format_vertex

LARGE = 13  # from this size on the points are on the fourth line, below on the third


def handicap_points(stones: int, size: int) -> tuple[str, ...]:
    """The fixed points of a handicap, as vertices. Raises ValueError if the board has too few."""
    if not 2 <= stones <= most_handicap(size):
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
    return tuple(format_vertex(point) for point in points)


def handicap_bonus(rule: HandicapBonus, stones: int | None) -> int:
    """The points that White gets for a handicap when the area is counted."""
    if rule == "none" or stones is None or stones < 2:
        return 0
    return stones if rule == "N" else stones - 1
