"""`ref.score.*`: how a playout is scored, and how ref-score reports it.

Near the end of a game every result is known: one search is proof.
"""

from __future__ import annotations

from functools import partial

from harness.check.judges.moments import judge_moments
from harness.check.model import NODES_AND_SCORE, Check, Level
from harness.check.positions import DAME, settled
from harness.check.procedures.late_probes import near_end
from harness.check.procedures.probe import Probe
from harness.go import Colour

must = partial(Check, level=Level.MUST)

RESULT = judge_moments(lengths=False)

WHITE_AHEAD = DAME[1].translate(str.maketrans("XO", "OX"))
"""White is nine points ahead once White has filled the neutral point."""
_SCORES: tuple[tuple[str, str, str, str, Colour, float, str], ...] = (
    (
        "eyes",
        "area-scoring",
        "An empty point that only one colour surrounds counts for that colour.",
        settled("E9 D5 B7 C2"),
        "b",
        8.5,
        "count stones, and empty regions that touch only one colour",
    ),
    (
        "stones",
        "area-scoring",
        "The score of a playout counts stones as well as surrounded points.",
        settled("E9 D5 B7 C2"),
        "w",
        7.5,
        "count stones, and empty regions that touch only one colour",
    ),
    (
        "komi-below",
        "komi",
        "Black wins a playout when Black's lead on the board is larger than komi.",
        DAME[1],
        "b",
        8.5,
        "komi is taken from Black's area",
    ),
    (
        "komi-above",
        "komi",
        "White wins a playout when Black's lead on the board is smaller than komi.",
        DAME[1],
        "b",
        9.5,
        "komi is taken from Black's area",
    ),
    (
        "komi-quarter-below",
        "komi",
        "Black wins a playout when Black's lead on the board is a quarter of a point larger than komi.",
        DAME[1],
        "b",
        8.75,
        "round no komi, neither to whole nor to half points",
    ),
    (
        "komi-quarter-above",
        "komi",
        "White wins a playout when Black's lead on the board is a quarter of a point smaller than komi.",
        DAME[1],
        "b",
        9.25,
        "round no komi, neither to whole nor to half points",
    ),
    (
        "draw",
        "komi",
        "A drawn playout counts as half a win for Black.",
        DAME[1],
        "b",
        9.0,
        "count a draw as ½",
    ),
    (
        "draw-white",
        "ref-score",
        "A drawn playout counts as half a win for White.",
        DAME[1],
        "w",
        7.0,
        "count a draw as ½",
    ),
    (
        "negative-komi",
        "komi",
        "A negative komi gives points to Black.",
        DAME[1],
        "w",
        -3.5,
        "komi may be negative",
    ),
    (
        "negative-below",
        "komi",
        "Black wins a playout when a negative komi is half a point more than White's lead.",
        WHITE_AHEAD,
        "w",
        -9.5,
        "round no komi, and cut off no part of one: -9.5 must not become -9 or -8.5",
    ),
    (
        "negative-above",
        "komi",
        "White wins a playout when a negative komi is half a point less than White's lead.",
        WHITE_AHEAD,
        "w",
        -8.5,
        "round no komi, and cut off no part of one: -8.5 must not become -9 or -8",
    ),
    (
        "view-won",
        "ref-score",
        "ref-score is 1 when White is to move and wins every playout.",
        DAME[1],
        "w",
        7.5,
        "report the mean result of the side that genmove names, not Black's",
    ),
    (
        "view-lost",
        "ref-score",
        "ref-score is 0 when White is to move and loses every playout.",
        DAME[1],
        "w",
        6.5,
        "report the mean result of the side that genmove names, not Black's",
    ),
    (
        "view-black",
        "ref-score",
        "ref-score is 0 when Black is to move and loses every playout.",
        DAME[1],
        "b",
        7.5,
        "report the mean result of the side that genmove names",
    ),
    (
        "mean",
        "ref-score",
        "ref-score is the mean result of all playouts, not the rate of the chosen move.",
        settled("D1 E9 G5 B5", "E2"),
        "b",
        4.0,
        "divide all wins by all playouts",
    ),
)
CHECKS = tuple(
    must(
        id=f"ref.score.{name}",
        clause=clause,
        title=title,
        procedure=near_end(Probe(f"score-{name}", board, side, komi), RESULT),
        requires=NODES_AND_SCORE,
        hint=hint,
    )
    for name, clause, title, board, side, komi, hint in _SCORES
)
