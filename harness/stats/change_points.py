"""Change points in a series that grows by one value at a time, with one error rate for its whole length.

A segment is the series since the last change. After each new value, the splits of its newest WINDOW values
into an earlier and a later part are tested, and the smallest p-value is multiplied by the number of splits
(Bonferroni). The test after the n-th value of a segment may use alpha / (n (n - 1)) of the error rate; these
shares sum to alpha. So a segment without a change is split with a probability of at most alpha, however long
it gets.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.stats import special

WINDOW = 100
"""Number of the newest values among which splits are tested; chosen: limits the work after each value."""
SHORTEST = 3
"""Values on each side of a split of a mean: one or two outliers are no change."""

Floats = NDArray[np.float64]
ROUNDING = 0.5
"""Factor on the lower bounds of p-values. Chosen: far more than the rounding errors of their logarithms."""


@dataclass(frozen=True)
class Change:
    """A change of the mean or share: the values from index `at` on differ from those before `at`."""

    at: int
    found: int  # index of the value after which the test found the change
    before: float  # mean (or share) of the earlier part of the window at that moment
    after: float  # that of the later part
    p_value: float  # corrected for all splits and for all tests of the segment


def mean_changes(values: Sequence[float], alpha: float) -> tuple[Change, ...]:
    """Changes of the mean of Normal values, by Student's t test with the pooled variance of both parts.

    Three equal values after three or more other equal values are a change. For example, six values 111.3 and
    then three values 111.4 have one change, with `at` 6.
    """
    return _changes(_Values(values), alpha)


def share_changes(points: Sequence[float], games: Sequence[int], alpha: float) -> tuple[Change, ...]:
    """Changes of the share of points in games, by Fisher's exact test; p is twice the smaller tail.

    points, games   for each value of the series, such as a match, its points and its number of games

    A draw is half a point. Half points are rounded in the direction that makes each tail larger. Draws vary
    less than wins and losses with the same mean, so the p-value is an upper bound.
    """
    return _changes(_Shares(points, games), alpha)


def open_step(points: Sequence[float], games: Sequence[int], alpha: float) -> Change | None:
    """Return the clearest step of the share since its last change, if it is open: not proved (p > alpha).

    None if the last segment has no open step.
    """
    series = _Shares(points, games)
    changes = _changes(series, alpha)
    step = _clearest_step(series, changes[-1].at if changes else 0, len(series), series.p_values)
    return step if step and step.p_value > alpha else None


class _Series(ABC):
    """A series of values, and the tests of its splits. `begin` and `end` choose values, as in a slice."""

    shortest = 1
    """Least number of values on each side of a split."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of values."""

    @abstractmethod
    def level(self, begin: int, end: int) -> float:
        """Return the mean (or share) of these values."""

    @abstractmethod
    def p_values(self, begin: int, end: int) -> Floats:
        """Return the p-values of the splits after the first 1, 2, … of these values."""

    def lower_bounds(self, begin: int, end: int) -> Floats | None:
        """Return lower bounds of `p_values` that are computed much faster; None if there are none."""
        return None


class _Values(_Series):
    """Normal values, whose mean may change."""

    shortest = SHORTEST

    def __init__(self, values: Sequence[float]) -> None:
        self._values = np.asarray(values, dtype=np.float64)

    def __len__(self) -> int:
        return len(self._values)

    def level(self, begin: int, end: int) -> float:
        return float(self._values[begin:end].mean())

    def p_values(self, begin: int, end: int) -> Floats:
        return _t_tests(self._values[begin:end])


class _Shares(_Series):
    """Points and games, whose ratio may change."""

    def __init__(self, points: Sequence[float], games: Sequence[int]) -> None:
        self._points = np.asarray(points, dtype=np.float64)
        self._games = np.asarray(games, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._points)

    def level(self, begin: int, end: int) -> float:
        return float(self._points[begin:end].sum() / max(1, self._games[begin:end].sum()))

    def p_values(self, begin: int, end: int) -> Floats:
        return _fisher_tests(self._points[begin:end], self._games[begin:end])

    def lower_bounds(self, begin: int, end: int) -> Floats | None:
        """Return bounds that are computed a hundred times faster than the p-values.

        A tail is at least as large as the probability of the one result that it begins with.
        """
        won, played = np.cumsum(self._points[begin:end]), np.cumsum(self._games[begin:end])
        lower = _probabilities(np.ceil(won[:-1]), played[:-1], math.floor(won[-1]), played[-1])
        upper = _probabilities(np.floor(won[:-1]), played[:-1], math.ceil(won[-1]), played[-1])
        return np.asarray(np.minimum(1.0, 2 * ROUNDING * np.minimum(lower, upper)), dtype=np.float64)


