"""Simulates the choice of a conforming bot in mid-game, where enumeration is impossible.

The mean and covariance of what one playout adds to the visits and wins of each candidate are estimated from
many playouts. The sums over P playouts are nearly Normal. A search is simulated by drawing these sums and
choosing the highest wins/visits: thousands of searches take a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LEAST_PLAYOUTS = 300
"""Fewest playouts for which their sums are nearly Normal. Chosen: each candidate needs some visits."""

Floats = npt.NDArray[np.float64]


class DrawError(ValueError):
    """Choices that cannot be drawn: the normal approximation does not hold for so few playouts."""


@dataclass(frozen=True, eq=False)
class AmafMoments:
    """Moments of what one playout adds to the records of c candidates, in their order."""

    mean: Floats  # shape (2c,): visits of each candidate, then wins
    covariance: Floats  # shape (2c, 2c)

    @classmethod
    def of(cls, mean: npt.ArrayLike, upper: npt.ArrayLike) -> AmafMoments:
        """Return moments from the mean and the upper triangle of the covariance, row by row."""
        means = np.array(mean, dtype=np.float64)
        covariance = np.zeros((means.size, means.size))
        covariance[np.triu_indices(means.size)] = upper
        return cls(means, covariance + np.triu(covariance, 1).T)

    @property
    def upper(self) -> Floats:
        """The upper triangle of the covariance, row by row."""
        return self.covariance[np.triu_indices(self.mean.size)]

    @property
    def candidates(self) -> int:
        """The number of candidates."""
        return self.mean.size // 2


def amaf_moments(visits: Floats, wins: Floats, playouts: int) -> AmafMoments:
    """Return the moments of one playout, estimated from batches of `playouts` playouts each.

    visits, wins   what each batch added to the records of c candidates: shape (batches, c), two batches
                   or more
    """
    sums = np.hstack([visits, wins])
    return AmafMoments(sums.mean(axis=0) / playouts, np.cov(sums, rowvar=False) / playouts)


def draw_choices(moments: AmafMoments, playouts: int, searches: int, seed: int) -> npt.NDArray[np.int64]:
    """Simulate `searches` searches of `playouts` playouts. Return how many of them choose each candidate.

    Raises DrawError below LEAST_PLAYOUTS, where the Normal approximation fails.
    """
    return draw_choices_about([moments.mean], moments.covariance, playouts, searches, seed)[0]


def draw_choices_about(
    means: Sequence[Floats], covariance: Floats, playouts: int, searches: int, seed: int
) -> list[npt.NDArray[np.int64]]:
    """Return the counts of `draw_choices` for each of `means`, all from the same random numbers.

    means, covariance   as in `AmafMoments`
    Raises DrawError below LEAST_PLAYOUTS.
    """
    if playouts < LEAST_PLAYOUTS:
        raise DrawError(f"a search of {playouts} playouts is too small: expected at least {LEAST_PLAYOUTS}")
    generator = np.random.default_rng(seed)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.clip(values, 0.0, None) * playouts)
    deviations = generator.standard_normal((searches, len(covariance))) @ root.T
    return [_count_choices(mean * playouts + deviations) for mean in means]


def _count_choices(sums: Floats) -> npt.NDArray[np.int64]:
    """Count how often each candidate has the highest rate; `sums` has shape (searches, 2c)."""
    count = sums.shape[1] // 2
    visits, wins = sums[:, :count], sums[:, count:]
    rates = np.where(visits >= 1.0, wins / np.maximum(visits, 1.0), -1.0)
    return np.bincount(rates.argmax(axis=1), minlength=count)
