"""Statistics of the searches of one probe, and tests whether two of them differ by more than chance.

`summed` makes them of a series of searches. Signatures store them. A probe is a position that is searched.
"""

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
"""Natural logarithm of the Bayes factor from which two records of chosen moves differ. Chosen: 55 to 1."""

STANDS_OUT = 3.5
"""Standard errors within which means are equal. Chosen: five in ten thousand equal ones lie outside."""

UNLIKELY = 1e-5
"""Chance that an estimated variance exceeds the true one by more than a factor f; f depends on the number of
searches. Two variances differ if their ratio is greater than f². Chosen: few of many equal pairs differ."""

ENOUGH_EQUAL = 5
"""Searches from which a record of equal ones differs from a record with a variance. Chosen: in a short
position, fewer may be equal by chance."""

STATE_PROBE = empty_board(7.5).id
"""The empty 9x9 board: two searches there are never equal by chance, because nearly all playouts differ."""

LARGE = 9
"""Smallest size of an empty board on which two searches are never equal by chance."""

ENOUGH_TO_REPEAT = 4
"""Fewest different searches of empty boards from which a bot without equal ones does not repeat searches.
Chosen: the known fault that repeats least makes four equal searches in a row."""

RARE = 3
"""A move is rare if two records together have it at most this number of times. Chosen: on an empty board, a
right bot chooses among fifty points, of which no record has all."""

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Statistics:
    """Statistics of the searches of one probe.

    searches     number of searches
    playouts     number of playouts per search
    mean         (mean length in moves, mean result from 0 to 1) of one playout; empty if a search lacks one
    covariance   of (length, result) of one playout, as two rows: the covariance of the searches' means, times
                 `playouts`; zeros for a single search; empty if `mean` is
    moves        number of searches by chosen move, such as {"E5": 20, "PASS": 4}; a fraction if predicted
    """

    searches: int
    playouts: int
    mean: Vector = ()
    covariance: tuple[Vector, ...] = ()
    moves: Mapping[str, float] = field(default_factory=dict)


def summed(series: Series) -> Statistics:
    """Return the statistics of a series; without means if there is no search, or one lacks a number."""
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


def repeats(found: Iterable[Series]) -> float:
    """Return the number of searches at STATE_PROBE divided by that of different ones; 1 without searches."""
    return made_for_each_different(one for one in found if one.probe.id == STATE_PROBE)


def made_for_each_different(found: Iterable[Series]) -> float:
    """Return the number of searches divided by the number of different ones; 1 without searches.

    Searches of one probe are equal if they have the same ref-nodes, ref-score and move. For example 4 if each
    search is made four times.
    """
    made, different = _made_and_different(found)
    return made / different if different else 1.0


def has_no_repeats(found: Iterable[Series]) -> bool:
    """Return True if no search of an empty board repeats another, among ENOUGH_TO_REPEAT or more.

    Empty boards count from size LARGE on: their searches are never equal by chance, and none is made under a
    symmetry.
    """
    empty = (one for one in found if not one.probe.moves and one.probe.size >= LARGE)
    made, different = _made_and_different(empty)
    return made == different >= ENOUGH_TO_REPEAT


def _made_and_different(found: Iterable[Series]) -> tuple[int, int]:
    """Return the number of searches, and the number of different ones within each probe."""
    all_series = tuple(found)
    different = sum(len({(s.nodes, s.score, s.move) for s in one.searches}) for one in all_series)
    return sum(len(one.searches) for one in all_series), different


def moments_differ(first: Statistics, second: Statistics, doubt: float = 1.0) -> bool:
    """Return True if means or variances differ by more than chance; False if one record has no means.

    doubt   more than 1 asks for clearer differences: a factor on STANDS_OUT, and the exponent of UNLIKELY
    """
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
            factor = float(special.chdtri(degrees, UNLIKELY**doubt)) / degrees
            if max(spreads) > factor * factor * min(spreads):
                return True
        elif degrees + 1 >= ENOUGH_EQUAL and max(spreads) > 0.0:  # all searches of one record are equal
            return True
    return False


def moves_differ(first: Mapping[str, float], second: Mapping[str, float], doubt: float = 1.0) -> bool:
    """Return True if two records of chosen moves fit two distributions much better than a single one.

    first, second   number of searches by chosen move; False if one is empty
    doubt           factor on the threshold: more than 1 asks for a clearer difference
    The test is a Bayes factor of Dirichlet-multinomials (Good 1967): rarely chosen moves need not be pooled.
    """
    names = {*first, *second}
    one, two = (
        np.array([moves.get(name, 0) for name in names], dtype=np.float64) for moves in (first, second)
    )
    if not one.sum() or not two.sum():
        return False
    return _log_dirichlet(one) + _log_dirichlet(two) - _log_dirichlet(one + two) > doubt * BETTER_APART


def pooled_rare(
    first: Mapping[str, float], second: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return two records of chosen moves, with all rare moves of each under the one name "others".

    A bot may then choose other rare moves than the record has, as long as it does so as often.
    """
    often = {name for name in {*first, *second} if first.get(name, 0) + second.get(name, 0) > RARE}

    def pooled(moves: Mapping[str, float]) -> dict[str, float]:
        rare = sum(times for name, times in moves.items() if name not in often)
        return {**{name: times for name, times in moves.items() if name in often}, "others": rare}

    return pooled(first), pooled(second)


def _log_dirichlet(counts: npt.NDArray[np.float64]) -> float:
    """Return the log probability of a sequence with these counts (Jeffreys' prior: Dirichlet with ½)."""
    weights = counts + 0.5
    each = float((special.gammaln(weights) - special.gammaln(0.5)).sum())
    return each + float(special.gammaln(0.5 * counts.size) - special.gammaln(weights.sum()))
