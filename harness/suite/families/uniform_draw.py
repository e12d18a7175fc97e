"""`ref.uniform.*`: each move of a playout is drawn uniformly, and independently of other playouts.

The draw is seen at the first move, and nothing else: so late in a game that a playout is a single move
(clause `move-cap`), ref-score is the probability of drawing a point of one region rather than of another. No
instrument for the uniform draw is sharper.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from harness.check.judges.moments import judge_single_moves, judge_spread_of_results, of_single_moves
from harness.check.judges.moves import judge_moves
from harness.check.model import NODES_AND_SCORE, Check, Judgement, Level, Outcome
from harness.check.positions import CORRIDORS, CORRIDORS_KOMI, TWO_WAYS, TWO_WAYS_DECIDED
from harness.check.procedures.late_probes import CAP, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, Series
from harness.go import Colour, symmetries
from harness.gtp import format_vertex
from harness.oracle.expected import Expected

must = partial(Check, clause="uniform", level=Level.MUST)

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
"""At E3, where White may not play, Black takes sixty-two stones."""

BLACK_WALL_ROW = 4  # counted from 0, upwards
TRANSPOSED = next(
    i for i, image in enumerate(symmetries(9)) if image((0, 1)) == (1, 0) and image((0, 0)) == (0, 0)
)


_ROWS = passed_on(Probe("corridors", CORRIDORS, "b", CORRIDORS_KOMI, turns=False), CAP)
_COLUMNS = replace(_ROWS.turned(TRANSPOSED), id="corridors-transposed")

MANY = 240
"""Searches that show playouts counted twice, as by two threads with one seed: their variance is doubled."""

_INDEPENDENT = must(
    id="ref.uniform.independent",
    clause="fresh-randomness",
    title="Each playout draws its moves independently of the other playouts.",
    procedure=SearchProcedure(
        Probe("two-ways", TWO_WAYS, "b", TWO_WAYS_DECIDED),
        judge_spread_of_results,
        least=MANY,
        most=MANY,
        least_quick=20,
    ),
    requires=NODES_AND_SCORE,
    identifies=True,
    hint="draw new random numbers for each playout; do not play each drawn playout twice",
    kills=("playouts-tenfold", "playouts-twofold"),
)

LEAST_PLAYOUTS = 100
"""With fewer, a search may not have drawn a point of a corridor at all: with these, once in 10^16."""


def judge_winning_move(series: Series, expected: Expected) -> Judgement:
    """Judge whether a point that wins every playout is chosen, where the others win none."""
    if series.playouts < LEAST_PLAYOUTS:
        return Judgement(
            Outcome.SKIP, observed=f"with fewer than {LEAST_PLAYOUTS} playouts a search, chance plays a part"
        )
    judgement = judge_moves(_corridor_points())(series, expected)
    return replace(judgement, expected="a point of a corridor")


@cache
def _corridor_points() -> tuple[str, ...]:
    """Where a black stone takes a corridor from White."""
    points = _ROWS.position.candidates("b")
    return tuple(format_vertex(point) for point in points if point[0] > BLACK_WALL_ROW)


_WINNING_MOVE = Check(
    id="ref.choice.single-move",
    clause="amaf",
    level=Level.MUST,
    title="If a playout has one move, its result counts for that move; the bot chooses a move that wins.",
    procedure=SearchProcedure(_ROWS, of_single_moves(judge_winning_move), least=20, most=20),
    requires=NODES_AND_SCORE,
    identifies=True,
    hint="count every move of a playout, the first and the last too; choose the highest wins/visits",
    kills=("amaf-first-half", "amaf-skip-first", "amaf-skip-last", "best-lowest", "best-random"),
)

_GREAT: tuple[tuple[Colour, str, float, str], ...] = (
    ("b", "", 0.0, "A playout captures a chain of sixty-two stones that has lost its last liberty."),
    ("w", "-white", -50.0, "In a playout, a chain of sixty-three stones may not kill itself."),
)
_GREAT_CAPTURE = tuple(
    must(
        id=f"ref.capture.great{suffix}",
        clause="complete-games",
        title=title,
        procedure=SearchProcedure(
            passed_on(Probe(f"great-chain-{side}", GREAT_CHAIN, side, komi), CAP),
            judge_single_moves(0.05),
            least=8,
            most=80,
            least_quick=4,
        ),
        requires=NODES_AND_SCORE,
        hint="a chain may be as large as the board: give lists and stacks room for every point",
    )
    for side, suffix, komi, title in _GREAT
)

CHECKS = (
    *(
        must(
            id=f"ref.uniform.{name}",
            title=f"A playout draws its first move uniformly among all legal points ({what}).",
            procedure=SearchProcedure(probe, judge_single_moves(0.02), least=20, most=300),
            requires=NODES_AND_SCORE,
            hint="draw each legal point with the same probability; do not scan on from a random start",
        )
        for name, what, probe in (
            ("rows", "corridors along the rows", _ROWS),
            ("columns", "corridors along the columns", _COLUMNS),
        )
    ),
    _INDEPENDENT,
    _WINNING_MOVE,
    *_GREAT_CAPTURE,
)
