"""`ref.uniform.*`: is each move of a playout drawn uniformly? Seen at its first move, and nothing else.

So late in a game that a playout is a single move (clause `move-cap`), ref-score is the probability of drawing
a point of one region rather than of another: no instrument for the uniform draw is sharper.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.checks.capping import CAP, judge_single_moves, of_single_moves
from harness.checks.judges import judge_spread_of_results
from harness.checks.model import Check, Level
from harness.checks.probe import Probe, Probing
from harness.go import Colour, symmetries

must = partial(Check, clause="uniform", level=Level.MUST)

CORRIDORS = """
    . . . . O . . . .
    O O O O O O O O O
    . . . . O . . . .
    O O O O O O O O O
    X X X X X X X X X
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
"""A black stone in a corridor takes it from White and wins; one in Black's own region changes nothing."""

KOMI = 11.5
TRANSPOSED = next(
    i for i, image in enumerate(symmetries(9)) if image((0, 1)) == (1, 0) and image((0, 0)) == (0, 0)
)


def _probe(name: str) -> Probe:
    drawn = Probe(name, CORRIDORS, "b", KOMI, turns=False)
    colours: tuple[Colour, Colour] = ("b", "w")
    passes = tuple((colours[n % 2], "pass") for n in range(CAP - len(drawn.stones.stones())))
    return replace(drawn, tail=passes)


_ROWS = _probe("corridors")
_COLUMNS = replace(_ROWS.turned(TRANSPOSED), id="corridors-transposed")

_INDEPENDENT = must(
    id="ref.uniform.independent",
    title="The first move of each playout is drawn anew: results of searches spread as they must.",
    procedure=Probing(_ROWS, of_single_moves(judge_spread_of_results), least=20, most=20),
    hint="draw the move of each playout by itself; do not take the legal points in turn",
    kills=("playouts-tenfold",),
)

CHECKS = (
    *(
        must(
            id=f"ref.uniform.{name}",
            title=f"The first move of a playout is drawn uniformly among all points: {what}.",
            procedure=Probing(probe, judge_single_moves(0.012), least=20, most=300),
            hint="draw among the legal points, each as likely as the others; do not scan from a random start",
        )
        for name, what, probe in (
            ("rows", "open board against corridors", _ROWS),
            ("columns", "the same, transposed", _COLUMNS),
        )
    ),
    _INDEPENDENT,
)
