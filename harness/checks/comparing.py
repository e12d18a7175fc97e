"""Several bots, no reference: the same searches by all, to be judged by `agreement`.

All bots make the same searches in the same order, in rounds, as many as the time allows. How many does not
depend on what they show, so that tests at a fixed number of searches hold.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from harness.checks.agreement import Comparison, Searched, judge
from harness.checks.bot import Bot, Facts, Interrupted, Refused, Unusable, meet
from harness.checks.model import Check, Judgement, Level, Outcome
from harness.checks.playouts import PlayoutCount, find_playouts
from harness.checks.probe import Probing, Series
from harness.checks.run import Assignment
from harness.checks.searching import Searching
from harness.oracle.expected import Expected

ROUND = 4
"""Searches that each bot makes at each probe before it is the next one's turn."""

MOST_SEARCHES = 96
"""Searches of each bot at each probe, at most."""

PATIENCE = 3
"""So often a bot may die or be silent before it is left alone."""


def compare(
    assignments: Sequence[Assignment],
    searches: int = MOST_SEARCHES,
    tell: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Search with all bots, test every pair. The probes are those of the assignments' checks.

    There are rounds until the time is up, or so many `searches` are made of each bot at each probe.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        runs = [_Run(stack.enter_context(Bot(a.launch, a.limits)), a) for a in assignments]
        for run in runs:
            tell(f"meeting {run.assignment.launch.command}")
            run.meet()
        deadline = began + assignments[0].seconds
        rounds = math.ceil(searches / ROUND)
        for number in range(rounds):
            tell(f"round {number + 1} of at most {rounds}")
            for run in runs:
                run.search()
            if time.monotonic() > deadline:
                break
        bots = tuple(run.searched() for run in runs)
    return judge(bots, time.monotonic() - began)


class _Run:
    """One bot in a comparison."""

    def __init__(self, bot: Bot, assignment: Assignment) -> None:
        self.bot = bot
        self.assignment = assignment
        self.facts: Facts | None = None
        self.count = PlayoutCount(None, "unknown")
        self.reason = ""
        self.searching: Searching | None = None

    def meet(self) -> None:
        """Say hello, find out the number of playouts."""
        try:
            self.facts = meet(self.bot)
        except Unusable as why:
            self.reason = why.reason
            return
        if not self.facts.wire_works:
            self.reason = "its answers cannot be read: see conform check"
            return
        try:
            self.count = find_playouts(self.bot, self.facts, self.assignment.playouts)
        except (Interrupted, Refused):
            self.count = PlayoutCount(None, "unknown", "it could not be led to a position")
        checks = _looked_at(self.assignment.checks, self.facts)
        self.searching = Searching(self.bot, self.facts, checks, self.count.playouts or 1, self.assignment)

    def search(self) -> None:
        """One round."""
        if self.searching is not None:
            self.searching.run(float("inf"), PATIENCE)

    def searched(self) -> Searched:
        """All that there is to judge."""
        name, version = (self.facts.name, self.facts.version) if self.facts else ("", "")
        command = self.assignment.launch.command
        if self.searching is None:
            return Searched(command, name, version, self.count, reason=self.reason)
        places = self.searching.places.values()
        playouts = self.searching.playouts
        series = [Series(place.probe, playouts, tuple(place.searches)) for place in places]
        return Searched(
            command,
            name,
            version,
            self.count,
            {s.probe.id: s for s in series if s.searches and not s.passed_unsearched},
            {p.probe.id: p.broken.observed for p in places if p.broken is not None},
        )


def _looked_at(checks: Sequence[Check], facts: Facts) -> list[Check]:
    """One check a probe, which searches there and leaves the judging to us."""
    found: dict[str, Check] = {}
    for check in checks:
        if isinstance(check.procedure, Probing) and all(map(facts.has, check.procedure.only_with)):
            probe, optional = check.procedure.probe, check.procedure.may_refuse_size
            procedure = Probing(probe, _no_judgement, ROUND, ROUND, may_refuse_size=optional)
            found[probe.id] = Check(probe.id, check.clause, Level.INFO, check.title, procedure)
    return list(found.values())


def _no_judgement(series: Series, expected: Expected) -> Judgement:
    return Judgement(Outcome.PASS)
