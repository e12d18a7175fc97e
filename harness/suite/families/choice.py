"""`ref.choice.*`: a choice among equal candidates, with drawn playouts, and with few visits or none.

The names of rules of choice, such as `best-visits`, are also the names of faults of `refbot`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from harness.check.bot.session import Session
from harness.check.judges.enumerated_choice import choice_at, choice_procedure
from harness.check.judges.move_cap import skip_unless_single
from harness.check.judges.moves import judge_ties
from harness.check.model import (
    NODES_AND_SCORE,
    PLAYOUT_COUNT,
    Ability,
    Judgement,
    Outcome,
    Requirements,
    failed,
    passed,
)
from harness.check.positions import NEUTRAL_FILE, TWO_WAYS, TWO_WAYS_DRAWN, WINNING
from harness.check.procedures.conversation import Conversation, read_move
from harness.check.procedures.late_probes import CAP, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.reliance import SentLine, requirements
from harness.check.procedures.search import SearchProcedure, Series, SeriesJudge
from harness.oracle.expected import Expected
from harness.suite.statement import must

SEARCHES, HASTY = 80, 32
"""Searches with equal candidates, and those under a quick budget. Chosen: they also show ties that are broken
unevenly, for example by a coin at each further candidate: the last candidate then gets a half of the choices,
the one before it a quarter, and so on."""

ONE_IN_MANY = """
    O . X . . . . . .
    X X . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
"""After B9 Black owns the whole board, after any other move all but two points."""

THE_WHOLE_BOARD = 81.0
"""A komi of 81 points: Black draws with the whole board, and loses with less."""
DRAW_SEARCHES, DRAW_HASTY = 24, 16
"""Searches with a won and a drawn candidate, and those under a quick budget. Computed: a bot that takes them
for equal always chooses the won one by chance once in 65,536 quick runs."""
FEW_SEARCHES, FEW_HASTY = 8, 4
"""Least searches of ONE_IN_MANY, and those under a quick budget. Chosen: a bot that draws any candidate shows
in them. At some numbers of playouts, wrong rules of choice need more searches (see `choice_procedure`)."""
RARE = choice_at(passed_on(Probe("one-draw-in-many", ONE_IN_MANY, "b", THE_WHOLE_BOARD), CAP))
"""Passes have brought the game to the move cap. So a playout is one move, each of the 77 candidates with the
same probability: B9 is a draw, all others lose. With few playouts some candidates have no visit, and with
many each has few."""
WON_OR_DRAWN = choice_at(Probe("win-or-draw", TWO_WAYS, "b", TWO_WAYS_DRAWN))
"""Black wins every playout with E1, and draws every one with D1."""
FEW_VISITS_RULES = ("best-ten-visits", "best-visits")
"""Wrong rules of choice that prefer candidates with many visits."""
NO_VISIT_RULES = ("unseen-as-won", "unseen-as-even")
"""Wrong rules of choice that give a rate to a candidate without a visit."""


def judge_unseen(series: Series, expected: Expected) -> Judgement:
    """Judge the choices in RARE if some candidates have no visit; skip if nearly every search visits all."""
    if not any(RARE.shows(rule, series.playouts, series.effort) for rule in NO_VISIT_RULES):
        seen = f"with {series.playouts} playouts a search, nearly every candidate has a visit"
        return Judgement(Outcome.SKIP, observed=seen)
    return RARE.judge(series)


def _rare_procedure(rules: Collection[str], judge: SeriesJudge | None = None) -> SearchProcedure:
    """Make the procedure of a check in RARE that must show these wrong rules of choice.

    The check is skipped for a bot whose playouts there are longer than one move.

    judge   None: whether the bot chooses each candidate as often as a conforming bot does
    """
    procedure = choice_procedure(RARE, FEW_SEARCHES, FEW_HASTY, rules={rule: rule for rule in rules})
    return replace(procedure, judge_series=skip_unless_single(judge or procedure.judge_series))


