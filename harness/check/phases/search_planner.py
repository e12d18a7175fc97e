"""Planner of the searches of all checks: it searches first where the fewest playouts decide a check.

All checks of one probe (a position to search) share its searches. The planner works in rounds. A round is a
list of searches that depends only on the results of earlier rounds, never on the clock or on the number of
instances (processes of the bot), so that a run can be repeated. The instances share the searches of a round.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.check.bot.errors import BotInterruptedError, CommandRefusedError, ExchangeError
from harness.check.effort import STANDARD, Effort
from harness.check.model import OUT_OF_TIME, REFUSING, Check, Judgement, Outcome, Sightings
from harness.check.phases.events import SearchesMade
from harness.check.phases.findings import ALPHA
from harness.check.procedures.dialogue import judge_error
from harness.check.procedures.instances import NO_EARLIER_LINES, Task, TaskResult, search_into
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import (
    EarlierLines,
    Searcher,
    SearchProcedure,
    SearchRecord,
    Series,
    search_cost,
    turn_of,
)
from harness.gtp import Exchange
from harness.stats import Budget, holm

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


@dataclass
class ProbeState:
    """One probe in a run: its checks and its searches."""

    probe: Probe
    cost: float  # of one search, in moves of playouts
    checks: list[Check] = field(default_factory=list)
    searches: list[SearchRecord] = field(default_factory=list)
    broken: Judgement | None = None  # judgement of all its checks, once a search got no usable answer
    last_record: tuple[Exchange, ...] = ()  # the exchanges of the last search
    earlier: list[EarlierLines] = field(default_factory=list)  # by search: the lines before it
    earlier_broken: EarlierLines = NO_EARLIER_LINES  # the lines before the search that failed

    @property
    def may_refuse_size(self) -> bool:
        """True if the bot may refuse the size of the board."""
        return all(check.needs.optional_size for check in self.checks)


class SearchPlanner:
    """Plans, makes and judges the searches of one bot."""

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
        self.searchers = searchers
        self.checks = checks
        self.playouts = playouts
        self.effort = effort
        self.seed = seed
        self.reserved = dict(reserved or {})
        self.states: dict[str, ProbeState] = {}
        for check in checks:
            probe = plan_of(check).probe
            state = self.states.setdefault(probe.id, ProbeState(probe, search_cost(probe, playouts)))
            state.checks.append(check)
        self._judged: dict[str, tuple[int, Judgement]] = {}
        self._decided_before: dict[str, Judgement] = {}
        self._failures = 0
        self._spent_cost = 0.0
        self._spent_seconds = 0.0

    # --- searching -----------------------------------------------------------------------------------------

    def run(self, deadline: float, most_failures: int) -> None:
        """Search until every check is decided, the time is up, or the bot failed too often."""
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

    def refine(self, margin_factor: float) -> None:
        """Ask for narrower margins from here on; decided checks stay decided."""
        self._decided_before = {check.id: self._judge(check) for check in self.checks}
        self.effort = replace(self.effort, margin_factor=margin_factor)
        self._judged.clear()

    def more_rounds(self, deadline: float, most_failures: int) -> Iterator[None]:
        """Search as `rounds` does, but without its first rounds; yield after each round."""
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

    def _state(self, check: Check) -> ProbeState:
        return self.states[plan_of(check).probe.id]

    # --- judging -------------------------------------------------------------------------------------------

    def budget(self) -> Budget:
        """Split the chance of refusing a right bot over the checks (Holm). The budget names the refused."""
        p_values = dict(self.reserved)
        for check in self.checks:
            p_value = self._judge(check).p_value
            if p_value is not None:
                p_values[check.id] = p_value
        return holm(p_values, ALPHA)

    def final_judgement(self, check: Check, budget: Budget) -> Judgement:
        """Return the final judgement of a check: a failure if the error budget refuses it.

        A check that narrower margins left undecided keeps the judgement by the wider ones (see `refine`).
        """
        judgement = self._judge(check)
        if check.id in budget.refused:
            return judgement.with_outcome(Outcome.FAIL)
        before = self._decided_before.get(check.id)
        return before if judgement.outcome is Outcome.INCONCLUSIVE and before is not None else judgement

    def failing(self) -> list[tuple[Check, Judgement]]:
        """Return the checks that failed without statistics, with their judgements, in their order.

        A failure that another check reports is left out.
        """
        judged = ((check, self._judge(check)) for check in self.checks)
        return [
            (check, judgement)
            for check, judgement in judged
            if judgement.outcome in REFUSING and not judgement.reported_by
        ]

    def refused(self) -> list[tuple[Check, Judgement]]:
        """Return the checks that the error budget refuses by now, with their judgements, now failures."""
        budget = self.budget()
        refused = (check for check in self.checks if check.id in budget.refused)
        return [(check, self.final_judgement(check, budget)) for check in refused]

    def lines_before(self, check: Check) -> tuple[bytes, ...]:
        """Return the lines that a process got before the search that shows the failure of a check.

        It is the search that got no answer; else the first one by which the check fails if it is judged by
        this search alone; else the first search of all.
        """
        state = self._state(check)
        if state.broken is not None:
            return state.earlier_broken.lines
        failures = self._failures_by_search(check)
        failed = (earlier for earlier, fails in zip(state.earlier, failures, strict=True) if fails)
        return next(failed, state.earlier[0] if state.earlier else NO_EARLIER_LINES).lines

    def failing_turn(self, check: Check) -> int:
        """Return the symmetry of the first search that alone fails a check; 0 if all searches do, or none."""
        failures = self._failures_by_search(check)
        turns = [one.turn for one, fails in zip(self._state(check).searches, failures, strict=True) if fails]
        return 0 if all(failures) or not turns else turns[0]

    def sightings(self, check: Check) -> Sightings:
        """Return how many searches alone fail a check, of those at its probe."""
        failures = self._failures_by_search(check)
        return Sightings(sum(failures), len(failures))

    def _failures_by_search(self, check: Check) -> list[bool]:
        """Return for each search at the probe of a check whether the check fails by this search alone."""
        whole = self._series(self._state(check))
        return [
            check.procedure.judge(replace(whole, searches=(search,))).outcome in REFUSING
            for search in whole.searches
        ]

    def series(self) -> tuple[Series, ...]:
        """Return the searches made so far, a series for each probe."""
        return tuple(self._series(state) for state in self.states.values() if state.searches)

    def progress(self) -> SearchesMade:
        """Return the numbers of searches and decided checks, and an estimate of the remaining seconds.

        The estimate divides the cost of the missing searches by the measured speed.
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

    def _series(self, state: ProbeState) -> Series:
        return Series(state.probe, self.playouts, tuple(state.searches), self.effort)

    def _judge(self, check: Check) -> Judgement:
        """Judge a check by the searches so far; judge anew only after more searches."""
        state = self._state(check)
        if state.broken is not None:
            return state.broken
        made = len(state.searches)
        if not made:
            return OUT_OF_TIME
        known = self._judged.get(check.id)
        if known is None or known[0] != made:
            known = (made, check.procedure.judge(self._series(state)))
            self._judged[check.id] = known
        return known[1]


def _is_suspicious(judgement: Judgement) -> bool:
    return judgement.p_value is not None and judgement.p_value < SUSPICIOUS


def plan_of(check: Check) -> SearchProcedure:
    """Return the procedure of a check that searches."""
    assert isinstance(check.procedure, SearchProcedure), "only checks with searches are planned"
    return check.procedure
