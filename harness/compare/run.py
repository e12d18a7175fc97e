"""Several bots, no reference: the same searches by all, to be judged by `agreement`.

All bots make the same searches in the same order, in rounds, as many as the time allows. How many does not
depend on what they show, so that tests at a fixed number of searches hold.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import ExchangeError, UnusableBotError
from harness.check.bot.profile import Profile, profile_of
from harness.check.model import Check, Judgement, Level, Outcome, Requirements
from harness.check.phases.playout_count import PlayoutCount, find_playouts
from harness.check.phases.search_planner import SearchPlanner
from harness.check.phases.settings import RunSettings
from harness.check.procedures.search import BotSearcher, SearchProcedure, Series
from harness.compare.agreement import Comparison, Searched, judge
from harness.oracle.expected import Expected

ROUND = 4
"""Searches of each bot at each probe in a round; chosen: short rounds, so that all bots get on alike."""

MOST_SEARCHES = 96
"""Limit of the searches of each bot at each probe; chosen: enough to show all margins to be kept."""

PATIENCE = 3
"""Number of deaths and silences of a bot after which it is left alone; chosen: each costs a time limit."""


def compare(
    bots: Sequence[RunSettings],
    searches: int = MOST_SEARCHES,
    report: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Search with all bots, test every pair. The probes are those of the bots' checks.

    There are rounds until the time is up, or until each bot has made `searches` at each probe. `report` gets
    a line about the progress now and then.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        compared = [ComparedBot(stack.enter_context(Bot(a.launch, a.limits)), a) for a in bots]
        for one in compared:
            report(f"meeting {one.settings.launch.command}")
            one.meet()
        deadline = began + bots[0].effort.seconds
        rounds = math.ceil(searches / ROUND)
        for number in range(rounds):
            report(f"round {number + 1} of at most {rounds}")
            for one in compared:
                one.search()
            if time.monotonic() > deadline:
                break
        searched = [one.searched() for one in compared]
    return judge(searched, time.monotonic() - began)


class ComparedBot:
    """One bot in a comparison."""

    def __init__(self, bot: Bot, settings: RunSettings) -> None:
        self.bot = bot
        self.settings = settings
        self.planner: SearchPlanner | None = None
        self._met = Searched(settings.launch.command)  # without its searches

    def meet(self) -> None:
        """Ask the bot what it is, and find out the number of playouts."""
        try:
            profile = profile_of(self.bot)
        except UnusableBotError as why:
            self._met = replace(self._met, reason=why.reason)
            return
        self._met = replace(self._met, name=profile.name, version=profile.version)
        if not profile.answers_readable:
            self._met = replace(self._met, reason="its answers cannot be read: see conform check")
            return
        try:
            count = find_playouts(self.bot, profile, self.settings.playouts)
        except ExchangeError:
            count = PlayoutCount(None, "unknown", "it could not be led to a position")
        except UnusableBotError as why:
            self._stop(why)
            return
        self._met = replace(self._met, count=count)
        searcher = BotSearcher(self.bot, profile.commands)
        checks = _searched_probes(self.settings.checks, profile)
        self.planner = SearchPlanner([searcher], checks, count.playouts or 1, seed=self.settings.seed)

    def search(self) -> None:
        """Make one round of searches; none once the bot could not be started again."""
        if self.planner is None or self._met.reason:
            return
        try:
            self.planner.run(math.inf, PATIENCE)
        except UnusableBotError as why:
            self._stop(why)

    def _stop(self, why: UnusableBotError) -> None:
        self._met = replace(self._met, reason=f"it could not be started again: {why.reason}")

    def searched(self) -> Searched:
        """The bot with its searches."""
        if self.planner is None:
            return self._met
        series = {s.probe.id: s for s in self.planner.series() if not s.passed_unsearched}
        states = self.planner.states.values()
        refused = {state.probe.id: state.broken.observed for state in states if state.broken is not None}
        return replace(self._met, series=series, refused=refused)


def _searched_probes(checks: Sequence[Check], profile: Profile) -> list[Check]:
    """One check for each probe, which searches there and leaves the judging to us."""
    found: dict[str, Check] = {}
    for check in checks:
        plan = check.procedure.search_plan
        if plan is not None and all(map(profile.has, check.needs.optional_commands)):
            procedure = SearchProcedure(plan.probe, _no_judgement, ROUND, ROUND)
            requires = Requirements(optional_size=check.requires.optional_size)
            found[plan.probe.id] = Check(
                plan.probe.id, check.clause, Level.INFO, check.title, procedure, requires
            )
    return list(found.values())


def _no_judgement(series: Series, expected: Expected) -> Judgement:
    return Judgement(Outcome.PASS)
