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
from harness.explore.position_case import Finding, PositionCase, PositionJudge
from harness.explore.positions import DrawnPosition

SEARCHES = 2
"""Number of searches of every position. Chosen: the second one shows whether searches repeat each other."""

MORE_SEARCHES = 4
"""Number of further searches where a right bot may choose several moves. Chosen: one move says little."""

MOST_SEARCHES = 40
"""Number of searches of one position at most. Chosen: a promising position costs as much as ten others."""

PROMISING = 0.7
"""Log of the evidence in a position from which it is searched again. Chosen: a factor of two."""

MOST_KEPT = 5
"""Number of positions that may be searched again, those with most evidence, to show what all of them show.
Chosen: each costs up to a minute."""

Search = Callable[[Sequence[Probe]], Sequence[SearchRecord | None]]
"""One search at each probe, in their order; None where the bot failed."""

Draw = Callable[[int], DrawnPosition | None]
"""The position of a number; None where there is nothing to judge."""


@dataclass
class SurveyedPosition:
    """One position of a survey, with its searches.

    account   its evidence
    proof     what one search proves
    """

    number: int
    case: PositionCase
    judge: PositionJudge
    account: Account
    proof: Finding | None = None

    @property
    def coverage(self) -> Coverage:
        """The counts of this position."""
        judge, made = self.judge, len(self.judge.searches)
        judged = Counter(
            {
                "choices by shares": made * (judge.choice is not None),
                "numbers of positions": made * bool(judge.laws),
            }
        )
        kind = f"{judge.drawn.kind} {judge.probe.size}x{judge.probe.size}"
        return Coverage(searches=made, positions=Counter([kind]), judged=+judged)


class PositionSurvey:
    """Searches of positions, and the evidence in them.

    ledger      the evidence of all positions together
    likeliest   the positions with most evidence, at most `MOST_KEPT`
    latest      the latest position in which each bet was made, by bet
    """

    def __init__(self, search: Search, draw: Draw, playouts: int, *, cap_of_game: bool) -> None:
        self.ledger = Ledger()
        self._search = search
        self._draw = draw
        self._playouts = playouts
        self._cap_of_game = cap_of_game
        # An exploration may run for weeks: it keeps the positions that somebody may ask for, and no others.
        self.likeliest: list[SurveyedPosition] = []
        self.latest: dict[str, SurveyedPosition] = {}

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
            self._keep(one)
        return opened

    def _opened(self, number: int, drawn: DrawnPosition) -> SurveyedPosition:
        judge = PositionJudge(drawn, self._playouts, cap_of_game=self._cap_of_game)
        case = PositionCase(drawn, cap_of_game=self._cap_of_game)
        return SurveyedPosition(number, case, judge, self.ledger.open())

    def _keep(self, one: SurveyedPosition) -> None:
        """Remember a position as long as it is among the likeliest, or the latest of some bet."""
        likeliest = sorted([*self.likeliest, one], key=lambda kept: -kept.account.log_e)
        self.likeliest = likeliest[:MOST_KEPT]
        self.latest |= dict.fromkeys(filter(one.account.made, BETS), one)

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
            one.proof, ratios = one.judge.see(search)
            if one.proof is None:
                self.ledger.add(one.account, ratios)
