"""Several bots, no reference: the same searches by all, to be judged by `agreement`.

All bots make the same searches in the same order, in rounds, as many as the time allows. How many does not
depend on what they show, so that tests at a fixed number of searches hold.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotInterruptedError, CommandRefusedError, UnusableBotError
from harness.check.bot.profile import Profile, profile_of
from harness.check.model import Check, Judgement, Level, Outcome, Requirements
from harness.check.phases.playout_count import PlayoutCount, find_playouts
from harness.check.phases.search_planner import SearchPlanner
from harness.check.phases.settings import RunSettings
from harness.check.procedures.search import BotSearcher, SearchProcedure, Series
from harness.compare.agreement import Comparison, Searched, judge
from harness.oracle.expected import Expected

ROUND = 4
"""Searches that each bot makes at each probe before it is the next one's turn."""

MOST_SEARCHES = 96
"""Searches of each bot at each probe, at most."""

PATIENCE = 3
"""So often a bot may die or be silent before it is left alone."""


def compare(
    bots: Sequence[RunSettings],
    searches: int = MOST_SEARCHES,
    tell: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Search with all bots, test every pair. The probes are those of the bots' checks.

    There are rounds until the time is up, or so many `searches` are made of each bot at each probe.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        runs = [_Run(stack.enter_context(Bot(a.launch, a.limits)), a) for a in bots]
        for run in runs:
            tell(f"meeting {run.settings.launch.command}")
            run.meet()
        deadline = began + bots[0].effort.seconds
        rounds = math.ceil(searches / ROUND)
        for number in range(rounds):
            tell(f"round {number + 1} of at most {rounds}")
            for run in runs:
                run.search()
            if time.monotonic() > deadline:
                break
        searched = tuple(run.searched() for run in runs)
    return judge(searched, time.monotonic() - began)


class _Run:
    """One bot in a comparison."""

    def __init__(self, bot: Bot, settings: RunSettings) -> None:
        self.bot = bot
        self.settings = settings
        self.profile: Profile | None = None
        self.count = PlayoutCount(None, "unknown")
        self.reason = ""
        self.planner: SearchPlanner | None = None

    def meet(self) -> None:
        """Say hello, find out the number of playouts."""
        try:
            self.profile = profile_of(self.bot)
        except UnusableBotError as why:
            self.reason = why.reason
            return
        if not self.profile.answers_readable:
            self.reason = "its answers cannot be read: see conform check"
            return
        try:
            self.count = find_playouts(self.bot, self.profile, self.settings.playouts)
        except (BotInterruptedError, CommandRefusedError):
            self.count = PlayoutCount(None, "unknown", "it could not be led to a position")
        except UnusableBotError as why:
            self._stop(why)
            return
        checks = _searched_probes(self.settings.checks, self.profile)
        searcher = BotSearcher(self.bot, self.profile.commands)
        self.planner = SearchPlanner([searcher], checks, self.count.playouts or 1, seed=self.settings.seed)

    def search(self) -> None:
        """One round; none once the bot could not be started again."""
        if self.planner is None or self.reason:
            return
        try:
            self.planner.run(float("inf"), PATIENCE)
        except UnusableBotError as why:
            self._stop(why)

    def _stop(self, why: UnusableBotError) -> None:
        self.reason = f"it could not be started again: {why.reason}"

    def searched(self) -> Searched:
        """All that there is to judge."""
        name, version = (self.profile.name, self.profile.version) if self.profile else ("", "")
        command = self.settings.launch.command
        if self.planner is None:
            return Searched(command, name, version, self.count, reason=self.reason)
        states = self.planner.states.values()
        return Searched(
            command,
            name,
            version,
            self.count,
            {s.probe.id: s for s in self.planner.series() if not s.passed_unsearched},
            {p.probe.id: p.broken.observed for p in states if p.broken is not None},
            self.reason,
        )


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
