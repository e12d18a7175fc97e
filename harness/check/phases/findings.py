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
"""Chance of refusing a bot that conforms, over a whole run of checks; chosen, see docs/statistics.md."""


@dataclass(frozen=True)
class Findings:
    """The results for one bot, in the order of the checks, and the searches behind them."""

    command: str
    name: str = ""
    version: str = ""
    count: PlayoutCount = field(default_factory=lambda: PlayoutCount(None, "unknown"))
    results: tuple[Result, ...] = ()
    series: tuple[Series, ...] = ()  # the searches, one series for each probe
    budget: Budget = field(default_factory=lambda: holm({}, ALPHA))
    unusable: str = ""  # why the bot could not be checked at all
    hint: str = ""
    seconds: float = 0.0
    searches: int = 0
    long_search: float = 0.0  # seconds of the longest search but one
    usual_search: float = 0.0  # seconds of the median search
    instances: int = 1
    busy: bool = False  # at some silence of the bot other processes took the cores
    interrupted: bool = False  # by the user, before the run was complete
    commands: frozenset[str] | None = None  # commands of the bot; None if not known
    profile: Profile = Profile.REFERENCE  # what it was checked against
    profile_named: bool = True  # the user named the profile; False: by the commands of the bot
    rules: PlayRules = REFERENCE_RULES  # that it plays by
    lacking: frozenset[str] = frozenset()  # required commands that it always refused or never answered
    mute: frozenset[str] = frozenset()  # commands that it never answered, while it answered others after them

    def without(self, explained: Collection[str]) -> Findings:
        """Return the findings without some failures, by the ids of their checks, and their searches."""
        results = tuple(r for r in self.results if r.check.id not in explained)
        plans = [r.check.procedure.search_plan for r in self.results if r.check.id in explained]
        probes = {plan.probe.id for plan in plans if plan is not None}
        if not any(r.refuses and r.check.procedure.search_plan is not None for r in results):
            return replace(self, results=results, series=())  # no failure of a search is left
        return replace(
            self, results=results, series=tuple(one for one in self.series if one.probe.id not in probes)
        )
