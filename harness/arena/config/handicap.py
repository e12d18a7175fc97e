"""Handicaps: the fixed points of the stones, as GTP version 2 lists them, and the points that White gets."""

from __future__ import annotations

from harness import go
from harness.arena.config.pair_tables import HandicapBonus
from harness.gtp import format_vertex


def handicap_points(stones: int, size: int) -> tuple[str, ...]:
    """The fixed points of a handicap, as vertices. Raises ValueError if the board has too few."""
    return tuple(map(format_vertex, go.handicap_points(stones, size)))


def handicap_bonus(rule: HandicapBonus, stones: int | None) -> int:
    """The points that White gets for a handicap when the area is counted.

    For 4 stones: 4 by the rule "N", 3 by "N-1", 0 by "none". No handicap, or fewer than 2 stones, gives 0.
    """
    if rule == "none" or stones is None or stones < 2:
        return 0
    return stones if rule == "N" else stones - 1
