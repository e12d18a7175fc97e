"""One published figure beside the measured one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd
from scipy.stats import beta

LIMIT = 3.5
"""Standard errors that two right figures may differ by; the chance to differ by more is 0.0005 a row."""


@dataclass(frozen=True)
class Row:
    """A published figure and ours. Errors are standard errors."""

    table: str
    case: str
    quantity: str
    published: float
    measured: float
    error: float  # of the measured figure
    published_error: float = 0.0
    rounding: float = 0.0  # how far the printed figure may be from what its author had
    comparable: bool = True  # False for speeds, which depend on the machine
    interval: tuple[float, float] | None = None  # 95 %, where the error is not one of a normal figure
    published_interval: tuple[float, float] | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether the two are one figure, as far as both are known; None if they cannot be compared."""
        if not self.comparable:
            return None
        noise = LIMIT * math.hypot(self.error, self.published_error)
        return abs(self.measured - self.published) <= self.rounding + noise


def table_of(rows: Iterable[Row]) -> pd.DataFrame:
    """The rows as they are printed."""
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
    """Rows with intervals, as they are printed."""
    return pd.DataFrame(
        {
            "case": row.case,
            "published": row.published,
            "95 %": _told(row.published_interval),
            "measured": row.measured,
            "95 % ": _told(row.interval),
            "": row.quantity,
        }
        for row in rows
    )


def binomial_interval(won: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Clopper & Pearson's interval (1934) for a win rate; a draw is half a win."""
    tail = (1.0 - confidence) / 2.0
    low = float(beta.ppf(tail, won, games - won + 1.0)) if won > 0 else 0.0
    high = float(beta.isf(tail, won + 1.0, games - won)) if won < games else 1.0
    return low, high


def _told(interval: tuple[float, float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}"
