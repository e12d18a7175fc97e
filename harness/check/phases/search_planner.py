"""Planner of the searches of all checks: it searches first where a decision costs the least.

The cost of a search is the number of moves of its playouts, and that of its set-up (see `search_cost`).

All checks of one probe (a position to search) share its searches. The planner works in rounds. A round is a
list of searches that depends only on the results of earlier rounds, never on the clock or on the number of
instances (processes of the bot), so that a run can be repeated. The instances share the searches of a round.
A probe is broken, and not searched again, once a search there got no usable answer.
`harness.check.phases.searches` runs the planner; the judgements by its searches are in `judged_searches`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from harness.check.bot.errors import BotInterruptedError, CommandRefusedError, ExchangeError
from harness.check.effort import STANDARD, Effort
from harness.check.model import Check, Judgement, Outcome
from harness.check.phases.events import SearchesMade
from harness.check.phases.judged_searches import JudgedSearches, ProbeState, plan_of
from harness.check.procedures.failures import judge_error
from harness.check.procedures.instances import Task, TaskResult, search_into
from harness.check.procedures.search import (
    Searcher,
    SearchRecord,
    turn_of,
)

GROWTH = 0.3
"""Searches that a round adds to an undecided probe, as a fraction of those made there; chosen.

A larger fraction makes searches that nothing needs; a smaller one judges more often.
"""

ROUND = 12
"""Number of searches at which a round is full; chosen: each of 8 instances gets at least one."""

PLAYOUTS_OF_MOST = 1_000
"""Playouts per search for which `SearchProcedure.most` is meant. A bot with fewer may make more searches."""

SUSPICIOUS = 0.02
"""A check that passes with a smaller p-value than this gets more searches. Chosen: at most one check in fifty
of a right bot has such a value. The p-values hold at any number of searches: docs/statistics.md, "Choice"."""

MOST_FOR_CAUSE = 1_000_000.0
"""Most moves of playouts that a quick run adds at one wrong choice, to find its cause. Chosen: a fast bot
needs less than a second for them."""

MOST_TIMES = 100.0
"""Largest factor on `most` for a bot with few playouts; chosen: beyond it, set-ups take most of the time."""


class SearchPlanner(JudgedSearches):
    """Plans and makes the searches of one bot."""

    def __init__(
        self,
        searchers: Sequence[Searcher],
        checks: Sequence[Check],
        playouts: int,
        effort: Effort = STANDARD,
        seed: int = 1,
        reserved: Mapping[str, float] | None = None,
    ) -> None:
        """Make a planner for these checks.

        searchers   one for each instance
        playouts    per search; 0 if not known
        reserved    p-values of checks of later phases, by id: the error budget keeps a share for them
        """
        super().__init__(checks, playouts, effort, reserved)
        self.searchers = searchers
        self.seed = seed
        self._failures = 0
        self._spent_cost = 0.0
        self._spent_seconds = 0.0

    def run(self, deadline: float, most_failures: int) -> None:
        """Search until no check needs more, the time is up, or the bot failed too often."""
        for _ in self.rounds(deadline, most_failures):
            pass

    def rounds(self, deadline: float, most_failures: int) -> Iterator[None]:
        """Search as `run` does; yield after each round.

        deadline       by the monotonic clock, in seconds
        most_failures  deaths and silences of the bot after which the planner gives up
        """
        self._failures = 0
        for tasks in self._first_rounds():
            if self._failures >= most_failures:
                self._give_up()
                return
            if time.monotonic() > deadline:
                return
            self._make(tasks, deadline)
            yield
        yield from self.more_rounds(deadline, most_failures)

    def more_rounds(self, deadline: float, most_failures: int) -> Iterator[None]:
        """Search as `rounds` does after its first rounds. Failures count from the start of `rounds`."""
        while self._failures < most_failures and time.monotonic() < deadline:
            tasks = self._next_round()
            if not tasks:
                return
            self._make(tasks, deadline)
            yield

    def _first_rounds(self) -> Iterator[list[Task]]:
        """Yield rounds with the least number of searches at every probe, the cheapest probes first."""
        tasks: list[Task] = []
        for state in sorted(self.states.values(), key=lambda state: self._least(state) * state.cost):
            tasks += self._tasks(state, self._least(state))
            while len(tasks) >= ROUND:
                yield tasks[:ROUND]
                tasks = tasks[ROUND:]
        if tasks:
            yield tasks

    def _next_round(self) -> list[Task]:
        """Return searches for undecided checks, the cheapest to decide first; empty if all are decided."""
        tasks: list[Task] = []
        for state in self._wanted():
            tasks += self._tasks(state, max(1, int(len(state.searches) * GROWTH)))
            if len(tasks) >= ROUND:
                break
        return tasks

    def _tasks(self, state: ProbeState, searches: int) -> list[Task]:
        numbers = range(len(state.searches), len(state.searches) + searches)
        return [Task(state.probe, turn_of(n, self.seed, state.probe), state.cost) for n in numbers]

    def _make(self, tasks: Sequence[Task], deadline: float) -> None:
        """Make the searches of a round and record their results, in the order of the tasks.

        An error or an interrupt leaves the results until then recorded.
        """
        able = [task for task in tasks if self.states[task.probe.id].broken is None]
        results: list[TaskResult | None] = [None] * len(able)
        began = time.monotonic()
        try:
            search_into(results, able, self.searchers, deadline)
        finally:
            for task, tried in zip(able, results, strict=True):
                if tried is not None:
                    self._note(self.states[task.probe.id], tried)
                    self._spent_cost += task.cost
            self._spent_seconds += time.monotonic() - began

    def _note(self, state: ProbeState, tried: TaskResult) -> None:
        """Record the result of one search at its probe."""
        state.last_record = tried.record
        if isinstance(tried.result, SearchRecord):
            state.searches.append(tried.result)
            state.earlier.append(tried.earlier)
        elif state.broken is None:
            state.earlier_broken = tried.earlier
            state.broken = self._judge_failure(state, tried.result)

    def _judge_failure(self, state: ProbeState, error: ExchangeError) -> Judgement:
        """Return the judgement of all checks of a probe at which a search got no usable answer."""
        self._failures += isinstance(error, BotInterruptedError)
        refused = isinstance(error, CommandRefusedError) and error.exchange.sent.startswith(b"boardsize")
        if refused and state.may_refuse_size:
            return Judgement(Outcome.SKIP, observed="the bot does not play on this size")
        return judge_error(error)

    def _give_up(self) -> None:
        """Skip the checks of the probes without a search."""
        reason = f"the bot died or was silent in {self._failures} searches before"
        for state in self.states.values():
            if not state.searches and state.broken is None:
                state.broken = Judgement(Outcome.SKIP, observed=reason)

    def _least(self, state: ProbeState) -> int:
        """Return the least number of searches at a probe: the largest of its checks."""
        return max(plan_of(check).least_under(self.effort, self.playouts) for check in state.checks)

    def _wanted(self) -> list[ProbeState]:
        """Return the states with undecided checks, the cheapest to decide first."""
        costs: dict[str, float] = {}
        for check in self._open_checks():
            state = self.states[plan_of(check).probe.id]
            cost = self._missing_searches(check) * state.cost
            costs[state.probe.id] = min(cost, costs.get(state.probe.id, cost))
        return [self.states[name] for name in sorted(costs, key=lambda name: (costs[name], name))]

    def _missing_searches(self, check: Check) -> float:
        """Estimate how many more searches decide a check."""
        return (self._judge(check).playouts_needed or 0.0) / max(1, self.playouts) + 1.0

    def _open_checks(self) -> list[Check]:
        """Return the checks that may have more searches, and need them."""
        refused = set(self.budget().refused)
        return [
            check
            for check in self.checks
            if self._state(check).broken is None and self._needs_more(check, refused=check.id in refused)
        ]

    def _needs_more(self, check: Check, *, refused: bool) -> bool:
        """Return True if a check is undecided, passes with a suspicious p-value, or lacks its cause.

        False if it has as many searches as it may have.

        refused   by the error budget
        """
        judgement = self._judge(check)
        if refused or judgement.outcome is Outcome.FAIL:
            return self._seeks_cause(check)
        most = plan_of(check).most * min(max(1.0, PLAYOUTS_OF_MOST / max(1, self.playouts)), MOST_TIMES)
        if judgement.outcome is Outcome.INCONCLUSIVE:
            # The number of searches that a margin takes falls with its square.
            most /= self.effort.margin_factor**2
        elif judgement.outcome is not Outcome.PASS or not _is_suspicious(judgement):
            return False
        return len(self._state(check).searches) < most

    def _seeks_cause(self, check: Check) -> bool:
        """Return True if a quick run has few searches at a wrong choice: more of them show its rule."""
        plan, made = plan_of(check), len(self._state(check).searches)
        wanted = plan.least_under(STANDARD, self.playouts)
        cheap = (wanted - made) * self._state(check).cost <= MOST_FOR_CAUSE
        return self.effort.quick and plan.choices is not None and made < wanted and cheap

    def progress(self) -> SearchesMade:
        """Return the numbers of searches and decided checks, and an estimate of the remaining seconds.

        The estimate divides the cost of the missing searches by the measured speed; None before a search.
        """
        unsearched = [p for p in self.states.values() if not p.searches and p.broken is None]
        missing = {state.probe.id: self._least(state) * state.cost for state in unsearched}
        open_checks = self._open_checks()
        for check in open_checks:
            state = self._state(check)
            needed = self._missing_searches(check) * state.cost
            missing[state.probe.id] = max(needed, missing.get(state.probe.id, 0.0))
        speed = self._spent_cost / self._spent_seconds if self._spent_seconds else 0.0
        left = sum(missing.values()) / speed if speed else None
        searches = sum(len(state.searches) for state in self.states.values())
        return SearchesMade(searches, len(self.checks) - len(open_checks), left)


def _is_suspicious(judgement: Judgement) -> bool:
    return judgement.p_value is not None and judgement.p_value < SUSPICIOUS
