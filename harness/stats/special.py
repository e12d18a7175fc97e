"""Functions of scipy, which is loaded when the first of them is used.

Loading takes a fifth of a second, and most commands and the workers of a match never need any.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """A function of scipy.special. Raises AttributeError where there is none of that name."""
    return getattr(import_module("scipy.special"), name)


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """A root between `low` and `high`, where the function has different signs (Brent 1973).

    Raises ValueError where the signs are the same.
    """
    from scipy.optimize import brentq

    return float(brentq(function, low, high))
