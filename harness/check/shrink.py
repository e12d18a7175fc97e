"""Delta debugging: reduce a sequence to a short part that still shows a property (here: a deviation)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Attempts:
    """Budget of a reduction: a number of attempts (calls of `shows`), and seconds by the clock `now`.

    The attempts have run out when either is used up.
    """

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._left = most
        self._now = now
        self._deadline = now() + seconds

    def take(self) -> bool:
        """Use one attempt. Return False if there was none left, or the time is up."""
        self._left -= 1
        return self._left >= 0 and self._now() < self._deadline


def shortest(items: Sequence[T], shows: Callable[[tuple[T, ...]], bool], attempts: Attempts) -> tuple[T, ...]:
    """Remove smaller and smaller pieces while the rest still `shows` the property; return the rest.

    `items` must show the property. This is ddmin (Zeller & Hildebrandt 2002) without its tests of single
    pieces. Unless the attempts ran out, no single item of the result can be removed without losing the
    property; the result may be empty.
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
    """Replace items by their `simpler` forms while the result still `shows` the property; return the result.

    All items are replaced at once, or else one after the other, each if the property stays. Once the attempts
    have run out, items stay as they are.
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