def _changes(series: _Series, alpha: float) -> tuple[Change, ...]:
    """Test after each value of the series. If the lower bounds show no change, skip the p-values."""
    changes: list[Change] = []
    start = 0
    for end in range(1, len(series) + 1):
        possible = _clearest_step(series, start, end, series.lower_bounds)
        if possible and possible.p_value > alpha:
            continue
        step = _clearest_step(series, start, end, series.p_values)
        if step and step.p_value <= alpha:
            changes.append(step)
            start = step.at
    return tuple(changes)


def _clearest_step(
    series: _Series, start: int, end: int, tests: Callable[[int, int], Floats | None]
) -> Change | None:
    """Return the split of the segment from `start` to `end` with the smallest p-value; None if it has none.

    `tests` is `series.p_values`, or `series.lower_bounds`; None if it returns None.
    """
    size = end - start  # of the segment
    begin = max(start, end - WINDOW)
    splits = end - begin + 1 - 2 * series.shortest
    if splits < 1:
        return None
    found = tests(begin, end)
    if found is None:
        return None
    each = found[series.shortest - 1 : series.shortest - 1 + splits]
    best = int(each.argmin())
    p_value = min(1.0, float(each[best]) * splits * size * (size - 1))
    at = begin + series.shortest + best
    return Change(at, end - 1, series.level(begin, at), series.level(at, end), p_value)


def _probabilities(won: Floats, played: NDArray[np.int64], all_won: int, all_played: int) -> Floats:
    """Hypergeometric probabilities: `won` of `played` games, if `all_won` of `all_played` are won."""

    def log_choices(total: Any, chosen: Any) -> Any:
        rest = total - chosen
        possible = (chosen >= 0) & (rest >= 0)
        counted = special.gammaln(np.maximum(chosen, 0) + 1) + special.gammaln(np.maximum(rest, 0) + 1)
        return np.where(possible, special.gammaln(total + 1) - counted, -np.inf)

    lost = log_choices(all_played - all_won, played - won)
    chance = np.exp(log_choices(all_won, won) + lost - log_choices(all_played, played))
    return np.asarray(chance, dtype=np.float64)


def _t_tests(values: Floats) -> Floats:
    """The two-sided p-values of the splits after the first 1, 2, … values."""
    count = len(values)
    left = np.arange(1, count)
    right = count - left
    centred = values - values.mean()
    sums = np.cumsum(centred)[:-1]
    total = float(centred @ centred)
    between = sums**2 * (1 / left + 1 / right)  # the centred sums of both sides are opposite
    rounding = 1e-20 * float(values @ values)  # far above the rounding errors of equal values
    within = np.maximum(total - between, rounding) + np.finfo(np.float64).tiny  # not 0, also for zeros
    statistic = np.sqrt(between * (count - 2) / within)
    return np.asarray(2 * special.stdtr(count - 2, -statistic), dtype=np.float64)


def _fisher_tests(points: Floats, games: NDArray[np.int64]) -> Floats:
    """Fisher's two-sided p-values of the splits after the first 1, 2, … values."""
    from scipy.stats import hypergeom

    won, played = np.cumsum(points)[:-1], np.cumsum(games)[:-1]
    all_won, all_played = float(points.sum()), int(games.sum())
    lower = hypergeom.cdf(np.ceil(won), all_played, math.floor(all_won), played)
    upper = hypergeom.sf(np.floor(won) - 1, all_played, math.ceil(all_won), played)
    return np.asarray(np.minimum(1.0, 2 * np.minimum(lower, upper)), dtype=np.float64)
