"""Many checks, one error budget: which deviations stand when all are looked at together.

Holm (1979) over p-values, anytime ones included; closed testing with averaged e-values (Vovk & Wang 2021).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from harness.stats.evidence import check_level


@dataclass(frozen=True)
class Share:
    """One check's part of the budget: it is refused at `level` or below, and has come to `p_value`."""

    name: str
    p_value: float
    level: float
    adjusted: float
    refused: bool


@dataclass(frozen=True)
class Budget:
    """How the chance `alpha` of refusing anything that is right was split, most significant check first."""

    alpha: float
    shares: tuple[Share, ...]

    @property
    def refused(self) -> tuple[str, ...]:
        """Names of the refused hypotheses."""
        return tuple(share.name for share in self.shares if share.refused)

    @property
    def spent(self) -> float:
        """The smallest level at which the verdict would already have been the same refusals; 0 if none."""
        return max((share.adjusted for share in self.shares if share.refused), default=0.0)


def holm(p_values: Mapping[str, float], alpha: float) -> Budget:
    """Step-down refusals, family-wise error at most `alpha`, whatever the dependence. Raises ValueError."""
    check_level(alpha, "alpha")
    for name, p in p_values.items():
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"p-value of {name} must lie between 0 and 1, not {p!r}")
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    shares, adjusted = [], 0.0
    for rank, (name, p) in enumerate(ordered):
        left = len(ordered) - rank
        adjusted = max(adjusted, min(1.0, left * p))
        shares.append(Share(name, p, alpha / left, adjusted, adjusted <= alpha))
    return Budget(alpha, tuple(shares))


def e_holm(log_e_values: Mapping[str, float], alpha: float) -> Budget:
    """Step-down refusals from log e-values, family-wise error at most `alpha`, whatever the dependence.

    The adjusted e-value of a hypothesis is the least average over all sets of hypotheses that hold it. The
    e-values must be those at one stopping time, not their peaks; 1/adjusted is reported as p-value.
    """
    check_level(alpha, "alpha")
    if any(math.isnan(v) for v in log_e_values.values()):
        raise ValueError("an e-value is missing (NaN)")
    ordered = sorted(log_e_values.items(), key=lambda item: -item[1])
    logs = [value for _, value in ordered]
    shares = []
    for rank, (name, log_e) in enumerate(ordered):
        adjusted = min(1.0, math.exp(-max(0.0, _least_average(log_e, logs[rank + 1 :]))))
        left = len(ordered) - rank
        shares.append(
            Share(name, min(1.0, math.exp(-max(0.0, log_e))), alpha / left, adjusted, adjusted <= alpha)
        )
    return Budget(alpha, tuple(shares))


def _least_average(log_e: float, smaller: list[float]) -> float:
    """Log of the least average of an e-value with any of the smaller ones (larger ones only raise it)."""
    if math.isinf(log_e) and log_e > 0:
        return log_e
    running = np.logaddexp.accumulate(np.array([log_e, *reversed(smaller)]))
    return float(np.min(running - np.log(np.arange(1, running.size + 1))))
