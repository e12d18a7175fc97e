"""Many checks, one error budget: which deviations stand when all are looked at together.

Holm (1979) over p-values, anytime ones included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.stats.errors import StatsError
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
    """Step-down refusals, family-wise error at most `alpha`, whatever the dependence. Raises StatsError."""
    check_level(alpha, "alpha")
    for name, p in p_values.items():
        if not 0.0 <= p <= 1.0:
            raise StatsError(f"p-value of {name} must lie between 0 and 1, not {p!r}")
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    shares, adjusted = [], 0.0
    for rank, (name, p) in enumerate(ordered):
        left = len(ordered) - rank
        adjusted = max(adjusted, min(1.0, left * p))
        shares.append(Share(name, p, alpha / left, adjusted, adjusted <= alpha))
    return Budget(alpha, tuple(shares))
