"""Distributions of playout length, margin and result, as an enumeration returns them.

Probabilities are floats, or Fractions from an exact enumeration. `remainder` is the probability of the
playouts that the enumeration did not finish; all other values leave them out. Means and variances are those
of one playout only if `remainder` is 0: they are not divided by the probability of the finished playouts.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from harness.go import Colour

Number = float | Fraction

_Outcome = TypeVar("_Outcome", tuple[int, int], tuple[int, Fraction])
_Key = TypeVar("_Key", int, Fraction)

LOSS, DRAW, WIN = Fraction(0), Fraction(1, 2), Fraction(1)
"""The results of a playout."""


@dataclass(frozen=True)
class PlayoutDistribution:
    """The joint distribution of length and result of one playout, at one komi.

    probabilities   by (number of moves with both closing passes, result of the side to move at the root)
    """

    probabilities: Mapping[tuple[int, Fraction], Number]
    remainder: Number = 0.0

    @property
    def lengths(self) -> dict[int, Number]:
        """The probability of each length, shortest first; a length counts both closing passes."""
        return _marginal(self.probabilities, lambda outcome: outcome[0])

    @property
    def results(self) -> dict[Fraction, Number]:
        """The probability of each possible result of the side to move at the root: LOSS, DRAW or WIN."""
        return _marginal(self.probabilities, lambda outcome: outcome[1])

    @property
    def mean_length(self) -> Number:
        """Mean number of moves of a playout: the limit of `ref-nodes` divided by the playouts."""
        return self._mean(lambda length, _: length)

    @property
    def var_length(self) -> Number:
        """Variance of the length of one playout."""
        mean = self.mean_length
        return self._mean(lambda length, _: (length - mean) ** 2)

    @property
    def mean_result(self) -> Number:
        """Mean result of one playout for the side to move: the limit of `ref-score`."""
        return self._mean(lambda _, result: result)

    @property
    def var_result(self) -> Number:
        """Variance of the result of one playout."""
        mean = self.mean_result
        return self._mean(lambda _, result: (result - mean) ** 2)

    @property
    def covariance(self) -> Number:
        """Covariance of length and result of one playout."""
        length_mean, result_mean = self.mean_length, self.mean_result
        return self._mean(lambda length, result: (length - length_mean) * (result - result_mean))

    def _mean(self, value: Callable[[int, Fraction], Number]) -> Number:
        return total(p * value(*outcome) for outcome, p in self.probabilities.items())


@dataclass(frozen=True)
class MarginDistribution:
    """The joint distribution of length and area margin of one playout. It does not depend on komi."""

    to_move: Colour
    probabilities: Mapping[tuple[int, int], Number]  # (length, Black's area less White's): probability
    remainder: Number = 0.0
    states: int = 0  # distinct states that the enumeration met

    def at_komi(self, komi: float) -> PlayoutDistribution:
        """Return the distribution of length and result at a komi, for the side to move at the root."""
        joint: defaultdict[tuple[int, Fraction], list[Number]] = defaultdict(list)
        for (length, margin), probability in self.probabilities.items():
            joint[length, result_for(self.to_move, margin, komi)].append(probability)
        return PlayoutDistribution(
            {key: total(parts) for key, parts in sorted(joint.items())}, self.remainder
        )

    @property
    def margins(self) -> dict[int, Number]:
        """The probability of each final margin, Black's area less White's, without komi."""
        return _marginal(self.probabilities, lambda outcome: outcome[1])


def result_for(colour: Colour, margin: int, komi: float) -> Fraction:
    """Return the result for a colour: win 1, draw ½, loss 0. `margin` is Black's area less White's."""
    lead = margin - komi if colour == "b" else komi - margin
    return WIN if lead > 0 else LOSS if lead < 0 else DRAW


def total(parts: Iterable[Number]) -> Number:
    """Return the sum: exact for Fractions, correctly rounded with floats; Fraction(0) of no parts."""
    numbers = list(parts)
    if any(isinstance(number, float) for number in numbers):
        return math.fsum(numbers)
    return sum(numbers, Fraction(0))


def _marginal(joint: Mapping[_Outcome, Number], key: Callable[[_Outcome], _Key]) -> dict[_Key, Number]:
    parts: defaultdict[_Key, list[Number]] = defaultdict(list)
    for outcome in sorted(joint):
        parts[key(outcome)].append(joint[outcome])
    return {value: total(numbers) for value, numbers in sorted(parts.items())}
