"""The moves that a conforming bot can choose, from exact AMAF values and the number of playouts.

Any other move shows that the bot does not conform.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from harness.go import Point
from harness.oracle.amaf import AmafValue

CERTAINTY = 1e-9
"""A choice with a smaller probability counts as impossible. Chosen: no run of checks sees one."""

LEAST_VISITS = 30.0
"""Fewest visits for which a rate can be bounded. Chosen: with fewer, any rate may come by chance."""


def acceptable_moves(
    values: Mapping[Point, AmafValue], candidates: Iterable[Point], playouts: int, chance: float = CERTAINTY
) -> frozenset[Point]:
    """Return the candidates that a search of `playouts` playouts may choose, by exact `values`.

    A candidate is left out if a bound shows that its rate reaches the best candidate's with a probability
    below `chance`: Chernoff's bound with the Kullback-Leibler divergence (Hoeffding 1963, theorem 1) for both
    candidates, at numbers of visits that they reach nearly always. It stays if these are below LEAST_VISITS
    for either of them. A candidate without a value is never visited, and is left out unless no candidate has
    a value.

    values   by candidate, as `expected_amaf` returns them
    """
    points = list(candidates)
    known = {point: values[point] for point in points if point in values}
    if not known:
        return frozenset(points)
    best = max(known.values(), key=lambda value: float(value.rate))
    return frozenset(
        point for point, value in known.items() if not _cannot_win(value, best, playouts, chance)
    )


def _cannot_win(value: AmafValue, best: AmafValue, playouts: int, chance: float) -> bool:
    """Return True if a bound shows that a candidate reaches `best` with a probability below `chance`."""
    low, high = float(value.rate), float(best.rate)
    visits, best_visits = (_visits(v, playouts, chance) for v in (value, best))
    if low >= high or min(visits, best_visits) < LEAST_VISITS:
        return False
    meeting = np.linspace(low, high, 66)[1:-1]  # each gives a valid bound; 64 come close to the least
    bound = np.exp(-visits * divergence(meeting, low)) + np.exp(-best_visits * divergence(meeting, high))
    return bool(bound.min() < chance)


def _visits(value: AmafValue, playouts: int, chance: float) -> float:
    """Return the visits that a search reaches nearly always: fewer have a probability of about `chance`.

    The number comes from a sub-Gaussian tail.
    """
    mean = playouts * float(value.visits)
    return max(0.0, mean - math.sqrt(2.0 * mean * math.log(1.0 / chance)))


def divergence(x: npt.NDArray[np.float64], p: float) -> npt.NDArray[np.float64]:
    """Return the Kullback-Leibler divergence of Bernoulli(x) from Bernoulli(p), for 0 < x < 1."""
    p = min(max(p, 1e-300), 1.0 - 1e-16)
    return np.asarray(x * np.log(x / p) + (1.0 - x) * np.log((1.0 - x) / (1.0 - p)))
