"""Statistics of the searches of one probe, and whether two of them differ by more than chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from harness.check.procedures.probe import empty_board
from harness.check.procedures.search import Series
from harness.stats import special

BETTER_APART = 4.0
"""Log Bayes factor from which records of chosen moves are taken to differ. Chosen: 55 to 1."""

STANDS_OUT = 3.5
"""Standard errors within which a record counts as equal to the right bot's. Chosen: five in ten thousand
comparisons of equal bots stand out."""

STATE_PROBE = empty_board(7.5).id
"""The probe at which searches never repeat each other by chance: nearly all of its playouts differ."""

LIKE_RECORDED = (0.8, 1.25)
"""Chosen moves are compared if the number of playouts is within these factors of the recorded one. Chosen:
the shares of the moves then change less than their error."""

LARGE = 9
"""Size of the boards on which two searches are never the same by chance."""

ENOUGH_TO_REPEAT = 4
"""Number of searches of empty boards in which a bot that repeats some would have done so. Chosen: of the
known faults, the one that repeats least draws new numbers every fourth search."""

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Statistics:
    """The searches of one probe, summed up: moves and result of a playout, and the chosen moves.

    `mean` and `covariance` are those of (length, result) of one playout; the covariance is estimated from the
    differences between searches. Both are empty for a bot without ref-nodes or ref-score.
    """

    searches: int
    playouts: int  # of one search
    mean: Vector = ()
    covariance: tuple[Vector, ...] = ()
    moves: Mapping[str, int] = field(default_factory=dict)


def summed(series: Series) -> Statistics:
    """Return the statistics of a series of searches; without means if a number is missing."""
    moves = dict(Counter(search.move for search in series.searches).most_common())
    made, playouts = len(series.searches), series.playouts
    pairs = [(s.nodes, s.score) for s in series.searches if s.nodes is not None and s.score is not None]
    if len(pairs) < made or not pairs or not playouts:
        return Statistics(made, playouts, moves=moves)
    table = np.array(pairs, dtype=np.float64) / (playouts, 1.0)
    spread = np.cov(table, rowvar=False) * playouts if made > 1 else np.zeros((2, 2))
    return Statistics(made, playouts, tuple(table.mean(axis=0).tolist()), as_rows(spread), moves)


def as_rows(matrix: np.ndarray) -> tuple[Vector, ...]:
    """Return a matrix as tuples of its rows."""
    return tuple(map(tuple, matrix.tolist()))


def has_comparable_moves(series: Series, recorded: Statistics) -> bool:
    """Return whether the moves can be compared with recorded ones: both depend on the number of playouts."""
    low, high = LIKE_RECORDED
    return bool(recorded.moves) and low * recorded.playouts <= series.playouts <= high * recorded.playouts


def repeats(found: Iterable[Series]) -> float:
    """Return the number of searches of an empty board for each that differs from the others."""
    made, different = _made_and_different(one for one in found if one.probe.id == STATE_PROBE)
    return made / different if different else 1.0


def has_no_repeats(found: Iterable[Series]) -> bool:
    """Return whether enough searches were seen to know that none repeats another."""
    # Searches of large empty boards never repeat each other by chance, nor are they turned.
    empty = (one for one in found if not one.probe.moves and one.probe.size >= LARGE)
    made, different = _made_and_different(empty)
    return made == different >= ENOUGH_TO_REPEAT


def _made_and_different(found: Iterable[Series]) -> tuple[int, int]:
    """Return the number of searches, and of those that differ from the other searches of their probe."""
    all_series = tuple(found)
    different = sum(len({(s.nodes, s.score, s.move) for s in one.searches}) for one in all_series)
    return sum(len(one.searches) for one in all_series), different


def moments_differ(first: Statistics, second: Statistics, doubt: float = 1.0) -> bool:
    """Return whether the means, or the spread of the searches, stand out from chance."""
    if not first.mean or not second.mean:
        return False
    for place in range(2):
        spreads = [max(0.0, s.covariance[place][place]) for s in (first, second)]
        error = math.sqrt(max(spreads) * sum(1.0 / (s.searches * s.playouts) for s in (first, second)))
        gap = abs(first.mean[place] - second.mean[place])
        if gap > max(doubt * STANDS_OUT * error, 1e-9):
            return True
        degrees = min(first.searches, second.searches) - 1
        if degrees > 0 and min(spreads) > 0.0:
            tail = float(special.chdtri(degrees, 1e-5**doubt)) / degrees
            if max(spreads) > tail * tail * min(spreads):
                return True
        elif degrees > 3 and max(spreads) > 0.0:
            return True
    return False


def moves_differ(first: Mapping[str, int], second: Mapping[str, int], doubt: float = 1.0) -> bool:
    """Return whether two records of chosen moves are better explained by two distributions than by one.

    Bayes factor of Dirichlet-multinomials (Good 1967): no pooling, however many moves were chosen once.
    """
    names = {*first, *second}
    one, two = (
        np.array([moves.get(name, 0) for name in names], dtype=np.float64) for moves in (first, second)
    )
    if not one.sum() or not two.sum():
        return False
    return _log_dirichlet(one) + _log_dirichlet(two) - _log_dirichlet(one + two) > doubt * BETTER_APART


def _log_dirichlet(counts: npt.NDArray[np.float64]) -> float:
    """Return the log probability of counts, in one order, over all shares alike (Jeffreys' prior ½)."""
    weights = counts + 0.5
    each = float((special.gammaln(weights) - special.gammaln(0.5)).sum())
    return each + float(special.gammaln(0.5 * counts.size) - special.gammaln(weights.sum()))
