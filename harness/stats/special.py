"""`scipy.special` and a root finder. scipy is imported at the first use of either.

The import takes a fifth of a second, and most commands and the workers of a match never need scipy.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """The attribute of scipy.special with this name. Raises AttributeError if there is none."""
    if name.startswith("__"):  # `from … import root` asks for `__path__`, and must not load scipy
        raise AttributeError(name)
    return getattr(import_module("scipy.special"), name)


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """A root between `low` and `high` (Brent 1973). Raises ValueError if both ends have the same sign."""
    from scipy.optimize import brentq

    return float(brentq(function, low, high))
