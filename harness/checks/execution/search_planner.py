"""The searches of all checks: made where they decide most, shared by the checks of one probe."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.checks.bot.errors import BotInterruptedError, CommandRefusedError, UnreadableAnswerError
from harness.checks.bot.wording import answer_text, sent_text
from harness.checks.execution.findings import ALPHA
from harness.checks.model import Check, Judgement, Outcome, SearchPlan
from harness.checks.procedures.dialogue import judge_interruption
from harness.checks.procedures.probe import Probe
from harness.checks.procedures.search import Searcher, SearchRecord, Series, turn_of
from harness.gtp import Exchange
from harness.stats import Budget, holm

GROWTH = 0.3
"""Each visit to a probe adds this fraction of the searches already made there."""


@dataclass
class Place:
    """One probe: the checks that look at it, the searches made, and what ended them early."""

    probe: Probe
    checks: list[Check] = field(default_factory=list)
    searches: list[SearchRecord] = field(default_factory=list)
    broken: Judgement | None = None
    seconds: float = 0.0  # spent there, set-ups included
    last_record: tuple[Exchange, ...] = ()  # the exchanges of the last search

    @property
    def may_refuse_size(self) -> bool:
        """Whether the bot may refuse the size of the board."""
        return all(check.requires.optional_size for check in self.checks)

    @property
    def seconds_per_search(self) -> float:
        """Time of a search with its set-up; 0 before the first."""
        return self.seconds / max(1, len(self.searches))


@dataclass(frozen=True)
class PlanSettings:
    """What the planner must know of a run; the fields are those of `Assignment` and `Session`."""

    playouts: int
    margin_factor: float = 1.0
    quick: bool = False
    seed: int = 1


class SearchPlanner:
    """Plans, makes and judges the searches of one bot."""

    def __init__(
        self,
        searcher: Searcher,
        checks: Sequence[Check],
        settings: PlanSettings,
        reserved: Mapping[str, float] | None = None,
    ) -> None:
        """`reserved`: p-values of checks that are judged elsewhere and share the error budget."""
        self.searcher = searcher
        self.checks = checks
        self.settings = settings
        self.reserved = dict(reserved or {})
        self.places: dict[str, Place] = {}
        for check in checks:
            probe = plan_of(check).probe
            self.places.setdefault(probe.id, Place(probe)).checks.append(check)
        self._judged: dict[str, tuple[int, Judgement]] = {}

    def run(self, deadline: float, most_failures: int) -> None:
        """Search until every check is decided, the time is up, or the bot failed too often.

        deadline       by the monotonic clock, in seconds
        most_failures  how often the bot may die or be silent before the planner gives up
        """
        left = most_failures
        for place in sorted(self.places.values(), key=self._least):
            if left <= 0:
                place.broken = Judgement(Outcome.SKIP, observed="the bot died or was silent too often before")
            else:  # past the deadline, one search is still made: it may be proof
                left -= self._visit(place, self._least(place), deadline)
        while left > 0 and time.monotonic() < deadline:
            next_place = self._most_wanted()
            if next_place is None:
                return
            more = max(1, int(len(next_place.searches) * GROWTH))
            left -= self._visit(next_place, more, deadline)

    def budget(self) -> Budget:
        """How the chance of refusing a right bot is split over the checks, and what is refused."""
        p_values = dict(self.reserved)
        for check in self.checks:
            p_value = self._judge(check).p_value
            if p_value is not None:
                p_values[check.id] = p_value
        return holm(p_values, ALPHA)

    def final(self, check: Check, budget: Budget) -> Judgement:
        """The last word on a check: its own judgement, unless the error budget refuses it."""
        judgement = self._judge(check)
        return judgement.with_outcome(Outcome.FAIL) if check.id in budget.refused else judgement

    def series(self) -> tuple[Series, ...]:
        """The searches made so far, by probe."""
        return tuple(self._series(place) for place in self.places.values() if place.searches)

    def _series(self, place: Place) -> Series:
        settings = self.settings
        searches = tuple(place.searches)
        return Series(place.probe, settings.playouts, searches, settings.margin_factor, settings.quick)

    def _least(self, place: Place) -> int:
        """Searches that are made at a place in any case."""
        plans = [plan_of(check) for check in place.checks]
        quick = self.settings.quick
        return max(
            plan.least_quick if quick and plan.least_quick is not None else plan.least for plan in plans
        )

    def _most_wanted(self) -> Place | None:
        """The place of the undecided check that is cheapest to decide; None if all are decided."""
        refused = set(self.budget().refused)
        wanted: list[tuple[float, Place]] = []
        for check in self.checks:
            plan, judgement = plan_of(check), self._judge(check)
            place = self.places[plan.probe.id]
            if place.broken or check.id in refused or judgement.outcome is not Outcome.INCONCLUSIVE:
                continue
            if len(place.searches) < plan.most / self.settings.margin_factor**2:
                missing = (judgement.playouts_needed or 0.0) / self.settings.playouts
                wanted.append(((missing + 1) * place.seconds_per_search, place))
        return min(wanted, key=lambda pair: pair[0])[1] if wanted else None

    def _judge(self, check: Check) -> Judgement:
        place = self.places[plan_of(check).probe.id]
        if place.broken is not None:
            return place.broken
        made = len(place.searches)
        if not made:
            return Judgement(Outcome.INCONCLUSIVE, observed="no time was left to search")
        known = self._judged.get(check.id)
        if known is None or known[0] != made:
            known = (made, check.procedure.judge(self._series(place)))
            self._judged[check.id] = known
        return known[1]

    def _visit(self, place: Place, searches: int, deadline: float) -> int:
        """Make searches at a place; the number of times that the bot died or was silent (0 or 1)."""
        for _ in range(searches):
            began = time.monotonic()
            if place.searches and began > deadline:
                return 0
            turn = turn_of(len(place.searches), self.settings.seed, place.probe)
            try:
                place.searches.append(self.searcher.search(place.probe, turn))
                place.last_record = self.searcher.take_record()
            except BotInterruptedError as interruption:
                place.broken = judge_interruption(interruption.exchange)
                place.last_record = self.searcher.take_record()
                return 1
            except CommandRefusedError as refusal:
                place.broken = _unexpected(refusal.exchange, "=")
                if place.may_refuse_size and refusal.exchange.sent.startswith(b"boardsize"):
                    place.broken = Judgement(Outcome.SKIP, observed="the bot does not play on this size")
            except UnreadableAnswerError as unreadable:
                place.broken = _unexpected(unreadable.exchange, unreadable.wanted)
            place.seconds += time.monotonic() - began
            if place.broken is not None:
                place.last_record = self.searcher.take_record()
                return 0
        return 0


def plan_of(check: Check) -> SearchPlan:
    """The search plan of a check that has one."""
    plan = check.procedure.search_plan
    assert plan is not None, "only checks with searches are planned"
    return plan


def _unexpected(exchange: Exchange, wanted: str) -> Judgement:
    sent = sent_text(exchange.sent)
    return Judgement(Outcome.FAIL, f"{sent} → {wanted}", f"{sent} → {answer_text(exchange)}")
