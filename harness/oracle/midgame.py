"""The choice of a conforming bot in mid-game, where enumeration is impossible, for any number of playouts.

Many playouts give the mean and covariance of what one playout adds to the visits and wins of each candidate.
The sums over P playouts are nearly Normal. Choices (of the highest wins/visits) are therefore drawn by
drawing sums: thousands of searches take a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LEAST_PLAYOUTS = 300
"""Number of playouts below which their sums are too far from Normal. Chosen: candidates
need some visits."""

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
        """From the mean and the upper triangle of the covariance, row by row, as stored in data files."""
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
    """Return the moments of one playout from batches of P: `visits` and `wins` have shape (batches, c)."""
    sums = np.hstack([visits, wins])
    return AmafMoments(sums.mean(axis=0) / playouts, np.cov(sums, rowvar=False) / playouts)


def draw_choices(moments: AmafMoments, playouts: int, searches: int, seed: int) -> npt.NDArray[np.int64]:
    """Simulate searches and count how often each candidate is chosen; shape (c,).

    Raises DrawError below LEAST_PLAYOUTS, where the Normal approximation fails.
    """
    return draw_choices_about([moments.mean], moments.covariance, playouts, searches, seed)[0]


def draw_choices_about(
    means: Sequence[Floats], covariance: Floats, playouts: int, searches: int, seed: int
) -> list[npt.NDArray[np.int64]]:
    """Draw choices for several means with one covariance. All share the same drawn deviations."""
    if playouts < LEAST_PLAYOUTS:
        raise DrawError(f"a search of {playouts} playouts is too small: expected at least {LEAST_PLAYOUTS}")
    generator = np.random.default_rng(seed)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.clip(values, 0.0, None) * playouts)
    deviations = generator.standard_normal((searches, len(covariance))) @ root.T
    return [_chosen(mean * playouts + deviations) for mean in means]


def _chosen(sums: Floats) -> npt.NDArray[np.int64]:
    """Count how often each candidate has the highest rate; `sums` has shape (searches, 2c)."""
    count = sums.shape[1] // 2
    visits, wins = sums[:, :count], sums[:, count:]
    rates = np.where(visits >= 1.0, wins / np.maximum(visits, 1.0), -1.0)
    return np.bincount(rates.argmax(axis=1), minlength=count)
