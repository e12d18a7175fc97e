"""`scipy.special`, imported at its first use, and a root finder.

The import takes a fifth of a second, and most commands and the workers of a match never need scipy.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

TOLERANCE = 1e-12
"""Width of the interval in which `root` leaves the root; chosen: below any digit that is printed."""


def __getattr__(name: str) -> Any:
    """Look an attribute of scipy.special up, once. Raises AttributeError if there is none."""
    if name.startswith("__"):  # `from … import root` asks for `__path__`, and must not load scipy
        raise AttributeError(name)
    found = globals()[name] = getattr(import_module("scipy.special"), name)
    return found


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return a root between `low` and `high` to within TOLERANCE, by bisection.

    Raises ValueError unless the function is positive at exactly one of the two ends.

    scipy.optimize is not used: its import takes a third of a second, and every match needs a root.
    """
    rises = function(high) > 0.0
    if rises == (function(low) > 0.0):
        raise ValueError(f"no change of sign between {low} and {high}; give ends with a root between them")
    while high - low > TOLERANCE:
        middle = 0.5 * (low + high)
        if (function(middle) > 0.0) == rises:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)
