"""`ref.choice.*`: which move a bot chooses, where a conforming one can hardly choose another."""

from __future__ import annotations

from functools import partial

from harness.check.judges.moments import of_single_moves
from harness.check.judges.moves import judge_ties
from harness.check.model import NODES_AND_SCORE, Check, Judgement, Level, Outcome
from harness.check.positions import DAME
from harness.check.procedures.late_probes import CAP, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, Series
from harness.gtp import format_vertex
from harness.oracle.expected import Expected
from harness.stats import judge_choices

must = partial(Check, level=Level.MUST)

SEARCHES, HASTY = 80, 32
"""Enough to see ties broken by a coin at each next one (a half, a quarter, …) and not only by order."""

MANY = 400.0
"""A komi beyond every margin: all playouts have one result, so that all candidates are equal."""

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
"""With B9 Black has the whole board, with any other move all but two points of it."""

ALL_BUT_ONE = 80.0
FEW_SEARCHES, FEW_HASTY = 60, 20
RARE = passed_on(Probe("one-in-many", ONE_IN_MANY, "b", ALL_BUT_ONE), CAP)
WINNER = "B9"


def judge_rare(series: Series, expected: Expected) -> Judgement:
    """Judge whether the one move that wins is chosen whenever a playout has tried it, however few have.

    A playout is that move with probability 1/k, k the number of candidates: a search of P playouts misses it
    with (1 - 1/k)^P, and then chooses another.
    """
    candidates = [format_vertex(point) for point in series.probe.position.candidates(series.probe.to_move)]
    missed = (1.0 - 1.0 / len(candidates)) ** series.playouts
    visits = series.playouts / len(candidates)
    wanted = f"{WINNER} but for {missed:.1g} of the searches; it has about {visits:.0f} visits"
    chosen = [search.move == WINNER for search in series.searches]
    seen = f"{WINNER} in {sum(chosen)} of {len(chosen)} searches"
    if any(search.move not in candidates for search in series.searches):
        return Judgement(Outcome.FAIL, wanted, seen)
    evidence = judge_choices([int(not winner) for winner in chosen], [1.0 - missed, missed])
    return Judgement(
        Outcome.PASS, wanted, seen, numbers={"p_value": evidence.p_value}, p_value=evidence.p_value
    )


_TIES = (
    ("won", "every playout is won", Probe("all-won", DAME[4], "w", MANY, turns=False)),
    ("lost", "every playout is lost", Probe("all-lost", DAME[4], "b", MANY, turns=False)),
)
"""Not turned: a bot that goes through its points in whatever order does so alike in all of these searches."""

_TIED = tuple(
    must(
        id=f"ref.choice.ties-{name}",
        clause="ties",
        title=f"When {title}, the bot chooses one of the equal candidates at random.",
        procedure=SearchProcedure(probe, judge_ties, least=SEARCHES, most=SEARCHES, least_quick=HASTY),
        hint="collect the candidates with the highest rate, then draw one of them",
    )
    for name, title, probe in _TIES
)
CHECKS = (
    *_TIED,
    must(
        id="ref.choice.rare",
        clause="best-rate",
        title="The bot chooses the highest rate even if that candidate has few visits.",
        procedure=SearchProcedure(
            RARE,
            of_single_moves(judge_rare),
            least=FEW_SEARCHES,
            most=FEW_SEARCHES,
            least_quick=FEW_HASTY,
        ),
        requires=NODES_AND_SCORE,
        identifies=True,
        hint="compare wins / visits alone: no minimum of visits, no confidence bound, no bonus",
        kills=("best-ten-visits", "best-visits", "best-lower-bound"),
    ),
)
