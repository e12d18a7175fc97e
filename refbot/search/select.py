"""The choice of the move among the candidates by their visits and wins, without and with faults."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults

Rates = npt.NDArray[np.float64]

UNSEEN = -1.0  # the merit of a candidate without visits: below every rate
LEAST_VISITS = 10  # of the fault best-ten-visits: fewer visits count as none
HUNDREDTH = 0.01  # of the fault best-within-hundredth: rates that differ by this or less are equal
LOSING = 0.1  # of the fault pass-when-losing: a best rate below this
CONFIDENCE_Z = 1.96  # of the fault best-lower-bound: standard deviations of a confidence of 95 %


def merits(visits: npt.NDArray[np.int64], wins: Rates, faults: frozenset[Fault]) -> Rates:
    """Return the merit of each candidate: wins per visit, or UNSEEN without visits. The highest is chosen.

    A fault changes the merit. Both arrays have one entry, or one column, for each candidate.
    """
    seen = visits > 0
    tried = np.maximum(visits, 1)
    rate = wins / tried
    if Faults.BEST_VISITS in faults:
        rate = visits.astype(np.float64)
    elif Faults.BEST_WINS in faults:
        rate = wins
    elif Faults.BEST_SMOOTHED in faults:
        rate = (wins + 1) / (visits + 2)
    elif Faults.BEST_LOWEST in faults:
        rate = 1 - rate
    elif Faults.BEST_LOWER_BOUND in faults:
        rate = wilson_lower(rate, tried)
    elif Faults.BEST_IN_PERCENT in faults:
        rate = np.floor(100 * rate)
    elif Faults.BEST_TEN_VISITS in faults:
        seen = visits >= LEAST_VISITS
    elif Faults.BEST_RANDOM in faults:
        rate = np.ones_like(rate)
    unseen = UNSEEN
    if Faults.UNSEEN_AS_WON in faults:
        unseen = 1.0
    elif Faults.UNSEEN_AS_EVEN in faults:
        unseen = 0.5
    return np.where(seen, rate, unseen)


def slack(faults: frozenset[Fault]) -> float:
    """Return the largest difference to the best merit with which a candidate still counts as equal to it."""
    return HUNDREDTH if Faults.BEST_WITHIN_HUNDREDTH in faults else 0.0


def wilson_lower(rate: Rates, visits: npt.NDArray[np.int64]) -> Rates:
    """Return the lower end of Wilson's score interval (1927), confidence 95 %; `visits` must be >= 1."""
    z = CONFIDENCE_Z
    middle = rate + z * z / (2 * visits)
    spread = z * np.sqrt(rate * (1 - rate) / visits + z * z / (4 * visits**2))
    return np.asarray((middle - spread) / (1 + z * z / visits), np.float64)


def chances(
    visits: npt.NDArray[np.int64], wins: Rates, *, after_pass: bool, faults: frozenset[Fault]
) -> Rates:
    """Return the probability that `choose` chooses each candidate, and in the last column that it passes.

    It passes only with a fault. Arrays have one row for each search and one column for each candidate; there
    is at least one candidate.
    `after_pass`: the move before was a pass; only the fault pass-after-pass reads it.
    """
    values = merits(visits, wins, faults)
    best = values.max(axis=1)
    equal = values >= best[:, None] - slack(faults)
    if Faults.TIES_FIRST in faults:
        equal &= np.cumsum(equal, axis=1) == 1
    if Faults.TIES_LAST in faults:
        equal &= np.cumsum(equal[:, ::-1], axis=1)[:, ::-1] == 1
    passes = np.full(len(visits), Faults.PASS_AFTER_PASS in faults and after_pass)
    if Faults.UNSEEN_PASSES in faults:
        passes |= ~visits.any(axis=1)
    if Faults.PASS_AT_ZERO in faults:
        passes |= ~wins.any(axis=1)
    if Faults.PASS_WHEN_LOSING in faults:
        passes |= (best > UNSEEN) & (best < LOSING)
    shares = np.where(passes[:, None], 0.0, equal / equal.sum(axis=1, keepdims=True))
    return np.column_stack([shares, passes])


def choose(
    candidates: npt.NDArray[np.int64],
    visits: npt.NDArray[np.int64],
    wins: Rates,
    *,
    after_pass: bool,
    faults: frozenset[Fault],
    rng: random.Random,
) -> int | None:
    """Return the candidate with the best rate, a random one among equals; None (a pass) without candidates.

    All arrays have one entry for each candidate. A candidate without visits is chosen only if none has
    visits. A fault may choose another candidate, or pass. `after_pass`: see `chances`.
    """
    if len(candidates) == 0:
        return None
    *shares, passes = chances(visits[None], wins[None], after_pass=after_pass, faults=faults)[0]
    return None if passes else int(rng.choice(candidates[np.array(shares) > 0]))
