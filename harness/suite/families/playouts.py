"""`ref.*`: what a bot's playouts do, seen through ref-nodes and ref-score.

Near the end of a game every playout is known, so that most of these are exact: one search is proof.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.check.judges.decimals import judge_decimals
from harness.check.judges.dispersion import judge_fresh, judge_spread_of_nodes
from harness.check.judges.moments import judge_moments
from harness.check.judges.moves import judge_symmetry
from harness.check.model import NODES_AND_SCORE, Ability, Check, Level
from harness.check.positions.settled import DAME, MANY_EYES, ONLY_WHITE_MOVES, settled
from harness.check.procedures.empty_board import empty_board
from harness.check.procedures.late_probes import FOUR, ONE
from harness.check.procedures.probe import Probe
from harness.check.procedures.refused_commands import NumbersKept
from harness.check.procedures.search import SearchProcedure, SeriesJudge
from harness.go import Colour

must = partial(Check, level=Level.MUST)
should = partial(Check, level=Level.SHOULD)

BOTH = judge_moments()
LENGTH = judge_moments(results=False)
RESULT = judge_moments(lengths=False)
MOST = 120
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
        id="ref.nodes.kept",
        clause="ref-nodes",
        title="play and komi leave ref-nodes and ref-score as they are.",
        procedure=NumbersKept(
            (b"play w pass\n", b"komi 6.5\n", b"play b A1\n", b"play w J1\n"), refused=False
        ),
        hint="set the numbers of a search when a search begins, nowhere else",
        kills=("play-forgets-search",),
    ),
    must(
        id="ref.passes.forced",
        clause="forced-pass",
        title="In a playout, a side without a legal point passes, and the other side may still move.",
        procedure=near_end(Probe("only-white-b", ONLY_WHITE_MOVES, "b"), LENGTH),
        requires=NODES_AND_SCORE,
        hint="Black passes, White fills G1, both pass: 4 moves; a playout ends after two passes in a row",
    ),
    must(
        id="ref.passes.game",
        clause="two-passes",
        title="A pass of the game does not count as one of the two passes that end a playout.",
        procedure=near_end(
            Probe("only-white-after-pass", ONLY_WHITE_MOVES, "b", tail=(("w", "pass"),)), LENGTH
        ),
        requires=NODES_AND_SCORE,
        hint="count passes of the playout alone",
    ),
    must(
        id="ref.passes.two",
        clause="two-passes",
        title="A playout ends after two passes in a row, and not before.",
        procedure=near_end(Probe("only-white-w", ONLY_WHITE_MOVES, "w"), LENGTH),
        requires=NODES_AND_SCORE,
        hint="White fills G1, then both pass: 3 moves",
    ),
)
_LAST_POINT = tuple(
    must(
        id=f"ref.passes.last-point{suffix}",
        clause="forced-pass",
        title="A playout plays the only legal point even if thirty illegal points are empty too.",
        procedure=SearchProcedure(
            Probe(f"many-eyes-{side}", MANY_EYES, side, 4.0), BOTH, least=8, most=MOST, least_quick=4
        ),
        requires=NODES_AND_SCORE,
        hint="pass only after every empty point was examined, not after a number of random tries",
        kills=("pass-after-tries",),
    )
    for side, suffix in zip(SIDES, ("", "-white"), strict=True)
)
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
    (
        "eye.centre",
        "eye",
        "In the centre, a point with one enemy stone on its diagonals is still an eye.",
        settled("D5 E9", "E6"),
        7.5,
    ),
    (
        "eye.centre-two",
        "eye",
        "In the centre, a point with two enemy stones on its diagonals is no eye.",
        settled("D5 E9", "E6 E4"),
        3.0,
    ),
    (
        "eye.opponent",
        "eye",
        "A playout may play in an eye of the opponent when that captures stones.",
        settled("A1 D5 E9", white="A2 B2 B1"),
        8.0,
    ),
    (
        "eye.empty-diagonals",
        "eye",
        "An eye may have empty points on its diagonals: only enemy stones there count against it.",
        settled("D5 C6 E9", "E6"),
        7.5,
    ),
    (
        "eye.edge",
        "eye",
        "On an edge, a point with one enemy stone on its diagonals is no eye.",
        settled("D1 E9 G5 B5", "E2"),
        4.0,
    ),
    (
        "eye.corner",
        "eye",
        "In a corner, a point with an enemy stone on its diagonal is no eye.",
        settled("A1 E9 D5", "B2 C2 D2 E2 C1 D1 E1"),
        -8.0,
    ),
    (
        "suicide.two",
        "no-suicide",
        "In a playout, a chain of two stones may not kill itself.",
        settled("J9 E9", black="J8"),
        7.5,
    ),
    (
        "ko.two",
        "simple-ko",
        "In a playout, a stone that has just taken a ko may not be retaken at once.",
        settled("D5 D2", "E6 E4 E3 E1"),
        7.5,
    ),
)
_RULE_HINTS = {
    "eye": "an eye has own neighbours only and, on its diagonals, at most one enemy stone in the centre and "
    "none on an edge or in a corner; empty diagonals do not count",
    "no-suicide": "after removing captures, refuse a move whose whole chain has no liberty",
    "simple-ko": "after one stone captures one stone, forbid the captured point for the next move",
}
RULES = tuple(
    must(
        id=f"ref.{name}" + ("" if side == "b" else "-white"),
        clause=clause,
        title=title,
        procedure=near_end(Probe(f"{name}-{side}", board, side, komi)),
        requires=NODES_AND_SCORE,
        hint=_RULE_HINTS[clause],
    )
    for name, clause, title, board, komi in _RULES
    for side in SIDES
)
EMPTY_BOARD: tuple[Check, ...] = (
    must(
        id="ref.empty.length",
        clause="uniform",
        title="From the empty board, a playout has 111.06 moves on average.",
        hint="see first whether a ref.eye, ref.ko or ref.uniform check fails: each shows one rule",
        procedure=SearchProcedure(
            empty_board(7.5), judge_moments(0.0173, results=False), least=10, most=2000
        ),
        requires=NODES_AND_SCORE,
    ),
    must(
        id="ref.empty.score",
        clause="uniform",
        title="From the empty board at komi 7.5, Black wins 42.1 % of the playouts.",
        hint="see first whether a ref.score or ref.end check fails: each shows one rule",
        procedure=SearchProcedure(
            empty_board(7.5), judge_moments(result_margin=0.0202, lengths=False), least=10, most=2000
        ),
        requires=NODES_AND_SCORE,
    ),
    should(
        id="ref.score.decimals",
        clause="ref-score",
        title="ref-score has at least three decimals.",
        hint="print the mean with three decimals or more: 0.422",
        procedure=SearchProcedure(empty_board(7.5), judge_decimals, least=12, most=12, least_quick=8),
        requires=NODES_AND_SCORE,
        identifies=True,
        kills=("refscore-two-decimals",),
    ),
    must(
        id="ref.empty.spread",
        clause="fresh-randomness",
        title="Repeated searches differ from each other as much as independent playouts do.",
        hint="draw new random numbers for each playout and each search, from one generator",
        procedure=SearchProcedure(empty_board(7.5), judge_spread_of_nodes, least=20, most=20, least_quick=10),
        requires=NODES_AND_SCORE,
        identifies=True,
    ),
    must(
        id="ref.empty.fresh",
        clause="fresh-randomness",
        title="Two searches of one position draw different random numbers.",
        hint="seed the generator once, when the bot starts, not at each search",
        procedure=SearchProcedure(empty_board(7.5), judge_fresh, least=20, most=20, least_quick=10),
        requires=NODES_AND_SCORE,
        identifies=True,
    ),
    must(
        id="ref.empty.symmetry",
        clause="uniform",
        title="On the empty board, points that are images of each other are chosen equally often.",
        procedure=SearchProcedure(
            empty_board(7.5),
            judge_symmetry,
            least=20,
            most=20,
            least_quick=10,
        ),
        identifies=True,
        hint="visit every point of the board in playouts, in the records and in the choice",
    ),
)

EMPTY_BOARD += tuple(
    must(
        id=f"ref.empty.komi-{komi:g}",
        clause="komi",
        title=f"From the empty board at komi {komi:g}, Black wins {rate} of the playouts.",
        procedure=SearchProcedure(
            empty_board(komi),
            judge_moments(result_margin=0.06, lengths=False),
            least=4,
            most=100,
            least_quick=2,
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
        title="The first move of a playout may not retake a ko that is in force in the game.",
        procedure=near_end(Probe("ko-root", settled("D5 E9", "E6 E4"), "b", tail=(("w", "D5"),))),
        requires=NODES_AND_SCORE,
        hint="pass the ko point of the game to each playout",
    ),
    must(
        id="ref.ko.root-own",
        clause="simple-ko",
        title="The side that has just taken a ko may fill it: the ban holds for the other side only.",
        procedure=near_end(Probe("ko-own", settled("D5", "E6 E4"), "w", tail=(("w", "D5"),))),
        requires=NODES_AND_SCORE,
        hint="store the forbidden colour together with the ko point",
    ),
    must(
        id="ref.ko.taker-again",
        clause="simple-ko",
        title="In a playout, a ko can be retaken once the side that took it has made another move.",
        procedure=near_end(
            Probe("ko-taker-again", settled("D5 E9", "E6 E4"), "b", tail=(("w", "D5"), ("w", "E9")))
        ),
        requires=replace(NODES_AND_SCORE, abilities=frozenset({Ability.PLAYS_EITHER_COLOUR})),
        hint="lift the ban after the next move, whichever side plays it",
        kills=("ko-kept-by-taker",),
    ),
    must(
        id="ref.ko.after-passes",
        clause="simple-ko",
        title="After passes in the game, a playout may retake a ko: playouts know no superko.",
        procedure=near_end(
            Probe("ko-lifted", settled("D5", "E6 E4"), "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass")))
        ),
        requires=NODES_AND_SCORE,
        hint="compare with earlier boards in the game only, not in playouts",
    ),
)

CHECKS = _COUNTS + _LAST_POINT + SCORES + RULES + ROOT_KO + EMPTY_BOARD
