"""Change points in a series that grows by one value at a time, with one error rate for its whole length.

A segment is the series since the last change. After each new value, every split of the segment into an
earlier and a later part is tested, and the smallest p-value is multiplied by the number of splits
(Bonferroni). The test after the n-th value of a segment may use alpha / (n (n - 1)) of the error rate; these
shares sum to alpha. So a segment without a change is split with a probability of at most alpha, however long
it gets.
"""

from __future__ import annotations

import math
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
Tests = Callable[[int, int], Floats]
Level = Callable[[int, int], float]
ROUNDING = 0.5
"""Factor of a bound of a p-value, far beyond the rounding of the logarithms that it is computed from."""


@dataclass(frozen=True)
class Change:
    """A change of the mean or share: the values from index `at` on differ from those before `at`."""

    at: int
    found: int  # index of the value after which the test found the change
    before: float  # mean (or share) of the earlier part at that moment
    after: float
    p_value: float  # corrected for all splits and for all tests of the segment


def mean_changes(values: Sequence[float], alpha: float) -> tuple[Change, ...]:
    """Changes of the mean of Normal values, by Student's t test with the pooled variance of both parts.

    In a series of equal values, the first different value is a change.
    """
    series = np.asarray(values, dtype=np.float64)

    def p_values(begin: int, end: int) -> Floats:
        return _t_tests(series[begin:end])

    def mean(begin: int, end: int) -> float:
        return float(series[begin:end].mean())

    return _search(len(series), p_values, mean, alpha, SHORTEST)


def share_changes(points: Sequence[float], games: Sequence[int], alpha: float) -> tuple[Change, ...]:
    """Changes of the share of points in games, by Fisher's exact test; p is twice the smaller tail.

    A draw is half a point. Half points are rounded in the direction that makes each tail larger. Draws vary
    less than wins and losses with the same mean, so the p-value is an upper bound.
    """
    return _search(len(points), *_share_tests(points, games), alpha, 1, _share_bounds(points, games))


def open_step(points: Sequence[float], games: Sequence[int], alpha: float) -> Change | None:
    """Return the clearest step of the share since its last change; None if it is a change (p ≤ alpha)."""
    changes = share_changes(points, games, alpha)
    p_values, share = _share_tests(points, games)
    step = _clearest_step(changes[-1].at if changes else 0, len(points), p_values, share, 1)
    return step if step and step.p_value > alpha else None


def _share_tests(points: Sequence[float], games: Sequence[int]) -> tuple[Tests, Level]:
    """Return the functions `p_values` and `level` of `_search` for the share of points in games."""
    won, played = np.asarray(points, dtype=np.float64), np.asarray(games, dtype=np.int64)

    def p_values(begin: int, end: int) -> Floats:
        return _fisher_tests(won[begin:end], played[begin:end])

    def share(begin: int, end: int) -> float:
        return float(won[begin:end].sum() / max(1, played[begin:end].sum()))

    return p_values, share


def _share_bounds(points: Sequence[float], games: Sequence[int]) -> Tests:
    """Return lower bounds of the p-values of `_share_tests`, which are computed a hundred times sooner.

    A tail is at least as large as the probability of the one result that it begins with.
    """
    won, played = np.asarray(points, dtype=np.float64), np.asarray(games, dtype=np.int64)

    def bounds(begin: int, end: int) -> Floats:
        wins, parts = np.cumsum(won[begin:end]), np.cumsum(played[begin:end])
        lower = _probabilities(np.ceil(wins[:-1]), parts[:-1], math.floor(wins[-1]), parts[-1])
        upper = _probabilities(np.floor(wins[:-1]), parts[:-1], math.ceil(wins[-1]), parts[-1])
        return np.asarray(np.minimum(1.0, 2 * ROUNDING * np.minimum(lower, upper)), dtype=np.float64)

    return bounds


def _probabilities(won: Floats, played: NDArray[np.int64], all_won: int, all_played: int) -> Floats:
    """The hypergeometric probabilities of `won` of `played` games, where `all_won` of all were won."""

    def log_choices(total: Any, chosen: Any) -> Any:
        rest = total - chosen
        possible = (chosen >= 0) & (rest >= 0)
        counted = special.gammaln(np.maximum(chosen, 0) + 1) + special.gammaln(np.maximum(rest, 0) + 1)
        return np.where(possible, special.gammaln(total + 1) - counted, -np.inf)

    lost = log_choices(all_played - all_won, played - won)
    chance = np.exp(log_choices(all_won, won) + lost - log_choices(all_played, played))
    return np.asarray(chance, dtype=np.float64)


def _search(
    length: int,
    p_values: Tests,
    level: Level,
    alpha: float,
    shortest: int,
    bounds: Tests | None = None,
) -> tuple[Change, ...]:
    """Test after each value. `level(begin, end)` is the mean or share of these values.

    `p_values(begin, end)` are those of the splits after the first 1, 2, … of these values. Each part of a
    split has at least `shortest` values. `bounds` are lower bounds of `p_values`: if they show that no split
    is a change, the p-values are not computed.
    """
    changes: list[Change] = []
    start = 0
    for end in range(1, length + 1):
        possible = bounds and _clearest_step(start, end, bounds, level, shortest)
        if possible and possible.p_value > alpha:
            continue
        step = _clearest_step(start, end, p_values, level, shortest)
        if step and step.p_value <= alpha:
            changes.append(step)
            start = step.at
    return tuple(changes)


def _clearest_step(start: int, end: int, p_values: Tests, level: Level, shortest: int) -> Change | None:
    """Return the split of the values from `start` to `end` with the smallest p-value; None if it has none."""
    size = end - start  # of the segment
    begin = max(start, end - WINDOW)
    splits = end - begin + 1 - 2 * shortest
    if splits < 1:
        return None
    each = p_values(begin, end)[shortest - 1 : shortest - 1 + splits]
    best = int(each.argmin())
    p_value = min(1.0, float(each[best]) * splits * size * (size - 1))
    at = begin + shortest + best
    return Change(at, end - 1, level(begin, at), level(at, end), p_value)


def _t_tests(values: Floats) -> Floats:
    """The two-sided p-values of the splits after the first 1, 2, … values."""
    count = len(values)
    left = np.arange(1, count)
    right = count - left
    centred = values - values.mean()
    sums = np.cumsum(centred)[:-1]
    total = float(centred @ centred)
    between = sums**2 * (1 / left + 1 / right)  # the centred sums of both sides are opposite
    rounding = 1e-20 * float(values @ values)  # a series without variation has at least this much
    within = np.maximum(total - between, rounding) + np.finfo(np.float64).tiny
    statistic = np.sqrt(between * (count - 2) / within)
    return np.asarray(2 * special.stdtr(count - 2, -statistic), dtype=np.float64)


def _fisher_tests(points: Floats, games: NDArray[np.int64]) -> Floats:
    from scipy.stats import hypergeom

    won, played = np.cumsum(points)[:-1], np.cumsum(games)[:-1]
    all_won, all_played = float(points.sum()), int(games.sum())
    lower = hypergeom.cdf(np.ceil(won), all_played, math.floor(all_won), played)
    upper = hypergeom.sf(np.floor(won) - 1, all_played, math.ceil(all_won), played)
    return np.asarray(np.minimum(1.0, 2 * np.minimum(lower, upper)), dtype=np.float64)
