"""Roots of functions of one variable, by scipy, which is loaded when the first root is asked for."""

from __future__ import annotations

from collections.abc import Callable


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """A root between `low` and `high`, where the function has different signs (Brent 1973).

    Raises ValueError where the signs are the same.
    """
    from scipy.optimize import brentq  # a quarter of a second, which most commands never need

    return float(brentq(function, low, high))
