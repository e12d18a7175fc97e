"""A published value beside the measured one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd
from scipy.stats import beta

LIMIT = 3.5
"""Equal values may differ by this many standard errors; they differ by more with probability 0.0005."""


@dataclass(frozen=True)
class Row:
    """A published value and the measured value. Errors are standard errors."""

    table: str
    case: str
    quantity: str
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
        """Whether the two values agree within their errors; None if they cannot be compared."""
        if not self.comparable:
            return None
        noise = LIMIT * math.hypot(self.error, self.published_error)
        return abs(self.measured - self.published) <= self.rounding + noise


def table_of(rows: Iterable[Row]) -> pd.DataFrame:
    """The rows as a table to print."""
    words = {True: "yes", False: "NO", None: "-"}
    return pd.DataFrame(
        {
            "table": row.table,
            "case": row.case,
            "quantity": row.quantity,
            "published": row.published,
            "± ": row.published_error,
            "measured": row.measured,
            "±": row.error,
            "agrees": words[row.agrees],
        }
        for row in rows
    )


def intervals_of(rows: Iterable[Row]) -> pd.DataFrame:
    """Rows with intervals, as a table to print."""
    return pd.DataFrame(
        {
            "case": row.case,
            "published": row.published,
            "95 %": _interval_text(row.published_interval),
            "measured": row.measured,
            "95 % ": _interval_text(row.interval),
            "": row.quantity,
        }
        for row in rows
    )


def binomial_interval(won: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of Clopper and Pearson (1934) for a win rate; a draw is half a win."""
    tail = (1.0 - confidence) / 2.0
    low = float(beta.ppf(tail, won, games - won + 1.0)) if won > 0 else 0.0
    high = float(beta.isf(tail, won + 1.0, games - won)) if won < games else 1.0
    return low, high


def _interval_text(interval: tuple[float, float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}"
