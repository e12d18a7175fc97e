"""The exploration by positions: searches in random positions, and the smallest one that still deviates."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from harness.check.bot.bot import Bot
from harness.check.bot.errors import BotError, UnusableBotError
from harness.check.procedures.instances import Task, try_all
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import BotSearcher, SearchRecord
from harness.explore.abilities import Abilities, Feature
from harness.explore.coverage import Coverage
from harness.explore.position_case import PositionCase, PositionRecord
from harness.explore.position_survey import PositionSurvey, SurveyedPosition
from harness.explore.positions import DrawnPosition, Kind, laws_of, position
from harness.explore.shrink import Attempts, shortest
from harness.go import Colour, IllegalMoveError, opponent
from harness.gtp import format_vertex

Moves = tuple[tuple[Colour, str], ...]

MOST_ATTEMPTS, MOST_SECONDS = 60, 20.0
COST = 10_000.0


@dataclass(frozen=True)
class FoundPosition:
    """A deviation in its smallest form; without a case where no single position shows it."""

    case: PositionCase | None
    record: PositionRecord
    number: int  # of the position that showed it first

    @property
    def clause(self) -> str:
        """The clause that it points to."""
        assert self.record.verdict is not None, "else nothing was found"
        return self.record.verdict[0]


class PositionExplorer:
    """Searches positions with one bot.

    bots          its instances; positions are spread over them
    coverage      counts what is searched
    alpha         chance of refusing a right bot
    on_position   called after each round of positions
    """

    def __init__(
        self,
        bots: Sequence[Bot],
        abilities: Abilities,
        playouts: int,
        seed: int,
        coverage: Coverage,
        alpha: float,
        on_position: Callable[[], object] = lambda: None,
    ) -> None:
        self.bots = bots
        self.playouts = playouts
        self.alpha = alpha
        self.on_position = on_position
        self.unconfirmed = 0
        features = {"ref-nodes": Feature.NODES, "ref-score": Feature.SCORE}
        self._commands = frozenset(
            command for command, feature in features.items() if feature in abilities.features
        )
        self._searchers = [BotSearcher(bot, self._commands) for bot in bots]
        self.survey = PositionSurvey(
            self._search,
            lambda number: position(seed, number, abilities, playouts),
            playouts,
            coverage,
            cap_of_game=abilities.cap_of_game,
        )

    @property
    def p_value(self) -> float:
        """P-value of the evidence of all positions so far."""
        return self.survey.p_value

    def find(
        self,
        numbers: Iterable[int],
        deadline: float,
        *,
        known: frozenset[str] = frozenset(),
        hasty: bool = False,
    ) -> FoundPosition | None:
        """The first deviation in the positions with these numbers, but for proofs about the clauses `known`.

        A proof counts once it came back in a new process, at once if `hasty`; evidence counts once all of it
        is enough. Raises UnusableBotError.
        """
        waiting = iter(numbers)
        while time.monotonic() < deadline:
            batch = list(islice(waiting, max(2, len(self.bots))))
            if not batch:
                return None
            for surveyed in self.survey.search(batch):
                if surveyed.proof is not None and surveyed.proof[0] in known:
                    continue
                if hasty and surveyed.proof is not None:
                    record = PositionRecord(tuple(surveyed.judge.searches), surveyed.proof)
                    return FoundPosition(surveyed.case, record, surveyed.number)
                found = self._decided(surveyed)
                if found is not None:
                    return found
            self.on_position()
        return None

    def _search(self, probes: Sequence[Probe]) -> list[SearchRecord | None]:
        """One search at each probe; None where the bot failed, which sessions show."""
        tasks = [Task(probe, 0, COST) for probe in probes]
        tried = try_all(tasks, self._searchers, float("inf"))
        return [one.result if one and isinstance(one.result, SearchRecord) else None for one in tried]

    # --- decisions -----------------------------------------------------------------------------------------

    def _decided(self, surveyed: SurveyedPosition) -> FoundPosition | None:
        if surveyed.proof is not None:
            record = self._again(surveyed.case)
            if record is None:
                self.unconfirmed += 1
                return None
            reduced = self._reduced(surveyed.case)
            return FoundPosition(reduced, self._again(reduced) or record, surveyed.number)
        if self.p_value > self.alpha:
            return None
        for likely in self.survey.likeliest():
            record = self._again(likely.case)
            if record is not None:
                reduced = self._reduced(likely.case)
                return FoundPosition(reduced, self._again(reduced) or record, surveyed.number)
        return FoundPosition(None, self._of_all_positions(), surveyed.number)

    def _of_all_positions(self) -> PositionRecord:
        """Return the joint evidence of all positions, in the words of the latest one that contributed."""
        bet = self.survey.ledger.everywhere.best
        judge = self.survey.latest_with(bet).judge
        return PositionRecord(tuple(judge.searches), judge.verdict(bet))

    def _again(self, case: PositionCase) -> PositionRecord | None:
        """Search the position in a new process and return its record; None for no deviation."""
        try:
            self.bots[0].fresh()
            record = case.search(self.bots[0], self._commands, self.playouts)
        except UnusableBotError:
            raise
        except BotError:
            return None
        return record if record.verdict is not None else None

    def _shows(self, case: PositionCase) -> bool:
        """Return whether a position deviates, in the running process."""
        if laws_of(case.drawn.probe, cap_of_game=case.cap_of_game) is None:
            return False
        try:
            return case.search(self.bots[0], self._commands, self.playouts).verdict is not None
        except UnusableBotError:
            raise
        except BotError:
            return False

    def _reduced(self, case: PositionCase) -> PositionCase:
        """A position with fewer moves before it and fewer points to play on that still deviates."""
        attempts = Attempts(MOST_ATTEMPTS, MOST_SECONDS)
        kept = case
        without_history = _without_history(case)
        if attempts.take() and self._shows(without_history):
            kept = without_history
        else:
            kept = _with_game(case, shortest(case.drawn.probe.tail, self._shown_by(case), attempts))
        while True:
            for smaller in _later(kept):
                if not attempts.take():
                    return self._confirmed(kept, case)
                if self._shows(smaller):
                    kept = smaller
                    break
            else:
                return self._confirmed(kept, case)

    def _shown_by(self, case: PositionCase) -> Callable[[Moves], bool]:
        """Return whether the position after some of the moves deviates."""

        def shows(tail: Moves) -> bool:
            part = _with_game(case, tail)
            try:
                part.drawn.probe.position  # noqa: B018 (played through)
            except IllegalMoveError:
                return False
            return self._shows(part)

        return shows

    def _confirmed(self, reduced: PositionCase, case: PositionCase) -> PositionCase:
        return reduced if self._again(reduced) and self._again(reduced) else case


def _with_game(case: PositionCase, tail: Moves) -> PositionCase:
    return replace(case, drawn=replace(case.drawn, probe=replace(case.drawn.probe, tail=tail)))


def _without_history(case: PositionCase) -> PositionCase:
    """The stones laid in any order, without the game that led to them."""
    probe = case.drawn.probe
    drawn = replace(probe, board=probe.position.draw(), tail=())
    return replace(case, drawn=DrawnPosition(Kind.LATE, drawn))


def _later(case: PositionCase) -> list[PositionCase]:
    """The positions after each move of a playout: less is left to play."""
    probe = case.drawn.probe
    mover = probe.to_move
    later = []
    for point in probe.position.candidates(mover):
        tail = (*probe.tail, (mover, format_vertex(point)))
        after = replace(probe, tail=tail, to_move=opponent(mover))
        if not after.position.candidates(after.to_move):
            continue
        if not probe.tail:
            after = replace(after, board=after.position.draw(), tail=())
        later.append(replace(case, drawn=replace(case.drawn, probe=after)))
    return later
