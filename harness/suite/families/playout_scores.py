"""`ref.score.*`: the score of a playout, and how ref-score reports the mean.

The positions are near the end of a game. In all but that of `ref.score.mean`, every playout has the same
result, so a search with another score is proof. In DAME[1] the side to move fills the one neutral point: in
the end Black leads by 9 points if Black was to move, and by 7 if White was.
"""

from __future__ import annotations

from harness.check.judges.moments import judge_moments
from harness.check.model import NODES_AND_SCORE
from harness.check.positions import DAME, settled
from harness.check.procedures.late_probes import near_end
from harness.check.procedures.probe import Probe
from harness.go import Colour
from harness.suite.statement import must

RESULT = judge_moments(lengths=False)

WHITE_AHEAD = DAME[1].translate(str.maketrans("XO", "OX"))
"""White is nine points ahead once White has filled the neutral point."""
_SCORES: tuple[tuple[str, str, str, str, Colour, float, str], ...] = (
    # id, clause, title, position, side to move, komi, hint
    ("ref.score.eyes", "area-scoring",
     "An empty point that only one colour surrounds counts for that colour.", settled("E9 D5 B7 C2"), "b",
     8.5, "count stones, and empty regions that touch only one colour"),
    ("ref.score.stones", "area-scoring", "The score of a playout counts stones as well as surrounded points.",
     settled("E9 D5 B7 C2"), "w", 7.5, "count stones, and empty regions that touch only one colour"),
    ("ref.score.komi-below", "komi",
     "Black wins a playout when Black's lead on the board is larger than komi.", DAME[1], "b", 8.5,
     "subtract komi from Black's area"),
    ("ref.score.komi-above", "komi",
     "White wins a playout when Black's lead on the board is smaller than komi.", DAME[1], "b", 9.5,
     "subtract komi from Black's area"),
    ("ref.score.komi-quarter-below", "komi",
     "Black wins a playout when Black's lead on the board is a quarter of a point larger than komi.", DAME[1],
     "b", 8.75, "do not round komi: 8.75 must not become 9 or 8.5"),
    ("ref.score.komi-quarter-above", "komi",
     "White wins a playout when Black's lead on the board is a quarter of a point smaller than komi.",
     DAME[1], "b", 9.25, "do not round komi: 9.25 must not become 9 or 9.5"),
    ("ref.score.draw", "komi", "A drawn playout counts as half a win for Black.", DAME[1], "b", 9.0,
     "count a draw as ½"),
    ("ref.score.draw-white", "ref-score", "A drawn playout counts as half a win for White.", DAME[1], "w",
     7.0, "count a draw as ½"),
    ("ref.score.negative-komi", "komi",
     "With a negative komi, Black still wins every playout that Black wins without komi.", DAME[1], "w", -3.5,
     "accept a negative komi, and keep its sign: it gives points to Black"),
    ("ref.score.negative-below", "komi",
     "Black wins a playout when a komi of -9.5 outweighs White's lead of 9 points.", WHITE_AHEAD, "w",
     -9.5, "do not round or truncate komi: -9.5 must not become -9 or -8.5"),
    ("ref.score.negative-above", "komi",
     "White wins a playout when White's lead of 9 points outweighs a komi of -8.5.", WHITE_AHEAD, "w",
     -8.5, "do not round or truncate komi: -8.5 must not become -9 or -8"),
    ("ref.score.view-won", "ref-score", "ref-score is 1 when White is to move and wins every playout.",
     DAME[1], "w", 7.5, "report the mean result of the side that genmove names, not Black's"),
    ("ref.score.view-lost", "ref-score", "ref-score is 0 when White is to move and loses every playout.",
     DAME[1], "w", 6.5, "report the mean result of the side that genmove names, not Black's"),
    ("ref.score.view-black", "ref-score", "ref-score is 1 when Black is to move and wins every playout.",
     DAME[1], "b", 7.5, "report the mean result of the side that genmove names"),
    ("ref.score.mean", "ref-score",
     "ref-score is the mean result of all playouts, not the rate of the chosen move.",
     settled("D1 E9 G5 B5", white="E2"), "b", 4.0, "divide all wins by all playouts"),
)  # fmt: skip
CHECKS = tuple(
    must(name, title,
         near_end(Probe(name.removeprefix("ref.").replace(".", "-"), board, side, komi), RESULT),
         requires=NODES_AND_SCORE,
         clause=clause, hint=hint)
    for name, clause, title, board, side, komi, hint in _SCORES
)  # fmt: skip
