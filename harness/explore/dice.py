"""Random decisions that repeat for the same seed on every version of Python."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A seeded source of decisions. It uses only `random()`: Python promises no other method to repeat."""

    def __init__(self, *seed: object) -> None:
        self._random = random.Random("/".join(map(str, seed)))

    def below(self, bound: int) -> int:
        """Draw a uniform integer from 0 to `bound` - 1."""
        return int(self._random.random() * bound)

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self._random.random() < probability

    def pick(self, items: Sequence[T]) -> T:
        """Draw uniformly from a sequence that is not empty."""
        return items[self.below(len(items))]

    def weighted(self, weights: Mapping[T, float]) -> T:
        """Draw a key with a probability proportional to its positive weight."""
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
