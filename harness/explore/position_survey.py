"""Survey of random positions: decides how often to search each, and adds up the evidence of all searches.

A survey needs two functions only: one draws positions, one searches them with a bot under test or a simulated
bot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchRecord
from harness.explore.coverage import Coverage
from harness.explore.evidence import BETS, Account, Ledger
from harness.explore.moves import Finding
from harness.explore.position_case import PositionCase
from harness.explore.position_judge import PositionJudge
from harness.explore.positions import DrawnPosition

SEARCHES = 2
"""Searches of every position. Chosen: the second search shows whether the bot repeats its random numbers."""

MORE_SEARCHES = 4
"""Further searches if a right bot may choose several moves. Chosen: one chosen move says little."""

MOST_SEARCHES = 40
"""Most searches of one position in a survey. Chosen: a promising position costs as much as ten others."""

PROMISING = 0.7
"""Log of the e-value from which a position is searched again. Chosen: an e-value of two."""

MOST_KEPT = 5
"""Number of positions with most evidence that are kept. When all positions together prove a deviation, these
are searched for one that shows it alone. Chosen: each costs up to a minute."""

Search = Callable[[Sequence[Probe]], Sequence[SearchRecord | None]]
"""A function that searches each probe once: the records in the same order, None where the bot failed."""

Draw = Callable[[int], DrawnPosition | None]
"""A function that returns the position with a number; None if there is none to judge."""


@dataclass
class SurveyedPosition:
    """One position of a survey, with its searches.

    number    of the position among all that can be drawn
    case      the position as a report shows it
    judge     judges its searches, and keeps them
    account   the evidence in this position
    proof     the deviation that one search proved; None if none did
    """

    number: int
    case: PositionCase
    judge: PositionJudge
    account: Account
    proof: Finding | None = None

    @property
    def coverage(self) -> Coverage:
        """Its searches, its kind, and how many answers were compared with a law."""
        judge, made = self.judge, len(self.judge.searches)
        judged = Counter(
            {
                "choices by shares": made * (judge.choice is not None),
                "numbers of positions": made * bool(judge.laws),
            }
        )
        kind = f"{judge.drawn.kind} {judge.probe.size}x{judge.probe.size}"
        return Coverage(searches=made, positions=Counter([kind]), judged=+judged)  # + drops counts of 0


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
        # An exploration may run for weeks: it keeps only the positions that the explorer may ask for.
        self.likeliest: list[SurveyedPosition] = []
        self.latest: dict[str, SurveyedPosition] = {}

    @property
    def p_value(self) -> float:
        """P-value of the evidence of all positions so far."""
        return self.ledger.p_value

    def search(self, batch: Sequence[int]) -> list[SurveyedPosition]:
        """Search the positions with these numbers, more often where they may show a deviation; return them.

        Numbers without a position to judge are left out.
        """
        drawn = [(number, self._draw(number)) for number in batch]
        opened = [self._open(number, one) for number, one in drawn if one is not None]
        first = self._search([one.judge.probe for one in opened for _ in range(SEARCHES)])
        for index, one in enumerate(opened):
            self._judge(one, first[index * SEARCHES : (index + 1) * SEARCHES])
            self._search_again(one)
            self._keep(one)
        return opened

    def _open(self, number: int, drawn: DrawnPosition) -> SurveyedPosition:
        """Return the position with a judge and a new account, not searched yet."""
        judge = PositionJudge(drawn, self._playouts, cap_of_game=self._cap_of_game)
        case = PositionCase(drawn, cap_of_game=self._cap_of_game)
        return SurveyedPosition(number, case, judge, self.ledger.open_account())

    def _keep(self, one: SurveyedPosition) -> None:
        """Keep a position while it has most evidence, or is the latest in which some bet was made."""
        likeliest = sorted([*self.likeliest, one], key=lambda kept: -kept.account.log_e)
        self.likeliest = likeliest[:MOST_KEPT]
        self.latest |= dict.fromkeys(filter(one.account.was_made, BETS), one)

    def _search_again(self, one: SurveyedPosition) -> None:
        """Search MORE_SEARCHES times if several moves are right, then while the evidence is promising.

        A proof ends both; a failed search or MOST_SEARCHES ends the latter.
        """
        judge = one.judge
        if one.proof is None and judge.choice is not None and judge.choice.has_alternatives:
            self._judge(one, self._search([judge.probe] * MORE_SEARCHES))
        while one.proof is None and one.account.log_e > PROMISING and len(judge.searches) < MOST_SEARCHES:
            again = self._search([judge.probe])
            if again[0] is None:
                return
            self._judge(one, again)

    def _judge(self, one: SurveyedPosition, searches: Sequence[SearchRecord | None]) -> None:
        """Judge searches up to the first proof, and add their evidence. None stands for a failed search."""
        for search in searches:
            if search is None or one.proof is not None:
                continue
            one.proof, ratios = one.judge.judge_search(search)
            if one.proof is None:
                self.ledger.add(one.account, ratios)
