"""`ref.choice.ties-*` and `ref.choice.rare`: a choice among equal candidates, and of one with few visits."""

from __future__ import annotations

from harness.check.judges.moments import of_single_moves
from harness.check.judges.moves import attributed, judge_ties
from harness.check.model import NODES_AND_SCORE, Judgement, Outcome
from harness.check.positions import DAME
from harness.check.procedures.late_probes import CAP, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, Series
from harness.gtp import format_vertex
from harness.oracle.expected import Expected
from harness.stats import judge_choices
from harness.suite.statement import must

SEARCHES, HASTY = 80, 32
"""Searches, and those under a quick budget. Chosen: they also show ties that are broken unevenly, for example
by a coin at each further candidate, which gives the last one a half, the one before a quarter, and so on."""

MANY = 400.0
"""A komi beyond every margin: all playouts have the same result, so all candidates are equal."""

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

ALL_BUT_ONE = 80.0
"""A komi that only the whole board of 81 points exceeds."""
FEW_SEARCHES, FEW_HASTY = 60, 20
"""Searches of ONE_IN_MANY, and those under a quick budget; chosen: playouts of one move are quick."""
RARE = passed_on(Probe("one-in-many", ONE_IN_MANY, "b", ALL_BUT_ONE), CAP)
WINNER = "B9"


def judge_rare(series: Series, expected: Expected) -> Judgement:
    """Judge whether the bot chooses the only winning move in every search in which a playout has tried it.

    A playout here is one move, each of the k candidates with probability 1/k. So a search of P playouts
    misses the winner with probability (1 - 1/k)^P, and then chooses another move.
    """
    candidates = [format_vertex(point) for point in series.probe.position.candidates(series.probe.to_move)]
    missed = (1.0 - 1.0 / len(candidates)) ** series.playouts
    visits = series.playouts / len(candidates)
    wanted = f"{WINNER} but for {missed:.1g} of the searches; it has about {visits:.0f} visits"
    chosen = [search.move == WINNER for search in series.searches]
    seen = f"{WINNER} in {sum(chosen)} of {len(chosen)} searches"
    strange = [search.move for search in series.searches if search.move not in candidates]
    if strange:
        observed = f"{seen}, {strange[0]} in {strange.count(strange[0])}"
        return attributed(Judgement(Outcome.FAIL, "a candidate", observed), series.probe, strange)
    evidence = judge_choices([int(not winner) for winner in chosen], [1.0 - missed, missed])
    return Judgement(
        Outcome.PASS, wanted, seen, numbers={"p_value": evidence.p_value}, p_value=evidence.p_value
    )


_TIES = (
    ("won", "every playout is won", Probe("all-won", DAME[4], "w", MANY, turns=False)),
    ("lost", "every playout is lost", Probe("all-lost", DAME[4], "b", MANY, turns=False)),
)
"""Not turned by symmetries: so a bot that breaks ties by the order of points always gives one answer."""

_TIED = tuple(
    must(f"ref.choice.ties-{name}", f"When {title}, the bot chooses one of the equal candidates at random.",
         SearchProcedure(probe, judge_ties, least=SEARCHES, most=SEARCHES, least_quick=HASTY),
         clause="ties", hint="collect the candidates with the highest rate, then draw one of them")
    for name, title, probe in _TIES
)  # fmt: skip
CHECKS = (
    *_TIED,
    must("ref.choice.rare", "The bot chooses the highest rate even if that candidate has few visits.",
         SearchProcedure(RARE, of_single_moves(judge_rare), least=FEW_SEARCHES, most=FEW_SEARCHES,
                         least_quick=FEW_HASTY), requires=NODES_AND_SCORE, identifies=True,
         clause="best-rate",
         hint="compare wins / visits alone: no minimum of visits, no confidence bound, no bonus",
         kills="best-ten-visits best-visits best-lower-bound"),
)  # fmt: skip
