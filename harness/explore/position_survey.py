"""The evidence of searches in random positions: what is searched, and what all searches together show.

Whoever has a way to search positions can make a survey: a bot under test, or a simulated one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchRecord
from harness.explore.coverage import Coverage
from harness.explore.evidence import BETS, Account, Ledger
from harness.explore.position_case import PositionCase, PositionJudge
from harness.explore.positions import DrawnPosition

SEARCHES = 2
"""Number of searches of every position."""

MORE_SEARCHES = 4
"""Number of further searches where a right bot may choose several moves."""

MOST_SEARCHES = 40
PROMISING = 0.7
"""Log of the evidence in a position from which it is searched again."""

MOST_KEPT = 5
"""Number of positions that may be searched again, those with most evidence, to show what all of them show."""

Search = Callable[[Sequence[Probe]], Sequence[SearchRecord | None]]
"""One search at each probe, in their order; None where the bot failed."""

Draw = Callable[[int], DrawnPosition | None]
"""The position of a number; None where there is nothing to judge."""


@dataclass
class SurveyedPosition:
    """One position of a survey, with its searches.

    account   its evidence
    proof     what one search proves: clause, expected, observed
    """

    number: int
    case: PositionCase
    judge: PositionJudge
    account: Account
    proof: tuple[str, str, str] | None = None


class PositionSurvey:
    """Searches of positions, and the evidence in them.

    ledger     the evidence of all positions together
    coverage   counts what is searched
    """

    def __init__(
        self,
        search: Search,
        draw: Draw,
        playouts: int,
        coverage: Coverage,
        *,
        cap_of_game: bool,
    ) -> None:
        self.ledger = Ledger()
        self.coverage = coverage
        self._search = search
        self._draw = draw
        self._playouts = playouts
        self._cap_of_game = cap_of_game
        # An exploration may run for weeks: it keeps the positions that somebody may ask for, and no others.
        self._likeliest: list[SurveyedPosition] = []
        self._latest: dict[str, SurveyedPosition] = {}  # by bet

    @property
    def p_value(self) -> float:
        """P-value of the evidence of all positions so far."""
        return self.ledger.p_value

    def search(self, batch: Sequence[int]) -> list[SurveyedPosition]:
        """Search the positions with these numbers, some again as long as they promise something."""
        drawn = [(number, self._draw(number)) for number in batch]
        opened = [self._opened(number, one) for number, one in drawn if one is not None]
        first = self._search([one.judge.probe for one in opened for _ in range(SEARCHES)])
        for place, one in enumerate(opened):
            self._see(one, first[place * SEARCHES : (place + 1) * SEARCHES])
            self._search_again(one)
            self._count(one)
            self._keep(one)
        return opened

    def likeliest(self) -> list[SurveyedPosition]:
        """The positions with most evidence, at most `MOST_KEPT`."""
        return self._likeliest

    def latest_with(self, bet: str) -> SurveyedPosition:
        """The latest position in which a bet was made. Raises LookupError where it was made in none."""
        if bet not in self._latest:
            raise LookupError(f"{bet!r} was never bet on")
        return self._latest[bet]

    def _opened(self, number: int, drawn: DrawnPosition) -> SurveyedPosition:
        judge = PositionJudge(drawn, self._playouts, cap_of_game=self._cap_of_game)
        case = PositionCase(drawn, cap_of_game=self._cap_of_game)
        return SurveyedPosition(number, case, judge, self.ledger.open())

    def _keep(self, one: SurveyedPosition) -> None:
        """Remember a position as long as it is among the likeliest, or the latest of some bet."""
        likeliest = sorted([*self._likeliest, one], key=lambda kept: -kept.account.log_e)
        self._likeliest = likeliest[:MOST_KEPT]
        self._latest |= dict.fromkeys(filter(one.account.made, BETS), one)

    def _search_again(self, one: SurveyedPosition) -> None:
        """Further searches: where moves are open, and while the evidence promises something."""
        judge = one.judge
        if one.proof is None and judge.choice is not None and judge.choice.open:
            self._see(one, self._search([judge.probe] * MORE_SEARCHES))
        while one.proof is None and one.account.log_e > PROMISING and len(judge.searches) < MOST_SEARCHES:
            again = self._search([judge.probe])
            if again[0] is None:
                return
            self._see(one, again)

    def _see(self, one: SurveyedPosition, searches: Sequence[SearchRecord | None]) -> None:
        """Judge searches, up to the first proof."""
        for search in searches:
            if search is None or one.proof is not None:
                continue
            seen = one.judge.see(search)
            one.proof = seen.proof
            if seen.proof is None:
                self.ledger.add(one.account, seen.ratios)

    def _count(self, one: SurveyedPosition) -> None:
        judge, made = one.judge, len(one.judge.searches)
        judged = Counter(
            {
                "choices by shares": made if judge.choice is not None else 0,
                "numbers of positions": made if judge.laws else 0,
            }
        )
        kind = f"{judge.drawn.kind} {judge.probe.size}x{judge.probe.size}"
        self.coverage.add_position(kind, made, +judged)
