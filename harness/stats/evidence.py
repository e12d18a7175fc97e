"""E-processes: evidence that grows with the observations, its p-values and its mixtures.

An e-process is the capital of a gambler who bets against a hypothesis: it starts at 1, is never negative, and
if the hypothesis is true, its expectation is at most 1 at any stopping time. The probability that the capital
ever exceeds 1/α is then at most α (Ville 1939). So 1 / (largest capital so far) is a p-value that is valid
after every observation.

An e-process is kept as the logarithm of the capital after each observation. The process 0.7, 3.0, 1.2 has the
p-value exp(−3.0) = 0.05.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class StatsError(ValueError):
    """Data, probabilities or levels that a test cannot be computed from."""


def anytime_p(log_e: npt.ArrayLike) -> float:
    """P-value of a log e-process, given in order of time; 1 without data. Valid at any stopping time."""
    return math.exp(-peak(log_e))


def peak(log_e: npt.ArrayLike) -> float:
    """Largest value so far of a log e-process that starts at 0, so never negative."""
    values = np.asarray(log_e, dtype=np.float64)
    return max(0.0, float(values.max())) if values.size else 0.0


def mix(log_es: npt.ArrayLike, axis: int = 0) -> Floats:
    """Log of the mean capital of log e-processes along `axis`: an e-process even if they are dependent."""
    values = np.asarray(log_es, dtype=np.float64)
    total = np.logaddexp.reduce(values, axis=axis)
    return np.asarray(total - math.log(values.shape[axis]), dtype=np.float64)


def crossing(log_e: npt.ArrayLike, level: float) -> int | None:
    """The number of observations after which the e-process first reached 1/`level`; None if it has not."""
    over = np.flatnonzero(np.asarray(log_e, dtype=np.float64) >= -math.log(level))
    return int(over[0]) + 1 if over.size else None


def as_floats(values: npt.ArrayLike, name: str) -> Floats:
    """Return numbers as an array. Raises StatsError unless they are a flat sequence and finite."""
    array: npt.NDArray[Any] = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not np.all(np.isfinite(array)):
        raise StatsError(f"{name} must be a flat sequence of finite numbers")
    return array


def check_level(level: float, name: str) -> None:
    """Raise StatsError unless `level` is a probability strictly between 0 and 1."""
    if not 0.0 < level < 1.0:
        raise StatsError(f"{name} must be above 0 and below 1, not {level!r}")
