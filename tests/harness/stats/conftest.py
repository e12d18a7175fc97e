"""Bounds for simulated error rates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binom

CHANCE_TO_FAIL = 1e-8

Bound = Callable[[npt.ArrayLike, float], None]


@pytest.fixture
def at_most() -> Bound:
    """Assert that events happen at most at this rate; a rate that is right fails with a chance ≤ 1e-8."""

    def check(events: npt.ArrayLike, rate: float) -> None:
        happened = np.asarray(events, dtype=bool)
        limit = binom.isf(CHANCE_TO_FAIL, happened.size, rate)
        assert happened.sum() <= limit, f"{happened.mean():.4f} of {happened.size}, allowed {rate}"

    return check


@pytest.fixture
def at_least() -> Bound:
    """Assert that events happen at least at this rate; a rate that is right fails with a chance ≤ 1e-8."""

    def check(events: npt.ArrayLike, rate: float) -> None:
        happened = np.asarray(events, dtype=bool)
        limit = binom.ppf(CHANCE_TO_FAIL, happened.size, rate)
        assert happened.sum() >= limit, f"{happened.mean():.4f} of {happened.size}, wanted {rate}"

    return check
