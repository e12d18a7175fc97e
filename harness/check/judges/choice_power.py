"""How a bot with a wrong rule of choice chooses, and after how many searches its choices show the rule.

A rule of choice selects the move of a search by its AMAF records (visits and wins of each candidate). The
right rule selects the highest ratio of wins to visits; a wrong one, for example, the most visits. The fewer
playouts a search has, the fewer choices a wrong rule changes, and the more searches it takes to show the
rule. So `plan_choices` gives each wrong rule, at a number of playouts, to the position where it shows at the
least cost, with as many searches as it needs there. A rule that needs too many everywhere is not tested, and
the report names it.
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
"""Number of simulated searches from which the shares of a bot are counted, and their seed; chosen: more
searches change no share by 0.01."""

DRAWN_WRONG = 1_500
"""Number of them from which the shares by a wrong rule are counted. Chosen for speed: these shares may be
rough, since they only make bets against a right bot; no bot is held to them."""

MOST_RECORDS = 200_000
"""Largest product of drawn searches and candidates; it takes a tenth of a second. Chosen.

DRAWN_WRONG searches are drawn in any case."""

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
"""Logarithm of the likelihood ratio that refuses a bot."""

POWER_Z = {False: 1.2816, True: 0.0}
"""Quantile of the power of a test, by whether the budget is quick: powers of 0.9 and one half; chosen."""

MOST = {False: 400, True: 200}
"""Most searches for one rule, by whether the budget is quick; chosen: they take a twentieth of a run."""


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
        """Return how often each candidate is chosen in the drawn searches; an empty `rule`: the right one."""
        return (DRAWN_WRONG * self.wrong[rule] if rule else self.drawn * self.right)[:-1]

    def searches_for(self, rule: str, z: float) -> float:
        """Estimate the searches after which choices by the rule are refused; infinite without it in `wrong`.

        The test bets on the log likelihood ratio of the wrong against the right rule (see docs/statistics.md,
        "Choice"). Half of the stake is on the wrong rules, in equal parts, which costs log(2 x rules) of
        evidence. The sum of n ratios is nearly Normal: n solves
        n x mean - z x deviation x sqrt(n) = evidence.

        z   quantile of the power: 0 for a power of one half
        """
        if rule not in self.wrong:
            return math.inf
        # A move that was never drawn still gets the share of a single search: no ratio is infinite.
        right, wrong = (shares + 1.0 / self.drawn for shares in (self.right, self.wrong[rule]))
        ratio = np.log(wrong / right)
        mean = float(wrong @ ratio)
        deviation = math.sqrt(max(0.0, float(wrong @ ratio**2) - mean**2))
        wanted = EVIDENCE + math.log(2.0 * len(self.wrong))
        root = (z * deviation + math.sqrt((z * deviation) ** 2 + 4.0 * mean * wanted)) / (2.0 * mean)
        return root**2


def shares_at(records: AmafRecords, playouts: int) -> Shares:
    """Draw searches of this number of playouts, and return the shares of the moves by each rule.

    Wrong rules that choose nearly as the right one does (see APART) are left out.
    """
    drawn = max(DRAWN_WRONG, min(DRAWN, MOST_RECORDS // records.credited.shape[1]))
    drawn_visits, wins = records.draw(playouts, drawn, DRAWING_SEED)
    visits = drawn_visits.astype(np.int64)

    def shares(searches: int, *wrong_rules: str) -> Floats:
        chosen = chances(visits[:searches], wins[:searches], after_pass=False, faults=checked(wrong_rules))
        return np.asarray(chosen.mean(axis=0))

    right = shares(DRAWN_WRONG)  # by the same searches as the wrong rules
    wrong = {rule: shares(DRAWN_WRONG, rule) for rule in RULES}
    apart = {rule: found for rule, found in wrong.items() if abs(found - right).sum() / 2.0 > APART}
    return Shares(shares(drawn), apart, drawn)


@dataclass(frozen=True)
class ChoicePlan:
    """The searches that test the wrong rules at one number of playouts.

    searches   by the name of a position: the least number of searches there
    untested   the rules that no position shows within the most searches
    """

    searches: Mapping[str, int]
    untested: tuple[str, ...]


def plan_choices(shares: Mapping[str, Shares], costs: Mapping[str, float], effort: Effort) -> ChoicePlan:
    """Give each rule to the position that shows it at the least cost.

    shares, costs   by the name of a position: the shares there, and the cost of a search
    """
    searches: dict[str, int] = {}
    untested = set()
    for rule in _hardest_first(shares.values()):
        needed = {name: at.searches_for(rule, POWER_Z[effort.quick]) for name, at in shares.items()}
        # By position: the cost of the searches beyond those of earlier rules, which serve this rule too.
        added = {
            name: (max(0, math.ceil(number) - searches.get(name, 0)) * costs[name], name)
            for name, number in needed.items()
            if number <= MOST[effort.quick]
        }
        if not added:
            untested.add(rule)
            continue
        best = min(added, key=added.__getitem__)
        searches[best] = max(math.ceil(needed[best]), searches.get(best, 0))
    return ChoicePlan(searches, tuple(rule for rule in RULES if rule in untested))


def _hardest_first(shares: Iterable[Shares]) -> list[str]:
    """Return the rules in the order of the searches that they need at their best position, most first.

    The searches of a hard rule then serve the easier rules at its position, too.
    """
    positions = list(shares)
    return sorted(RULES, key=lambda rule: -min(at.searches_for(rule, 0.0) for at in positions))
