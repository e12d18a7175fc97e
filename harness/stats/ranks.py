"""Tests, over many positions, whether a bot's answers are distributed as the reference's answers are.

At each position, a number is computed from the bot's answer and from each of M answers of the reference. If
the bot conforms, the rank of its number among all M + 1 is uniform, whatever the number is (conformal
p-value; Vovk, Gammerman & Shafer 2005). Equal numbers share their ranks. For example, the number 5 among 3,
5, 5 and 9 shares the middle three of five ranks, which is the part from 0.2 to 0.8 of all ranks. Formulas:
docs/statistics.md, "Audit".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from harness.stats.evidence import anytime_p, mix

POWERS = (0.3, 0.6, 0.85)
"""Exponents a of the bets that ranks are low, with the density a u^(a − 1), or high (mirrored). Chosen: from
strong to weak."""
TOPS = tuple((share, part) for share in (0.02, 0.06, 0.2) for part in (1 / 16, 1 / 4))
"""Bets (share, part): this share of the answers ranks in this highest part, and the others rank uniformly.
With (0.02, 1/16), 2 % of the answers rank above 15/16, and the other 98 % anywhere. Chosen: from few and
extreme answers to many."""

Bet = Callable[[float], float]
"""A cumulative distribution of the rank: bet(u) is the probability of a rank up to u, from 0 to 1. The bet is
that ranks follow this distribution; bet(u) = u would be uniform."""


class Rank(NamedTuple):
    """A bot's rank at one position: how many of the `others` are below the bot's number or equal to it."""

    below: int
    equal: int
    others: int

    @property
    def low(self) -> float:
        """The lowest rank that the bot's number may have, 0 to 1; its ties may stand above it."""
        return self.below / (self.others + 1)

    @property
    def high(self) -> float:
        """The highest rank that the bot's number may have, 0 to 1."""
        return (self.below + self.equal + 1) / (self.others + 1)


def rank_of(own: float, others: Sequence[float]) -> Rank:
    """Return the rank of `own` among `others`: how many are lower, how many are equal, how many there are."""
    return Rank(sum(other < own for other in others), sum(other == own for other in others), len(others))


def _lower(power: float, u: float) -> float:
    """The bet (see `Bet`) that ranks are low."""
    return float(u**power)


def _higher(power: float, u: float) -> float:
    """The bet that ranks are high."""
    return float(1.0 - (1.0 - u) ** power)


def _in_top(share: float, part: float, u: float) -> float:
    """The bet of TOPS that some ranks are very high."""
    return (1.0 - share) * u + share * max(0.0, 1.0 - (1.0 - u) / part)


HIGH: tuple[Bet, ...] = (
    *(partial(_higher, power) for power in POWERS),
    *(partial(_in_top, share, part) for share, part in TOPS),
)
"""Bets on high ranks."""
EITHER: tuple[Bet, ...] = tuple(partial(side, power) for power in POWERS for side in (_lower, _higher))
"""Bets on low and on high ranks."""


@lru_cache(maxsize=2**14)  # a bot's searches have the same few ranks again and again
def _log_densities(rank: Rank, bets: tuple[Bet, ...]) -> tuple[float, ...]:
    """Return the logarithm of each bet's mean density on the ranks that the bot's number may have."""
    width = rank.high - rank.low
    return tuple(math.log((bet(rank.high) - bet(rank.low)) / width) for bet in bets)


class RankEvidence:
    """Evidence from the ranks of one bot against "the ranks are uniform".

    It is the capital of `bets`. The memory does not grow with the number of ranks.
    """

    def __init__(self, bets: tuple[Bet, ...] = EITHER) -> None:
        self.count = 0
        self._bets = bets
        self._logs = [0.0] * len(bets)
        self._sum = 0.0

    def add(self, rank: Rank) -> None:
        """Add the rank at one position. A tie counts with the mean density of the ranks that it shares."""
        self.count += 1
        self._sum += (rank.low + rank.high) / 2.0
        for index, log_density in enumerate(_log_densities(rank, self._bets)):
            self._logs[index] += log_density

    @property
    def mean(self) -> float:
        """The mean rank: about ½ for a bot that conforms; ½ without ranks."""
        return self._sum / self.count if self.count else 0.5

    @property
    def log_e(self) -> float:
        """The logarithm of the e-process against "the ranks are uniform"."""
        return float(mix(np.array(self._logs)))

    @property
    def p_value(self) -> float:
        """P-value against "the ranks are uniform"; valid at any time."""
        return anytime_p(self.log_e)


def p_of_any(evidence: Iterable[RankEvidence]) -> float:
    """One p-value of several rank tests on the same positions, from the mean of their e-processes."""
    return anytime_p(float(mix(np.array([one.log_e for one in evidence]))))