ALL_LOST = Probe("nine-lost", NEUTRAL_FILE, "b", WINNING, turns=False)
_TIES = (
    ("won", "every playout is won", Probe("nine-won", NEUTRAL_FILE, "w", WINNING, turns=False)),
    ("lost", "every playout is lost", ALL_LOST),
)
"""Nine equal candidates. `turns=False`: no search is turned by a symmetry, so a bot that breaks ties by the
order of points always gives one answer."""

IN_A_GAME = 12
"""Searches of TiesOfOneGame. Computed: all choose the same of nine equal candidates once in 3e10 runs."""


@dataclass(frozen=True)
class TiesOfOneGame(Conversation):
    """Searches of one position with nine equal candidates, all in one game: undo takes each move back.

    A bot without undo gets a new game for each search, without another boardsize.

    A wrong bot draws an order of the points at boardsize, or at clear_board, and keeps to it. Without undo,
    an order drawn at clear_board does not show.
    """

    probe = ALL_LOST

    @property
    def requires(self) -> Requirements:
        """Requirements of the searches."""
        found = requirements(map(SentLine, (*self.probe.setup(), self.probe.question())))
        return replace(found, abilities=found.abilities | {Ability.SEARCHES_AGAIN}, board_size=9)

    def observe(self, session: Session) -> tuple[str, ...]:
        """Return the move of each search. Each but the first follows an undo, or else a new game."""
        bot, (_boardsize, *new_game) = session.bot, self.probe.setup()
        undoes = session.has("undo") and Ability.UNDOES not in session.missing
        moves: list[str] = []
        for number in range(IN_A_GAME):
            again = [b"undo\n"] if undoes else new_game
            bot.set_up(again if number else self.probe.setup())
            moves.append(read_move(bot.ask(self.probe.question()), self.probe.size))
        return tuple(moves)

    def judge(self, observation: tuple[str, ...]) -> Judgement:
        """Fail if all searches choose the same candidate. Skip after a pass or a resignation."""
        if "PASS" in observation or "RESIGN" in observation:
            return Judgement(Outcome.SKIP, observed="the bot makes no move there")
        expected = f"different ones of nine equal candidates in {IN_A_GAME} searches of one position"
        if len(set(observation)) == 1:
            return failed(expected, f"{observation[0]} {IN_A_GAME} times")
        return passed(expected, ", ".join(observation))


_TIED = tuple(
    must(f"ref.choice.ties-{name}", f"When {title}, the bot chooses one of the equal candidates at random.",
         SearchProcedure(probe, judge_ties, least=SEARCHES, most=SEARCHES, least_quick=HASTY),
         clause="ties", hint="collect the candidates with the highest rate, then draw one of them",
         kills="ties-first ties-last")
    for name, title, probe in _TIES
)  # fmt: skip
CHECKS = (
    *_TIED,
    must("ref.choice.anew", "The bot draws among equal candidates anew in each search of a game.",
         TiesOfOneGame(),
         clause="ties", hint="draw the candidate in each search, not an order of the points before the game",
         kills="ties-first ties-last"),
    must("ref.choice.rare", "The bot chooses the highest rate even if that candidate has few visits.",
         _rare_procedure(FEW_VISITS_RULES),
         requires=NODES_AND_SCORE, identifies=True,
         clause="best-rate",
         hint="compare wins / visits alone: no minimum of visits, no confidence bound, no bonus",
         kills="best-ten-visits best-visits"),
    must("ref.choice.win-or-draw", "A draw counts half a win in the records of the points.",
         choice_procedure(WON_OR_DRAWN, DRAW_SEARCHES, DRAW_HASTY, exact=True), requires=PLAYOUT_COUNT,
         clause="amaf", hint="add 1 to the wins of a point for a won playout, and 1/2 for a drawn one",
         kills="amaf-draws-won"),
    must("ref.choice.unseen-few", "A candidate without a visit is not chosen before one with visits.",
         _rare_procedure(NO_VISIT_RULES, judge_unseen), requires=NODES_AND_SCORE,
         clause="unseen",
         hint="choose among the candidates with visits: one without has no rate, neither 1 nor a half",
         kills="unseen-as-won unseen-as-even"),
)  # fmt: skip
