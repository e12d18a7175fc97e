"""Random effects: mean and variance of an effect that differs between positions (DerSimonian & Laird 1986).

Each position has an estimate of its own effect, with a known error variance. Formulas: docs/statistics.md,
"Audit".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.stats.evidence import Floats, StatsError


@dataclass(frozen=True)
class Effects:
    """Mean and variance of the true effects of all positions."""

    mean: float
    variance: float


def random_effects(estimates: Floats, variances: Floats) -> Effects:
    """Estimate the mean and the variance of the effects behind `estimates`, one for each position or case.

    `variances` are those of the errors of the estimates. Raises StatsError.
    """
    if estimates.size == 0 or estimates.shape != variances.shape or np.any(variances <= 0.0):
        raise StatsError("expected one or more estimates, and as many variances above 0")
    weights = 1.0 / variances
    total = float(weights.sum())
    mean = float((weights * estimates).sum()) / total
    excess = float((weights * (estimates - mean) ** 2).sum()) - (estimates.size - 1)
    scale = total - float((weights**2).sum()) / total
    variance = max(0.0, excess / scale) if scale > 0.0 else 0.0
    weights = 1.0 / (variances + variance)
    total = float(weights.sum())
    return Effects(float((weights * estimates).sum()) / total, variance)
