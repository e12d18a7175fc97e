"""Comparison of a published value with the measured value, and their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.stats import beta

LIMIT = 3.5
"""Equal values may differ by this many standard errors; they differ by more with probability 0.0005."""


@dataclass(frozen=True)
class Row:
    """A published value and the measured value. Errors are standard errors."""

    table: str  # name of the published table
    case: str  # line of the table, such as "komi 7.5"
    quantity: str  # such as "moves per playout"
    published: float
    measured: float
    error: float  # of the measured value
    published_error: float = 0.0
    rounding: float = 0.0  # largest rounding error of the published value
    comparable: bool = True  # False, for example, for speeds, which depend on the machine
    interval: tuple[float, float] | None = None  # 95 %, where the normal approximation is poor
    published_interval: tuple[float, float] | None = None

    @property
    def agrees(self) -> bool | None:
        """True if the two values agree within their errors; None if they cannot be compared."""
        if not self.comparable:
            return None
        noise = LIMIT * math.hypot(self.error, self.published_error)
        return abs(self.measured - self.published) <= self.rounding + noise


def binomial_interval(won: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return (low, high) of a win rate, by Clopper and Pearson (1934); a draw is half a win."""
    tail = (1.0 - confidence) / 2.0
    low = float(beta.ppf(tail, won, games - won + 1.0)) if won > 0 else 0.0
    high = float(beta.isf(tail, won + 1.0, games - won)) if won < games else 1.0
    return low, high
