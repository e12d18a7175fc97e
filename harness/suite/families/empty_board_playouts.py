"""`ref.empty.*` and `ref.score.decimals*`: playouts from the empty board, and the decimals of ref-score."""

from __future__ import annotations

from dataclasses import replace

from harness.check.judges.decimals import judge_decimals, searches_for_decimals, shows_decimals
from harness.check.judges.enumerated_choice import choices
from harness.check.judges.moments import judge_moments
from harness.check.judges.moves import judge_symmetry
from harness.check.judges.repeats import judge_fresh, judge_spread_of_nodes
from harness.check.model import NODES_AND_SCORE
from harness.check.procedures.probe import empty_board
from harness.check.procedures.search import SearchProcedure
from harness.suite.statement import must, should

EMPTY_BOARD = empty_board(7.5)
WHITE_BEGINS = replace(empty_board(0.0), id="empty-white", to_move="w")
"""Without komi, White as the first player has the result that Black has in the table of expected values."""

TIED = choices("battery")["choices-02"].probe
"""The position of `ref.choice.02`. Half of its playouts end in a draw, so that even the mean of a hundred
playouts often needs a third decimal."""

LENGTH_MARGIN, SCORE_MARGIN, KOMI_MARGIN = 0.0173, 0.0202, 0.06
"""Margins in standard deviations of a playout: 0.25 % of the moves, and 0.01 and 0.03 of the score. The
section "How many searches a check makes" of docs/statistics.md gives the reasons."""
WHITE_MARGIN = 0.035
"""The margin for White's first move, in standard deviations of a playout. Chosen: playouts that begin with
Black change the result by 0.097, and a quick check, whose margin is three times this one, refuses them in 197
of 200 simulated runs."""

HALF_WINS = ", a draw counted as half a win"
"""End of a title about a komi at which draws occur."""

CHECKS = (
    must("ref.empty.length", "From the empty board, a playout has 111.06 moves on average.",
         SearchProcedure(EMPTY_BOARD, judge_moments(LENGTH_MARGIN, results=False), least=10, most=2000),
         requires=NODES_AND_SCORE,
         clause="uniform",
         hint="see first whether a ref.eye, ref.ko or ref.uniform check fails: each shows one rule"),
    must("ref.empty.score", "From the empty board at komi 7.5, Black wins 42.1 % of the playouts.",
         SearchProcedure(EMPTY_BOARD, judge_moments(result_margin=SCORE_MARGIN, lengths=False),
                         least=10, most=2000), requires=NODES_AND_SCORE,
         clause="uniform", hint="see first whether a ref.score or ref.end check fails: each shows one rule"),
    should("ref.score.decimals", "ref-score has at least three decimals.",
           SearchProcedure(EMPTY_BOARD, judge_decimals, least=12, most=12, least_quick=8,
                           shows=shows_decimals(EMPTY_BOARD)),
           requires=NODES_AND_SCORE, identifies=True,
           clause="ref-score", hint="print the mean with three decimals or more: 0.422",
           kills="refscore-two-decimals"),
    should("ref.score.decimals-drawn", "ref-score has at least three decimals where playouts are drawn too.",
           SearchProcedure(TIED, judge_decimals, least=8, most=8, least_quick=4,
                           needed=searches_for_decimals(TIED), shows=shows_decimals(TIED)),
           requires=NODES_AND_SCORE, identifies=True,
           clause="ref-score", hint="print the mean with three decimals or more: 0.505",
           kills="refscore-two-decimals"),
    must("ref.empty.spread", "Repeated searches differ from each other as much as independent playouts do.",
         SearchProcedure(EMPTY_BOARD, judge_spread_of_nodes, least=20, most=20, least_quick=10),
         requires=NODES_AND_SCORE, identifies=True,
         clause="fresh-randomness",
         hint="draw new random numbers for each playout and each search, from one generator"),
    must("ref.empty.fresh", "Two searches of one position draw different random numbers.",
         SearchProcedure(EMPTY_BOARD, judge_fresh, least=20, most=20, least_quick=10),
         requires=NODES_AND_SCORE, identifies=True,
         clause="fresh-randomness", hint="seed the generator once, when the bot starts, not at each search"),
    must("ref.empty.symmetry",
         "On the empty board, points that are images of each other are chosen equally often.",
         SearchProcedure(EMPTY_BOARD, judge_symmetry, least=20, most=20, least_quick=10),
         identifies=True,
         clause="uniform",
         hint="visit every point of the board in playouts, in the records and in the choice"),
    must("ref.empty.white", "In a new game, genmove w starts its playouts with White.",
         SearchProcedure(WHITE_BEGINS, judge_moments(result_margin=WHITE_MARGIN, lengths=False),
                         least=2, most=200),
         requires=NODES_AND_SCORE,
         clause="complete-games",
         hint="start each playout with the colour that genmove names, also before the first move of a game",
         kills="playouts-black-at-start"),
    *(must(f"ref.empty.komi-{komi:g}",
           f"From the empty board at komi {komi:g}, Black wins {rate} of the playouts{draws}.",
           SearchProcedure(empty_board(komi), judge_moments(result_margin=KOMI_MARGIN, lengths=False),
                           least=4, most=100, least_quick=2), requires=NODES_AND_SCORE,
           clause="komi", hint="count with the komi that was set last; a draw is half a win")
      for komi, rate, draws in ((0.0, "52.4 %", HALF_WINS), (5.5, "44.7 %", ""),
                                (7.0, "43.4 %", HALF_WINS))),
)  # fmt: skip
