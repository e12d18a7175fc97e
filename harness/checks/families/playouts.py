"""`ref.*`: what a bot's playouts do, seen through ref-nodes and ref-score.

Near the end of a game every playout is known, so that most of these are exact: one search is proof.
"""

from __future__ import annotations

from functools import partial

from harness.checks.judges.dispersion import judge_fresh, judge_spread_of_nodes
from harness.checks.judges.moments import judge_moments
from harness.checks.judges.moves import judge_symmetry
from harness.checks.model import NODES_AND_SCORE, Check, Level
from harness.checks.positions.settled import DAME, MANY_EYES, ONLY_WHITE_MOVES, settled
from harness.checks.procedures.empty_board import empty_board
from harness.checks.procedures.late_probes import FOUR, ONE
from harness.checks.procedures.probe import Probe
from harness.checks.procedures.search import SearchProcedure, SeriesJudge
from harness.go import Colour

must = partial(Check, level=Level.MUST)
should = partial(Check, level=Level.SHOULD)

BOTH = judge_moments()
LENGTH = judge_moments(results=False)
RESULT = judge_moments(lengths=False)
MOST = 40
"""Searches at a position near the end, at most."""


def near_end(probe: Probe, judge: SeriesJudge = BOTH) -> SearchProcedure:
    """A probe of short playouts: cheap, so that it is soon decided; seen from four sides."""
    return SearchProcedure(probe, judge, least=4, most=MOST, least_quick=2)


SIDES: tuple[Colour, Colour] = ("b", "w")

