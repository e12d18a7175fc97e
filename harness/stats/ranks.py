"""Is a bot's answer one more draw from the reference's answers? Ranks among them, over many positions.

If the bot conforms, its answer and M answers of the reference are exchangeable. The rank of the bot's score
among all M + 1 is then uniform, whatever the score, and with ties broken at random it gives a uniform u
between 0 and 1 (conformal p-value; Vovk, Gammerman & Shafer 2005). All formulas: docs/statistics.md, "Audit".
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from harness.stats.evidence import mix

# The bets are on the densities a u^(a − 1), and on their mirror images.
POWERS = (0.3, 0.6, 0.85)
LEAST = 1e-9


def uniform_rank(own: float, others: Sequence[float], chance: float) -> float:
    """The rank of `own` among `others`, 0 (lowest) to 1. `chance`, uniform on 0 to 1, breaks ties."""
    below = sum(other < own for other in others)
    equal = sum(other == own for other in others)
    return (below + chance * (equal + 1)) / (len(others) + 1)


class RankEvidence:
    """Adds up uniform ranks. The memory does not grow with their number."""

    def __init__(self) -> None:
        self.count = 0
        self._logs = 0.0
        self._mirrored_logs = 0.0
        self._sum = 0.0

    def add(self, rank: float) -> None:
        """Add the rank at one position."""
        self.count += 1
        self._sum += rank
        self._logs += math.log(max(LEAST, rank))
        self._mirrored_logs += math.log(max(LEAST, 1.0 - rank))

    @property
    def mean(self) -> float:
        """The mean rank: ½ for a bot that conforms."""
        return self._sum / self.count if self.count else 0.5

    @property
    def p_value(self) -> float:
        """Against "the ranks are uniform"; valid at any time."""
        terms = [
            self.count * math.log(power) + (power - 1.0) * logs
            for power in POWERS
            for logs in (self._logs, self._mirrored_logs)
        ]
        return min(1.0, math.exp(-max(0.0, float(mix(np.array(terms))))))
