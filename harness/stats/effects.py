"""An effect that differs from place to place: its mean and its variance (DerSimonian & Laird 1986).

Each place, such as a position, has an estimate of its effect, with a known error. All formulas:
docs/statistics.md, "Audit".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.stats.evidence import Floats, StatsError


@dataclass(frozen=True)
class Effects:
    """Mean and variance of the effects of all places. `mean_error` is the variance of the estimated mean."""

    mean: float
    variance: float
    mean_error: float


def random_effects(estimates: Floats, errors: Floats) -> Effects:
    """The effects behind `estimates`. `errors` are the variances of their errors. Raises StatsError."""
    if estimates.size == 0 or estimates.shape != errors.shape or np.any(errors <= 0.0):
        raise StatsError("expected estimates, each with an error of a variance above 0")
    weights = 1.0 / errors
    total = float(weights.sum())
    mean = float((weights * estimates).sum()) / total
    excess = float((weights * (estimates - mean) ** 2).sum()) - (estimates.size - 1)
    scale = total - float((weights**2).sum()) / total
    variance = max(0.0, excess / scale) if scale > 0.0 else 0.0
    weights = 1.0 / (errors + variance)
    total = float(weights.sum())
    return Effects(float((weights * estimates).sum()) / total, variance, 1.0 / total)
