"""Several playout statistics at once, as length and result: a deviation in any direction.

The one-dimensional test of `mean` in coordinates in which the statistics are independent.
All formulas: docs/statistics.md, "Mean".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.evidence import Floats, anytime_p, as_floats, mix, peak
from harness.stats.mean import DEVIATION_SCALES, Reference, normal_mixture, per_search

# Directions with less than this share of the largest variance count as having none.
FLAT = 1e-12


@dataclass(frozen=True)
class JointReference:
    """Mean and covariance of d statistics of a conforming playout, and the covariance of that mean's error.

    `skew` and `kurtosis` are the largest of the single statistics'; see `mean.Reference`.
    """

    mean: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    se_covariance: tuple[tuple[float, ...], ...] | None = None
    skew: float = 1.0
    kurtosis: float = 3.0


@dataclass(frozen=True)
class JointEvidence:
    """What k searches say about all means together; `p_value` (against no deviation) is valid at any time."""

    searches: int
    deviation: tuple[float, ...]
    log_e: float
    p_value: float


def judge_joint(
    totals: npt.ArrayLike,
    playouts: npt.ArrayLike,
    reference: JointReference,
    *,
    margins: npt.ArrayLike,
    tolerance: float = 1e-6,
) -> JointEvidence:
    """Judge the searches' `totals`, shape (k, d), in order; `margins`: deviations a playout worth finding.

    Where the statistics are tied to each other without spread, a single search off the tie by more than
    `tolerance` a playout is proof. Raises ValueError for shapes or numbers that make no sense.
    """
    mean, covariance, se = _matrices(reference)
    sums = np.asarray(totals, dtype=np.float64).reshape(-1, mean.size)
    if not np.all(np.isfinite(sums)):
        raise ValueError("totals must be finite numbers")
    counts = per_search(playouts, sums.shape[0])
    wanted = as_floats(margins, "margins")
    if wanted.shape != mean.shape or np.any(wanted <= 0.0):
        raise ValueError("one positive margin a statistic is needed")
    if sums.shape[0] == 0:
        return JointEvidence(0, (0.0,) * mean.size, 0.0, 1.0)
    residuals = sums - counts[:, None] * mean
    deviation = tuple(float(v) for v in residuals.sum(axis=0) / counts.sum())
    whiten, flat = _directions(covariance)
    if np.any(np.abs(residuals @ flat) > tolerance * counts[:, None]):
        return JointEvidence(counts.size, deviation, math.inf, 0.0)
    if whiten.shape[1] == 0:
        return JointEvidence(counts.size, deviation, 0.0, 1.0)
    errors, turn = np.linalg.eigh(whiten.T @ se @ whiten)
    unit = Reference(0.0, 1.0, skew=reference.skew, kurtosis=reference.kurtosis)
    scale = float(np.min(wanted / np.sqrt(np.maximum(np.diag(covariance), wanted**2 * FLAT))))
    log_e = _log_e(residuals @ whiten @ turn, counts, unit, np.maximum(errors, 0.0), scale)
    return JointEvidence(counts.size, deviation, peak(log_e), anytime_p(log_e))


def _log_e(residuals: Floats, counts: Floats, unit: Reference, errors: Floats, scale: float) -> Floats:
    """Log e-process against no deviation; `residuals` (k, d) are independent with variance 1 a playout."""
    weight = counts / unit.variance(counts)
    score = np.cumsum(residuals * weight[:, None], axis=0)
    information = np.cumsum(counts * weight)[:, None]
    null = information + information**2 * errors
    terms = []
    for multiple in DEVIATION_SCALES:
        terms.append(normal_mixture(score, null, (information * scale * multiple) ** 2).sum(axis=1))
    return mix(np.stack(terms))


def _directions(covariance: Floats) -> tuple[Floats, Floats]:
    """Columns that make the statistics independent with variance 1, and columns of no variance."""
    scale = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    scale[scale == 0.0] = 1.0  # statistics in their own units, so that small ones are not taken for flat
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    live = values > FLAT * max(float(values[-1]), FLAT)
    vectors = vectors / scale[:, None]
    return vectors[:, live] / np.sqrt(values[live]), vectors[:, ~live] * float(scale.min())


def _matrices(reference: JointReference) -> tuple[Floats, Floats, Floats]:
    mean = as_floats(reference.mean, "mean")
    covariance = np.array(reference.covariance, dtype=np.float64)
    given = reference.se_covariance
    se = np.zeros_like(covariance) if given is None else np.array(given, dtype=np.float64)
    square = (mean.size, mean.size)
    if covariance.shape != square or se.shape != square:
        raise ValueError(f"a covariance of {mean.size} statistics has shape {square}")
    if not (np.all(np.isfinite(covariance)) and np.all(np.isfinite(se))):
        raise ValueError("covariances must be finite")
    return mean, covariance, se
