"""One error budget for the p-values of many hypotheses: which of them are refused together (Holm 1979)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.stats.evidence import StatsError, check_level


@dataclass(frozen=True)
class Share:
    """The part of the budget of one hypothesis, such as that of a check."""

    name: str
    p_value: float
    level: float  # a p-value up to this is refused if all shares before it are
    adjusted: float  # the smallest `alpha` of the budget at which this hypothesis is refused
    refused: bool


@dataclass(frozen=True)
class Budget:
    """The split of `alpha`, the largest chance of refusing any true hypothesis; smallest p-value first."""

    alpha: float
    shares: tuple[Share, ...]

    @property
    def refused(self) -> tuple[str, ...]:
        """Names of the refused hypotheses."""
        return tuple(share.name for share in self.shares if share.refused)

    @property
    def spent(self) -> float:
        """The smallest `alpha` that would give the same refusals; 0 without a refusal."""
        return max((share.adjusted for share in self.shares if share.refused), default=0.0)


def holm(p_values: Mapping[str, float], alpha: float) -> Budget:
    """Refuse hypotheses. The chance of refusing any true one is at most `alpha`, however dependent they are.

    With alpha 0.05 and three p-values 0.01, 0.02 and 0.2: 0.01 is refused (at most 0.05 / 3), then 0.02 (at
    most 0.05 / 2), but 0.2 is not.
    P-values that are valid at any time stay so. Raises StatsError for a p-value outside 0 to 1, and unless
    `alpha` is above 0 and below 1.
    """
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
