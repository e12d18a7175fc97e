"""Delta debugging: reduce a sequence to a short part that still shows a property (here: a deviation)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Attempts:
    """Budget of a reduction: a number of attempts (sessions or positions), and a time in seconds by `now`."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._left = most
        self._now = now
        self._deadline = now() + seconds

    def take(self) -> bool:
        """Use one attempt. Return False if the budget is used up."""
        self._left -= 1
        return self._left >= 0 and self._now() < self._deadline


def shortest(items: Sequence[T], shows: Callable[[tuple[T, ...]], bool], attempts: Attempts) -> tuple[T, ...]:
    """Remove smaller and smaller pieces while the rest still `shows` the property; return the rest.

    This is ddmin (Zeller & Hildebrandt 2002). No single item can be removed from the result without losing
    the property, unless the attempts ran out.
    """
    kept = tuple(items)
    piece = max(1, len(kept) // 2)
    while True:
        removed, end = False, len(kept)
        while end > 0:  # from the end: later items depend on earlier ones
            rest = kept[: max(0, end - piece)] + kept[end:]
            if not attempts.take():
                return kept
            if shows(rest):
                kept, removed = rest, True
            end -= piece
        if piece == 1 and not removed:
            return kept
        piece = max(1, piece // 2)


def simplest(
    items: Sequence[T],
    simpler: Callable[[T], T],
    shows: Callable[[tuple[T, ...]], bool],
    attempts: Attempts,
) -> tuple[T, ...]:
    """Replace items by their simpler form, and return them: all if these still show the property.

    Otherwise each item is tried alone, and stays as it is if the property is lost. `shows` tests for it.
    """
    kept = tuple(items)
    all_simple = tuple(map(simpler, kept))
    if all_simple == kept or (attempts.take() and shows(all_simple)):
        return all_simple
    for number, item in enumerate(kept):
        changed = (*kept[:number], simpler(item), *kept[number + 1 :])
        if changed != kept and attempts.take() and shows(changed):
            kept = changed
    return kept
