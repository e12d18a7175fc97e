"""The searches of all probing checks: made where they decide most, shared by checks of one probe."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from harness.checks.bot import Bot, Facts, Interrupted, Refused
from harness.checks.converse import dialogue_text, interrupted, said, seen
from harness.checks.model import Check, Judgement, Outcome
from harness.checks.probe import (
    Probe,
    Probing,
    Search,
    Series,
    UnreadableAnswer,
    read_move,
    read_nodes,
    read_score,
)
from harness.gtp import Exchange
from harness.stats import Budget, holm

if TYPE_CHECKING:
    from harness.checks.run import Assignment

GROWTH = 0.3
"""Each visit to a probe adds this share to the searches already made there."""

ALPHA = 0.001
SYMMETRIES = 8
TURNS = (0, 5, 3, 6, 1, 4, 2, 7)
"""The order in which a probe is turned: four searches see it at every edge and in every corner."""


class _Place:
    """One probe: the checks that look at it, the searches made, what broke them off."""

    def __init__(self, probe: Probe, checks: list[Check]) -> None:
        self.probe = probe
        self.checks = checks
        self.searches: list[Search] = []
        self.broken: Judgement | None = None
        self.last_record: tuple[Exchange, ...] = ()
        self.seconds = 0.0

    @property
    def optional(self) -> bool:
        """Whether the bot may refuse the size of the board."""
        return all(_procedure(check).may_refuse_size for check in self.checks)

    @property
    def cost(self) -> float:
        """Seconds a search, with leading the bot to the position."""
        return self.seconds / max(1, len(self.searches))


class Searching:
    """The probing checks of one bot."""

    def __init__(
        self,
        bot: Bot,
        facts: Facts,
        checks: Sequence[Check],
        playouts: int,
        assignment: Assignment,
        waiting: Mapping[str, float] | None = None,
    ) -> None:
        """`waiting`: p-values of checks that are judged elsewhere and share the error budget."""
        self.waiting = dict(waiting or {})
        self.bot = bot
        self.facts = facts
        self.checks = checks
        self.playouts = playouts
        self.assignment = assignment
        self.places: dict[str, _Place] = {}
        for check in checks:
            probe = _procedure(check).probe
            self.places.setdefault(probe.id, _Place(probe, [])).checks.append(check)
        self._judged: dict[str, tuple[int, Judgement]] = {}

    @property
    def searches(self) -> int:
        """Searches made so far."""
        return sum(len(place.searches) for place in self.places.values())

    def run(self, deadline: float, silences: int) -> None:
        """Search until every check is decided, the time is up, or the bot was silent too often."""
        for place in sorted(self.places.values(), key=lambda place: self._least(place.checks)):
            if silences <= 0:
                place.broken = Judgement(Outcome.SKIP, observed="the bot died or was silent too often before")
            else:  # past the deadline one search is made all the same: it may be proof
                silences -= self._visit(place, self._least(place.checks), deadline)
        while silences > 0 and time.monotonic() < deadline:
            place_now = self._most_wanted()
            if place_now is None:
                return
            more = max(1, int(len(place_now.searches) * GROWTH))
            silences -= self._visit(place_now, more, deadline)

    def budget(self) -> Budget:
        """How the chance of refusing a right bot was split over the checks, and what is refused."""
        p_values = dict(self.waiting)
        for check in self.checks:
            p_value = self._judge(check).p_value
            if p_value is not None:
                p_values[check.id] = p_value
        return holm(p_values, ALPHA)

    def final(self, check: Check, budget: Budget) -> tuple[Judgement, list[bytes], str]:
        """The last word on a check, the lines that show it by hand, the transcript of its last search."""
        place = self.places[_procedure(check).probe.id]
        judgement = self._judge(check)
        if check.id in budget.refused:
            judgement = judgement.but(Outcome.FAIL)
        lines = [*place.probe.setup(), place.probe.question(), b"ref-nodes\n", b"ref-score\n"]
        return judgement, lines, dialogue_text(place.last_record)

    def _least(self, checks: Sequence[Check]) -> int:
        """Searches that are made at a place in any case."""
        quick = self.assignment.precision > 1.0
        procedures = [_procedure(check) for check in checks]
        return max(p.hasty if quick and p.hasty is not None else p.least for p in procedures)

    def _most_wanted(self) -> _Place | None:
        """The place of the undecided check that is cheapest to decide; None if all are decided."""
        refused = set(self.budget().refused)
        wanted: list[tuple[float, _Place]] = []
        for check in self.checks:
            place, judgement = self.places[_procedure(check).probe.id], self._judge(check)
            if place.broken or check.id in refused or judgement.outcome is not Outcome.INCONCLUSIVE:
                continue
            if len(place.searches) < _procedure(check).most / self.assignment.precision**2:
                missing = judgement.numbers.get("playouts_needed", 0.0) / self.playouts
                wanted.append(((missing + 1) * place.cost, place))
        return min(wanted, key=lambda pair: pair[0])[1] if wanted else None

    def _judge(self, check: Check) -> Judgement:
        place = self.places[_procedure(check).probe.id]
        if place.broken is not None:
            return place.broken
        made = len(place.searches)
        if not made:
            return Judgement(Outcome.INCONCLUSIVE, observed="no time was left to search")
        known = self._judged.get(check.id)
        if known is None or known[0] != made:
            series = Series(place.probe, self.playouts, tuple(place.searches), self.assignment.precision)
            known = (made, _procedure(check).judge(series, place.probe.expected))
            self._judged[check.id] = known
        return known[1]

    def _visit(self, place: _Place, searches: int, deadline: float) -> int:
        """Make searches at a place; the number of times that the bot died or was silent (0 or 1)."""
        for _ in range(searches):
            began = time.monotonic()
            if place.searches and began > deadline:
                return 0
            turn = self._turn(len(place.searches)) if place.probe.turns else 0
            try:
                place.searches.append(self._search(place.probe, turn))
            except Interrupted as interruption:
                place.broken = interrupted(interruption.exchange)
                place.last_record = self.bot.recorded()
                return 1
            except Refused as refusal:
                place.broken = _unled(refusal.exchange, "=")
                if place.optional and refusal.exchange.sent.startswith(b"boardsize"):
                    place.broken = Judgement(Outcome.SKIP, observed="the bot does not play on this size")
            except UnreadableAnswer as unreadable:
                place.broken = _unled(unreadable.exchange, unreadable.wanted)
            place.last_record = self.bot.recorded()
            place.seconds += time.monotonic() - began
            if place.broken is not None:
                return 0
        return 0

    def _turn(self, number: int) -> int:
        """The symmetry of a search: rotations first or reflections first, as the seed has it."""
        return TURNS[(number + SYMMETRIES // 2 * (self.assignment.seed % 2)) % SYMMETRIES]

    def _search(self, probe: Probe, turn: int) -> Search:
        """Lead the bot to the position, turned by a symmetry of the board, and let it search."""
        turned = probe.turned(turn)
        self.bot.recorded()
        self.bot.tell(turned.setup())
        answer = self.bot.say(turned.question())
        move = probe.turned_back(read_move(answer, probe.size), turn)
        nodes = read_nodes(self.bot.say(b"ref-nodes\n")) if self._has("ref-nodes") else None
        score = read_score(self.bot.say(b"ref-score\n")) if self._has("ref-score") else None
        return Search(move, nodes, score, answer.seconds)

    def _has(self, command: str) -> bool:
        return self.facts.has(command)


def _procedure(check: Check) -> Probing:
    assert isinstance(check.procedure, Probing)
    return check.procedure


def _unled(exchange: Exchange, wanted: str) -> Judgement:
    sent = said(exchange.sent)
    return Judgement(Outcome.FAIL, f"{sent} → {wanted}", f"{sent} → {seen(exchange)}")
