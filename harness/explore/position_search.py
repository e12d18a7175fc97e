"""Exploration by positions: search generated positions until one deviates, and confirm it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotError, UnusableBotError
from harness.check.procedures.instances import Task, search_all
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import BotSearcher, SearchRecord
from harness.explore.abilities import Abilities, Feature
from harness.explore.coverage import Coverage, Step
from harness.explore.position_case import PositionCase, PositionRecord
from harness.explore.position_reduction import reduce_case
from harness.explore.position_survey import PositionSurvey, SurveyedPosition
from harness.explore.positions import draw_position, laws_of_probe

COST = 10_000.0
"""Cost of a search, by which searches are spread over instances. All cost the same, so any number will do."""


@dataclass(frozen=True)
class FoundPosition:
    """A deviation in its reduced form; of a `hasty` exploration (see `explore`), as it was first seen."""

    case: PositionCase | None  # None if only all positions together show the deviation
    record: PositionRecord
    number: int  # of the position after which it was certain


class PositionExplorer:
    """Searches positions with the instances (processes) of one bot.

    alpha   largest chance that the evidence of all positions together refuses a right bot
    """

    def __init__(
        self, bots: Sequence[Bot], abilities: Abilities, playouts: int, seed: int, alpha: float
    ) -> None:
        self.bots = bots
        self.playouts = playouts
        self.alpha = alpha
        features = {"ref-nodes": Feature.NODES, "ref-score": Feature.SCORE}
        self._commands = frozenset(
            command for command, feature in features.items() if feature in abilities.features
        )
        self._searchers = [BotSearcher(bot, self._commands) for bot in bots]
        self.survey = PositionSurvey(
            self._search,
            lambda number: draw_position(seed, number, abilities, playouts),
            playouts,
            cap_of_game=abilities.cap_of_game,
        )

    @property
    def p_value(self) -> float:
        """P-value of the evidence of all positions so far."""
        return self.survey.p_value

    def explore(
        self,
        numbers: Iterable[int],
        deadline: float,
        *,
        known: frozenset[str] = frozenset(),
        hasty: bool = False,
    ) -> Iterator[Step[FoundPosition]]:
        """Search the positions with these numbers, and yield a step for each batch.

        A batch has one position for each bot, and at least two; the last one may have fewer. The first
        deviation that is certain ends the exploration: the last step has it. A proof in one position is
        confirmed in a new process. Evidence is judged over all positions.

        known   a proof against one of these clauses is ignored, because another check reports it; the
                evidence of its position counts
        hasty   report a proof without confirmation and reduction
        Raises UnusableBotError.
        """
        waiting = iter(numbers)
        while time.monotonic() < deadline and (batch := list(islice(waiting, max(2, len(self.bots))))):
            coverage, unconfirmed, found = Coverage(), 0, None
            surveyed = self.survey.search(batch)
            for one in surveyed:
                coverage.add(one.coverage)
            for one in surveyed:
                if one.proof is not None and one.proof.clause in known:
                    continue
                found = self._find(one, hasty=hasty)
                if found is not None:
                    break
                unconfirmed += one.proof is not None
            yield Step(coverage, found, unconfirmed)
            if found is not None:
                return

    def _search(self, probes: Sequence[Probe]) -> list[SearchRecord | None]:
        """Search each probe once; None where the bot failed (sessions report such failures)."""
        tasks = [Task(probe, 0, COST) for probe in probes]
        tried = search_all(tasks, self._searchers, float("inf"))
        return [one.result if one and isinstance(one.result, SearchRecord) else None for one in tried]

    def _find(self, one: SurveyedPosition, *, hasty: bool) -> FoundPosition | None:
        """Return a deviation that position `one` or all positions show, once the batch of `one` was surveyed.

        If a search of `one` proves a deviation, the result is this position, reduced; None if a new process
        does not show it again. A `hasty` search reports the proof itself. If the positions so far show a
        deviation only together, the result is the likeliest position that shows it alone, reduced, or their
        joint evidence. None if nothing is certain.
        """
        if one.proof is not None and hasty:
            return FoundPosition(one.case, PositionRecord(tuple(one.judge.searches), one.proof), one.number)
        if one.proof is not None:
            return self._confirm(one.case, one.number)
        if self.p_value > self.alpha:
            return None
        for likely in self.survey.likeliest:
            found = self._confirm(likely.case, one.number)
            if found is not None:
                return found
        return FoundPosition(None, self._of_all_positions(), one.number)

    def _confirm(self, case: PositionCase, number: int) -> FoundPosition | None:
        """Return the reduced form of a case that deviates in a new process.

        If the reduced form does not deviate once more, the record is that of the case. None if the case does
        not deviate, or the bot fails.
        """
        record = self._search_position(case, fresh=True)
        if record is None:
            return None
        reduced = reduce_case(case, self._shows, self._shows_anew)
        return FoundPosition(reduced, self._search_position(reduced, fresh=True) or record, number)

    def _of_all_positions(self) -> PositionRecord:
        """Return the joint evidence of all positions, in the words of the latest one that contributed."""
        bet = self.survey.ledger.everywhere.best  # the one with the strongest evidence
        judge = self.survey.latest[bet].judge
        return PositionRecord(tuple(judge.searches), judge.finding(bet))

    def _search_position(self, case: PositionCase, *, fresh: bool = False) -> PositionRecord | None:
        """Search the position, in a new process if `fresh`. Return the record.

        None for no deviation, or if the bot failed. Raises UnusableBotError.
        """
        try:
            if fresh:
                self.bots[0].fresh()
            record = case.search(self.bots[0], self._commands, self.playouts)
        except UnusableBotError:
            raise
        except BotError:
            return None
        return record if record.finding is not None else None

    def _shows(self, case: PositionCase) -> bool:
        """Return True if a position can be judged and deviates in the running process."""
        judged = laws_of_probe(case.drawn.probe, cap_of_game=case.cap_of_game) is not None
        return judged and self._search_position(case) is not None

    def _shows_anew(self, case: PositionCase) -> bool:
        """Return True if a position deviates in a new process."""
        return self._search_position(case, fresh=True) is not None
