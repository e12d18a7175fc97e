"""The findings of a run about one bot: results, searches and measured times."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from harness.check.model import Result
from harness.check.phases.playout_count import PlayoutCount
from harness.check.play_rules import REFERENCE_RULES, PlayRules
from harness.check.procedures.search import Series
from harness.check.profile import Profile
from harness.stats import Budget, holm

ALPHA = 0.001
"""Largest chance of refusing a right bot, over a whole run of checks; chosen, see docs/statistics.md."""


@dataclass(frozen=True)
class Findings:
    """The results for one bot, in the order of the checks, and the searches behind them.

    command       the command line that starts the bot; `name` and `version`: its answers about itself
    count         the number of playouts per search, as far as it is known
    series        the searches, one series for each probe
    budget        how the error budget was split over the statistical checks
    unusable      why the bot could not be checked at all, with a `hint`; empty if it could
    seconds       duration of the run
    searches      number of searches made in the phase of searches
    long_search   seconds of the longest search but one; `usual_search`: of the median search
    instances     number of processes of the bot that searched side by side
    busy          at some silence of the bot, other processes took the cores
    interrupted   the user ended the run before it was complete
    commands      commands of the bot; None if not known
    profile       what the bot was checked as; `profile_named`: the user named the profile
    rules         the rules that the bot plays by
    lacking       required commands that the bot always refused or never answered
    mute          commands that it never answered, while it answered others after them
    """

    command: str
    name: str = ""
    version: str = ""
    count: PlayoutCount = field(default_factory=lambda: PlayoutCount(None, "unknown"))
    results: tuple[Result, ...] = ()
    series: tuple[Series, ...] = ()
    budget: Budget = field(default_factory=lambda: holm({}, ALPHA))
    unusable: str = ""
    hint: str = ""
    seconds: float = 0.0
    searches: int = 0
    long_search: float = 0.0
    usual_search: float = 0.0
    instances: int = 1
    busy: bool = False
    interrupted: bool = False
    commands: frozenset[str] | None = None
    profile: Profile = Profile.REFERENCE
    profile_named: bool = True
    rules: PlayRules = REFERENCE_RULES
    lacking: frozenset[str] = frozenset()
    mute: frozenset[str] = frozenset()

    def without(self, explained: Collection[str]) -> Findings:
        """Return the findings without the results and searches of the checks `explained`, by id.

        Return no searches at all if no check that searches fails among the others.
        """
        results = tuple(r for r in self.results if r.check.id not in explained)
        plans = [r.check.procedure.search_plan for r in self.results if r.check.id in explained]
        probes = {plan.probe.id for plan in plans if plan is not None}
        if not any(r.refuses and r.check.procedure.search_plan is not None for r in results):
            return replace(self, results=results, series=())
        return replace(
            self, results=results, series=tuple(one for one in self.series if one.probe.id not in probes)
        )
