"""How a bot with a wrong rule of choice chooses, and after how many searches its choices show the rule.

A rule of choice takes a move from the AMAF records of a search. The right rule takes the highest ratio of
wins to visits; a wrong one, for example, the most visits. With few playouts a wrong rule changes few choices:
a fixed number of searches would test less and less. So the plan for a number of playouts gives each wrong
rule to the position where it shows soonest, with as many searches as are needed there. A rule that needs too
many everywhere is not tested, and the report names it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.check.effort import Effort
from harness.check.judges.moments import REFUSED
from harness.oracle import AmafRecords
from refbot.deviations.faults import FAULTS, checked
from refbot.search.select import chances

Floats = npt.NDArray[np.float64]

DRAWN, DRAWING_SEED = 6_000, 1
"""Searches drawn for the shares of a bot, and their seed; chosen: more change no share by 0.01."""

DRAWN_WRONG = 1_500
"""How many of the drawn searches serve for the shares of wrong rules. Chosen for speed: these shares may be
rough, since they are only bets against a right bot, not the standard that it is held to."""

MOST_RECORDS = 200_000
"""Most drawn searches times candidates (but DRAWN_WRONG searches at least); chosen: a tenth of a second."""

RULES = tuple(
    name
    for name, fault in FAULTS.items()
    if fault.where == "selection" and fault.clause in ("best-rate", "unseen")
)
"""The wrong rules of choice: faults of `refbot`. (Ties need positions that are not turned.)"""

APART = 0.01
"""Least total variation between the choices by a wrong and by the right rule; chosen: below it, chance in the
drawn searches looks like a difference."""

EVIDENCE = -math.log(REFUSED)
"""Log evidence that refuses a bot."""

POWER_Z = {False: 1.2816, True: 0.0}
"""Quantile of the power of a test: 0.9, and one half under a quick budget; chosen."""

MOST = {False: 400, True: 200}
"""Most searches for one rule, and under a quick budget; chosen: they take a twentieth of a run."""


@dataclass(frozen=True)
class Shares:
    """How often each candidate is chosen, as a share of all choices; the last entry is the share of passes.

    right   shares of a bot that chooses as the clauses say
    wrong   shares of a bot that chooses by a wrong rule, by the name of the rule
    drawn   number of searches from which the shares of a right bot were counted
    """

    right: Floats
    wrong: Mapping[str, Floats]
    drawn: int

    def counts(self, rule: str = "") -> Floats:
        """How often each candidate is chosen in the drawn searches, by the right or by a wrong rule."""
        return (DRAWN_WRONG * self.wrong[rule] if rule else self.drawn * self.right)[:-1]

    def searches_for(self, rule: str, z: float) -> float:
        """Estimate the searches after which choices by the rule are refused; infinite if they never are.

        The test bets on the log likelihood ratio of the wrong against the right rule (see docs/statistics.md,
        "Choice"). Half of the stake is on the wrong rules, in equal parts, which costs log(2 x rules) of
        evidence. The sum of n ratios is nearly Normal: n solves
        n x mean - z x deviation x sqrt(n) = evidence.

        z   quantile of the power: 0 for a power of one half
        """
        if rule not in self.wrong:
            return math.inf
        right, wrong = (shares + 1.0 / self.drawn for shares in (self.right, self.wrong[rule]))
        ratio = np.log(wrong / right)
        mean = float(wrong @ ratio)
        deviation = math.sqrt(max(0.0, float(wrong @ ratio**2) - mean**2))
        wanted = EVIDENCE + math.log(2.0 * len(self.wrong))
        root = (z * deviation + math.sqrt((z * deviation) ** 2 + 4.0 * mean * wanted)) / (2.0 * mean)
        return root**2


def shares_at(records: AmafRecords, playouts: int) -> Shares:
    """Draw searches of this number of playouts, and return the shares of the moves by each rule."""
    drawn = max(DRAWN_WRONG, min(DRAWN, MOST_RECORDS // records.credited.shape[1]))
    visits, wins = records.draw(playouts, drawn, DRAWING_SEED)
    tried = visits.astype(np.int64)

    def by(searches: int, *rules: str) -> Floats:
        chosen = chances(tried[:searches], wins[:searches], after_pass=False, faults=checked(rules))
        return np.asarray(chosen.mean(axis=0))

    right = by(DRAWN_WRONG)
    wrong = {rule: by(DRAWN_WRONG, rule) for rule in RULES}
    apart = {rule: shares for rule, shares in wrong.items() if abs(shares - right).sum() / 2.0 > APART}
    return Shares(by(drawn), apart, drawn)


@dataclass(frozen=True)
class ChoicePlan:
    """The searches that test the wrong rules at one number of playouts.

    searches   by the name of a position: the least number of searches there
    untested   the rules that no position shows within the most searches
    """

    searches: Mapping[str, int]
    untested: tuple[str, ...]


def plan_choices(shares: Mapping[str, Shares], costs: Mapping[str, float], effort: Effort) -> ChoicePlan:
    """Give each rule to the position that shows it at the least cost. `costs`: of a search, by position."""
    searches: dict[str, int] = {}
    untested = []
    for rule in _hardest_first(shares.values()):
        needed = {name: at.searches_for(rule, POWER_Z[effort.quick]) for name, at in shares.items()}
        able = {name: math.ceil(n) for name, n in needed.items() if n <= MOST[effort.quick]}
        if not able:
            untested.append(rule)
            continue

        def added(name: str, able: Mapping[str, int] = able) -> float:
            return max(0, able[name] - searches.get(name, 0)) * costs[name]

        best = min(able, key=lambda name: (added(name), name))
        searches[best] = max(able[best], searches.get(best, 0))
    return ChoicePlan(searches, tuple(rule for rule in RULES if rule in untested))


def _hardest_first(shares: Iterable[Shares]) -> list[str]:
    """Return the rules in the order of the searches that they need at their best position, most first.

    The searches of a hard rule then serve the easier rules at its position, too.
    """
    known = list(shares)
    return sorted(RULES, key=lambda rule: -min(at.searches_for(rule, 0.0) for at in known))