_COUNTS = (
    must(
        id="ref.nodes.three",
        clause="ref-nodes",
        title="ref-nodes counts every move of a playout, both closing passes included.",
        procedure=near_end(ONE, LENGTH),
        requires=NODES_AND_SCORE,
        hint="one neutral point is filled, then both sides pass: 3 moves a playout",
        kills=("nodes-no-passes", "nodes-one-pass", "nodes-own-moves", "nodes-cumulative", "nodes-stale"),
    ),
    must(
        id="ref.nodes.six",
        clause="ref-nodes",
        title="ref-nodes counts the moves of both sides.",
        procedure=near_end(FOUR, LENGTH),
        requires=NODES_AND_SCORE,
        hint="four neutral points are filled, then both sides pass: 6 moves a playout",
    ),
    must(
        id="ref.passes.forced",
        clause="forced-pass",
        title="A side without a move passes, and the other may still move.",
        procedure=near_end(Probe("only-white-b", ONLY_WHITE_MOVES, "b"), LENGTH),
        requires=NODES_AND_SCORE,
        hint="Black passes, White fills G1, both pass: 4 moves; a playout ends after two passes in a row",
    ),
    must(
        id="ref.passes.game",
        clause="two-passes",
        title="A pass of the game is not the first of the two passes that end a playout.",
        procedure=near_end(
            Probe("only-white-after-pass", ONLY_WHITE_MOVES, "b", tail=(("w", "pass"),)), LENGTH
        ),
        requires=NODES_AND_SCORE,
        hint="count passes of the playout alone",
    ),
    must(
        id="ref.passes.two",
        clause="two-passes",
        title="A playout ends after two passes in a row.",
        procedure=near_end(Probe("only-white-w", ONLY_WHITE_MOVES, "w"), LENGTH),
        requires=NODES_AND_SCORE,
        hint="White fills G1, then both pass: 3 moves",
    ),
)
_LAST_POINT = tuple(
    must(
        id=f"ref.passes.last-point{suffix}",
        clause="forced-pass",
        title="The only legal point is played, however many illegal ones there are beside it.",
        procedure=SearchProcedure(
            Probe(f"many-eyes-{side}", MANY_EYES, side, 4.0), BOTH, least=8, most=MOST, least_quick=4
        ),
        requires=NODES_AND_SCORE,
        hint="do not give up after a number of random tries: pass only when every point was looked at",
        kills=("pass-after-tries",),
    )
    for side, suffix in zip(SIDES, ("", "-white"), strict=True)
)
_SCORES: tuple[tuple[str, str, str, str, Colour, float, str], ...] = (
    (
        "eyes",
        "area-scoring",
        "Empty points that one colour surrounds count for it.",
        settled("E9 D5 B7 C2"),
        "b",
        8.5,
        "",
    ),
    (
        "stones",
        "area-scoring",
        "Stones count as well as surrounded points.",
        settled("E9 D5 B7 C2"),
        "w",
        7.5,
        "",
    ),
    (
        "komi-below",
        "komi",
        "Black wins by more than komi.",
        DAME[1],
        "b",
        8.5,
        "komi is taken from Black's area",
    ),
    (
        "komi-above",
        "komi",
        "Black loses by less than komi.",
        DAME[1],
        "b",
        9.5,
        "komi is taken from Black's area",
    ),
    ("draw", "komi", "A drawn playout counts as half a win.", DAME[1], "b", 9.0, "count a draw as ½"),
    (
        "draw-white",
        "ref-score",
        "A drawn playout counts as half a win for White too.",
        DAME[1],
        "w",
        7.0,
        "count a draw as ½",
    ),
    ("negative-komi", "komi", "A negative komi goes to Black.", DAME[1], "w", -3.5, "komi may be negative"),
    (
        "view-won",
        "ref-score",
        "ref-score is seen from the side to move: White, who wins.",
        DAME[1],
        "w",
        7.5,
        "",
    ),
    (
        "view-lost",
        "ref-score",
        "ref-score is seen from the side to move: White, who loses.",
        DAME[1],
        "w",
        6.5,
        "",
    ),
    (
        "view-black",
        "ref-score",
        "ref-score is seen from the side to move: Black, who wins.",
        DAME[1],
        "b",
        7.5,
        "",
    ),
    (
        "mean",
        "ref-score",
        "ref-score is the mean over all playouts, not the rate of the move that is played.",
        settled("D1 E9 G5 B5", "E2"),
        "b",
        4.0,
        "",
    ),
)
SCORES = tuple(
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
_RULES = (
    # name, clause, title, board, komi
    ("eye.centre", "eye", "In the centre, one enemy diagonal leaves an eye.", settled("D5 E9", "E6"), 7.5),
    (
        "eye.centre-two",
        "eye",
        "In the centre, two enemy diagonals make a false eye.",
        settled("D5 E9", "E6 E4"),
        3.0,
    ),
    (
        "eye.opponent",
        "eye",
        "An eye of the opponent is a move like any other where it takes his stones.",
        settled("A1 D5 E9", white="A2 B2 B1"),
        8.0,
    ),
    ("eye.empty-diagonals", "eye", "An empty diagonal is no enemy.", settled("D5 C6 E9", "E6"), 7.5),
    (
        "eye.edge",
        "eye",
        "On an edge, one enemy diagonal makes a false eye.",
        settled("D1 E9 G5 B5", "E2"),
        4.0,
    ),
    (
        "eye.corner",
        "eye",
        "In a corner, the one diagonal makes a false eye.",
        settled("A1 E9 D5", "B2 C2 D2 E2 C1 D1 E1"),
        -8.0,
    ),
    (
        "suicide.two",
        "no-suicide",
        "A chain of two stones may not kill itself.",
        settled("J9 E9", black="J8"),
        7.5,
    ),
    (
        "ko.two",
        "simple-ko",
        "A stone just taken in a ko may not be taken back at once.",
        settled("D5 D2", "E6 E4 E3 E1"),
        7.5,
    ),
)
RULES = tuple(
    must(
        id=f"ref.{name}" + ("" if side == "b" else "-white"),
        clause=clause,
        title=title,
        procedure=near_end(Probe(f"{name}-{side}", board, side, komi)),
        requires=NODES_AND_SCORE,
    )
    for name, clause, title, board, komi in _RULES
    for side in SIDES
)
EMPTY_BOARD: tuple[Check, ...] = (
    must(
        id="ref.empty.length",
        clause="uniform",
        title="From the empty board a playout takes 111.06 moves on average.",
        procedure=SearchProcedure(
            empty_board(7.5), judge_moments(0.0173, results=False), least=10, most=2000
        ),
        requires=NODES_AND_SCORE,
    ),
    must(
        id="ref.empty.score",
        clause="uniform",
        title="From the empty board at komi 7.5 Black wins 42.1 % of the playouts.",
        procedure=SearchProcedure(
            empty_board(7.5), judge_moments(result_margin=0.0101, lengths=False), least=10, most=2000
        ),
        requires=NODES_AND_SCORE,
    ),
    must(
        id="ref.empty.spread",
        clause="fresh-randomness",
        title="Searches spread as independent playouts do.",
        procedure=SearchProcedure(empty_board(7.5), judge_spread_of_nodes, least=20, most=20),
        requires=NODES_AND_SCORE,
        identifies=True,
    ),
    must(
        id="ref.empty.fresh",
        clause="fresh-randomness",
        title="Two searches of one position differ.",
        procedure=SearchProcedure(empty_board(7.5), judge_fresh, least=20, most=20),
        requires=NODES_AND_SCORE,
        identifies=True,
    ),
    must(
        id="ref.empty.symmetry",
        clause="uniform",
        title="On the empty board, points that are alike are chosen about equally often.",
        procedure=SearchProcedure(
            empty_board(7.5),
            judge_symmetry,
            least=20,
            most=20,
        ),
        identifies=True,
        hint="look at every point of the board, in playouts, in the records and in the choice",
    ),
)

EMPTY_BOARD += tuple(
    must(
        id=f"ref.empty.komi-{komi:g}",
        clause="komi",
        title=f"From the empty board at komi {komi:g} Black wins {rate} of the playouts.",
        procedure=SearchProcedure(
            empty_board(komi), judge_moments(result_margin=0.03, lengths=False), least=8, most=100
        ),
        requires=NODES_AND_SCORE,
        hint="count with the komi that was set last; a draw is half a win",
    )
    for komi, rate in ((0.0, "52.4 %"), (5.5, "44.6 %"), (7.0, "43.3 %"))
)

ROOT_KO = (
    must(
        id="ref.ko.root",
        clause="simple-ko",
        title="A ko of the game may not be taken back with the first move of a playout.",
        procedure=near_end(Probe("ko-root", settled("D5 E9", "E6 E4"), "b", tail=(("w", "D5"),))),
        requires=NODES_AND_SCORE,
        hint="hand the ko of the game on to the playouts",
    ),
    must(
        id="ref.ko.root-own",
        clause="simple-ko",
        title="Whoever has just taken a ko may close it: the ban is for the other side alone.",
        procedure=near_end(Probe("ko-own", settled("D5", "E6 E4"), "w", tail=(("w", "D5"),))),
        requires=NODES_AND_SCORE,
        hint="keep with the point of the ko for whom it is forbidden",
    ),
    must(
        id="ref.ko.after-passes",
        clause="simple-ko",
        title="There is no superko in a playout: after passes a ko may be taken back.",
        procedure=near_end(
            Probe("ko-lifted", settled("D5", "E6 E4"), "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass")))
        ),
        requires=NODES_AND_SCORE,
        hint="compare with earlier boards in the game alone, not in playouts",
    ),
)

CHECKS = _COUNTS + _LAST_POINT + SCORES + RULES + ROOT_KO + EMPTY_BOARD
