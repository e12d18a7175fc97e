"""The searches of a run at all probes (positions to search), and the judgements of the checks by them.

All checks of one probe share its searches. `harness.check.phases.search_planner` makes the searches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.check.effort import STANDARD, Effort
from harness.check.model import OUT_OF_TIME, REFUSING, Check, Judgement, Outcome, Sightings
from harness.check.phases.findings import ALPHA
from harness.check.procedures.instances import NO_EARLIER_LINES
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import EarlierLines, SearchProcedure, SearchRecord, Series, search_cost
from harness.gtp import Exchange
from harness.stats import Budget, holm


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


class JudgedSearches:
    """The searches of one bot, and the judgements by them."""

    def __init__(
        self,
        checks: Sequence[Check],
        playouts: int,
        effort: Effort = STANDARD,
        reserved: Mapping[str, float] | None = None,
    ) -> None:
        """Begin without searches.

        playouts   per search; 0 if not known
        reserved   p-values of checks of later phases, by id: the error budget keeps a share for them
        """
        self.checks = checks
        self.playouts = playouts
        self.effort = effort
        self.reserved = dict(reserved or {})
        self.states: dict[str, ProbeState] = {}
        for check in checks:
            probe = plan_of(check).probe
            state = self.states.setdefault(probe.id, ProbeState(probe, search_cost(probe, playouts)))
            state.checks.append(check)
        self._judged: dict[str, tuple[int, Judgement]] = {}  # by check: number of searches, judgement by them
        self._decided_before: dict[str, Judgement] = {}

    def refine(self, margin_factor: float) -> None:
        """Ask for narrower margins from here on.

        A check that the narrower margins leave undecided keeps its judgement by the wider ones.
        """
        self._decided_before = {check.id: self._judge(check) for check in self.checks}
        self.effort = replace(self.effort, margin_factor=margin_factor)
        self._judged.clear()

    def budget(self) -> Budget:
        """Split the chance of refusing a right bot over the checks (Holm). The budget names the refused."""
        p_values = dict(self.reserved)
        for check in self.checks:
            p_value = self._judge(check).p_value
            if p_value is not None:
                p_values[check.id] = p_value
        return holm(p_values, ALPHA)

    def final_judgement(self, check: Check, budget: Budget) -> Judgement:
        """Return the final judgement of a check: a failure if the error budget refuses it (see `refine`)."""
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
        """Return in how many of the searches at the probe of a check the search alone fails it."""
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

    def _state(self, check: Check) -> ProbeState:
        return self.states[plan_of(check).probe.id]


def plan_of(check: Check) -> SearchProcedure:
    """Return the procedure of a check, which must be one that searches."""
    assert isinstance(check.procedure, SearchProcedure), "only checks with searches are planned"
    return check.procedure
