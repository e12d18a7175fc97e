"""`ref.uniform.*`: each move of a playout is drawn uniformly, and independently of other playouts.

At the move cap a playout is a single move. On the boards of `ref.uniform.rows`, `columns` and `halves*`, this
move wins in one region and loses elsewhere, so ref-score is the probability of drawing a point of the region.
No other check measures the draw as precisely. `ref.choice.single-move` and `ref.capture.great*` use playouts
of a single move, too; `ref.uniform.independent` uses longer ones.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from harness.check.judges.move_cap import judge_single_moves, skip_unless_single
from harness.check.judges.moves import judge_moves
from harness.check.judges.repeats import judge_spread_of_results
from harness.check.model import NODES_AND_SCORE, Judgement, Outcome
from harness.check.positions import (
    BLACK_WALL_ROW,
    CORRIDORS,
    CORRIDORS_KOMI,
    TWO_WAYS,
    TWO_WAYS_DECIDED,
    draw_halves,
    halves_komi,
)
from harness.check.procedures.late_probes import CAP, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, Series
from harness.go import Colour, symmetries
from harness.gtp import format_vertex
from harness.oracle.expected import Expected
from harness.suite.statement import must

GREAT_CHAIN = """
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O O O O O O
    O O O O . O O O O
    X X X X X X X X X
    . . . . . . . . .
"""
"""Black's E3 takes 62 stones. White may not play E3, which would be suicide."""

TRANSPOSED = next(
    i for i, image in enumerate(symmetries(9)) if image((0, 1)) == (1, 0) and image((0, 0)) == (0, 0)
)
"""The number of the symmetry that exchanges rows and columns."""

_ROWS = passed_on(Probe("corridors", CORRIDORS, "b", CORRIDORS_KOMI, turns=False), CAP)
_COLUMNS = replace(_ROWS.turned(TRANSPOSED), id="corridors-transposed")

_HALVES = passed_on(Probe("halves", draw_halves(9), "b", halves_komi(9), turns=False), CAP)
_HALVES_ACROSS = replace(_HALVES.turned(TRANSPOSED), id="halves-transposed")

MANY = 240
"""Searches for the variance of the results. Chosen: if each playout is counted twice, for example by two
threads with one seed, they show it with a chance of 98 % (see docs/statistics.md)."""

_INDEPENDENT = (
    must("ref.uniform.independent", "Each playout draws its moves independently of the other playouts.",
         SearchProcedure(Probe("two-ways", TWO_WAYS, "b", TWO_WAYS_DECIDED), judge_spread_of_results,
                         least=MANY, most=MANY, least_quick=20), requires=NODES_AND_SCORE, identifies=True,
         clause="fresh-randomness",
         hint="draw new random numbers for each playout; do not play each drawn playout twice",
         kills="playouts-tenfold playouts-twofold")
)  # fmt: skip

LEAST_PLAYOUTS = 100
"""Least number of playouts per search at which the choice is judged. Computed: the probability that none of
them begins in a corridor is 10^-16."""


def judge_winning_move(series: Series, expected: Expected) -> Judgement:
    """Judge whether the bot chooses a point of a corridor: these win every playout, the others none.

    Skip if the bot makes so few playouts that they may all begin elsewhere.
    """
    if series.playouts < LEAST_PLAYOUTS:
        return Judgement(
            Outcome.SKIP,
            observed=f"a conforming bot may move elsewhere with fewer than {LEAST_PLAYOUTS} playouts",
        )
    judgement = judge_moves(_corridor_points())(series, expected)
    return replace(judgement, expected="a point of a corridor")


@cache
def _corridor_points() -> tuple[str, ...]:
    """The points of the corridors, where a black stone takes the corridor from White."""
    points = _ROWS.position.candidates("b")
    return tuple(format_vertex(point) for point in points if point[0] > BLACK_WALL_ROW)


_WINNING_MOVE = (
    must("ref.choice.single-move",
         "If a playout has one move, its result counts for that move; the bot chooses a move that wins.",
         SearchProcedure(_ROWS, skip_unless_single(judge_winning_move), least=20, most=20),
         requires=NODES_AND_SCORE, identifies=True,
         clause="amaf",
         hint="count every move of a playout, the first and the last too; choose the highest wins/visits",
         kills="amaf-first-half amaf-skip-first amaf-skip-last best-lowest best-random")
)  # fmt: skip

_GREAT: tuple[tuple[Colour, str, float, str], ...] = (
    # side to move, end of the id, komi, title. At this komi, Black wins only with the capture, and White only
    # while the chain stands.
    ("b", "", 0.0, "A playout captures a chain of sixty-two stones that has lost its last liberty."),
    ("w", "-white", -50.0, "In a playout, a chain of sixty-three stones may not kill itself."),
)
_GREAT_CAPTURE = tuple(
    must(f"ref.capture.great{suffix}", title,
         SearchProcedure(passed_on(Probe(f"great-chain-{side}", GREAT_CHAIN, side, komi), CAP),
                         judge_single_moves(0.05), least=8, most=80, least_quick=4), requires=NODES_AND_SCORE,
         clause="complete-games",
         hint="judge a chain as a whole, however large: it stays as long as one stone has a liberty")
    for side, suffix, komi, title in _GREAT
)  # fmt: skip

CHECKS = (
    *(must(f"ref.uniform.{name}",
           f"A playout draws its first move uniformly among all legal points (corridors along the {name}).",
           SearchProcedure(probe, judge_single_moves(0.02), least=20, most=300), requires=NODES_AND_SCORE,
           clause="uniform",
           hint="draw each legal point with the same probability; do not scan on from a random start")
      for name, probe in (("rows", _ROWS), ("columns", _COLUMNS))),
    *(must(f"ref.uniform.{name}",
           f"A playout draws its first move with equal probability from seventy-one points ({halves}).",
           SearchProcedure(probe, judge_single_moves(0.05), least=4, most=80, least_quick=2),
           requires=NODES_AND_SCORE,
           clause="uniform",
           hint="draw again where a random number lies beyond the last multiple of the number of points",
           kills="uniform-modulo", tolerates="cap-from-root")
      for name, halves, probe in (("halves", "upper and lower half", _HALVES),
                                  ("halves-across", "left and right half", _HALVES_ACROSS))),
    _INDEPENDENT,
    _WINNING_MOVE,
    *_GREAT_CAPTURE,
)  # fmt: skip
