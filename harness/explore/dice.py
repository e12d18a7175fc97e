"""Random decisions that are the same for one seed on every version of Python."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A seeded source of decisions. Of Python's generator only `random()` is promised to repeat."""

    def __init__(self, *seed: object) -> None:
        self._random = random.Random("/".join(map(str, seed)))

    def below(self, bound: int) -> int:
        """Draw a uniform integer from 0 to `bound` - 1."""
        return int(self._random.random() * bound)

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self._random.random() < probability

    def pick(self, items: Sequence[T]) -> T:
        """Draw uniformly from a sequence that is not empty."""
        return items[self.below(len(items))]

    def weighted(self, weights: Mapping[T, float]) -> T:
        """Draw in proportion to positive weights."""
        left = self._random.random() * sum(weights.values())
        for item, weight in weights.items():
            left -= weight
            if left < 0.0:
                return item
        return item

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        rest, order = list(items), []
        while rest:
            order.append(rest.pop(self.below(len(rest))))
        return order
