"""Runs the searches of a comparison of several bots; `agreement` judges them.

All bots make the same searches in the same order, in rounds, until the time is up; a bot leaves out probes
whose commands it lacks. The number of rounds does not depend on the results: the tests assume a fixed number.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace

from harness.check.bot.bot import Bot
from harness.check.bot.errors import ExchangeError, UnusableBotError
from harness.check.bot.introduction import Introduction, introduction_of
from harness.check.model import Check, Judgement, Level, Outcome, Requirements
from harness.check.phases.playout_count import PlayoutCount, find_playouts
from harness.check.phases.search_planner import SearchPlanner
from harness.check.phases.settings import RunSettings
from harness.check.procedures.search import BotSearcher, SearchProcedure, Series
from harness.check.profile import Profile
from harness.compare.agreement import Comparison, SearchedBot, judge
from harness.oracle.expected import Expected

ROUND = 4
"""Searches of each bot at each probe in a round. Chosen: few, so that the time is shared evenly."""

MOST_SEARCHES = 96
"""Default limit of the searches of each bot at each probe. Chosen: enough to show that equal bots agree."""

PATIENCE = 3
"""Deaths and silences of a bot after which its round ends. Probes without a search by then are left out for
good. Chosen: each silence costs a time limit."""


def compare(
    bots: Sequence[RunSettings],
    searches: int = MOST_SEARCHES,
    report: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Search with all bots at the probes (positions) of their checks; compare every pair.

    Stop after the round in which the time of the first bot's settings is up, or in which each bot has made
    `searches` at each probe (rounded up to a multiple of ROUND). `report` gets lines about the progress.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        compared = [ComparedBot(stack.enter_context(Bot(one.launch, one.limits)), one) for one in bots]
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
        searched = [one.result() for one in compared]
    choices = bots[0].profile is not Profile.PLAYOUTS
    return judge(searched, time.monotonic() - began, choices=choices)


class ComparedBot:
    """One bot in a comparison: `meet` it once, `search` in rounds, then take its `result`."""

    def __init__(self, bot: Bot, settings: RunSettings) -> None:
        self.bot = bot
        self.settings = settings
        self.planner: SearchPlanner | None = None
        self._met = SearchedBot(settings.launch.command)  # the bot without its searches

    def meet(self) -> None:
        """Ask for the introduction of the bot, and find its number of playouts."""
        try:
            introduction = introduction_of(self.bot)
        except UnusableBotError as why:
            self._met = replace(self._met, reason=why.reason)
            return
        self._met = replace(self._met, name=introduction.name, version=introduction.version)
        if not introduction.answers_readable:
            self._met = replace(self._met, reason="its answers cannot be read: see conform check")
            return
        try:
            count = find_playouts(self.bot, introduction, self.settings.playouts)
        except ExchangeError:
            count = PlayoutCount(None, "unknown", "it could not be led to a position")
        except UnusableBotError as why:
            self._stop(why)
            return
        self._met = replace(self._met, count=count)
        searcher = BotSearcher(self.bot, introduction.commands)
        checks = _searched_probes(self.settings.checks, introduction)
        self.planner = SearchPlanner([searcher], checks, count.playouts or 1, seed=self.settings.seed)

    def search(self) -> None:
        """Make one round of searches, unless the bot cannot be run."""
        if self.planner is None or self._met.reason:
            return
        try:
            self.planner.run(math.inf, PATIENCE)
        except UnusableBotError as why:
            self._stop(why)

    def _stop(self, why: UnusableBotError) -> None:
        """Record that the bot could not be started again; it makes no more searches."""
        self._met = replace(self._met, reason=f"it could not be started again: {why.reason}")

    def result(self) -> SearchedBot:
        """Return the bot with its searches so far, and with the probes where a search failed.

        Without searches (None) if `meet` failed: the bot cannot be run, or its answers cannot be read.
        """
        if self.planner is None:
            return self._met
        series = {s.probe.id: s for s in self.planner.series() if not s.passed_unsearched}
        states = self.planner.states.values()
        refused = {state.probe.id: state.broken.observed for state in states if state.broken is not None}
        return replace(self._met, series=series, refused=refused)


def _searched_probes(checks: Sequence[Check], introduction: Introduction) -> list[Check]:
    """Make one check for each probe, which searches there and judges nothing."""
    found: dict[str, Check] = {}
    for check in checks:
        plan = check.procedure.search_plan
        if plan is not None and all(map(introduction.has, check.needs.optional_commands)):
            procedure = SearchProcedure(plan.probe, _no_judgement, ROUND, ROUND)
            requires = Requirements(optional_size=check.requires.optional_size)
            found[plan.probe.id] = Check(
                plan.probe.id, check.clause, Level.INFO, check.title, procedure, requires
            )
    return list(found.values())


def _no_judgement(series: Series, expected: Expected) -> Judgement:
    return Judgement(Outcome.PASS)
