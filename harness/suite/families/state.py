"""`ref.state.*`: a search depends on the position and the komi, not on the commands that led to them.

Other checks set up such positions directly. Here a detour leads to the position, one of `SETUP_PATHS` in
`harness.check.procedures.probe`: for example undo, an earlier search, or a komi that is set late.
`harness.suite.families` explains the notation of the positions.
"""

from __future__ import annotations

from dataclasses import replace

from harness.check.judges.moments import judge_moments
from harness.check.judges.move_cap import judge_cap
from harness.check.judges.moves import judge_moves, judge_ties
from harness.check.model import NODES_AND_SCORE, PLAYOUT_COUNT, Check
from harness.check.positions import (
    DAME,
    ONLY_BLACK_MOVES,
    TWO_WAYS,
    TWO_WAYS_DECIDED,
    TWO_WAYS_LOST,
    settled,
)
from harness.check.procedures.chosen_move import KOS
from harness.check.procedures.late_probes import CAP, late, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, SeriesJudge
from harness.suite.statement import must

BOTH = judge_moments()
NODES, SCORE = judge_moments(results=False), judge_moments(lengths=False)
SEARCHES, HASTY = 24, 12
"""Searches with two equal candidates, and those under a quick budget. Computed: all choose the same one by
chance once in 8 million runs, or once in 2,048 quick runs."""
MOST = 40
"""Limit of the searches of the other checks. Chosen: in nearly all of the positions one search is proof."""

BOTH_LOSE = Probe("", TWO_WAYS, "b", TWO_WAYS_LOST, turns=False)
"""Black has two candidates, D1 and E1, and loses every playout: the candidates are equal."""

AFTER_CAPTURES = Probe(
    "state-captured", settled("B1 B9 E9"), "w", 7.5, (("w", "A1"), ("b", "B1"), ("w", "A9"), ("b", "B9"))
)
"""Black has captured two stones, and leads by seven points once White has filled the neutral point."""

KO_OF_THE_GAME = Probe("", settled("D5 E9", "E6 E4"), "b", tail=(("w", "D5"),))
"""White has just taken a ko at D5: Black may not take it back at E5, and may fill the neutral point E9."""
KO_ONLY = Probe("", settled("D5", "E6 E4"), "b", tail=(("w", "D5"),))
"""KO_OF_THE_GAME without the neutral point: Black must pass."""
KO_LONG_AGO = Probe("", settled("D5", "E6 E4"), "b", tail=(("w", "D5"), ("b", "pass"), ("w", "pass")))
"""KO_ONLY after two passes: only superko keeps Black from taking the ko back."""
KO_STILL_TO_COME = Probe("", settled("D5 D2", "E6 E4 E3 E1"), "b")
"""Two kos that White may begin in a playout, at D5 and D2."""
ONE_POINT = passed_on(Probe("", ONLY_BLACK_MOVES, "b", -7.5), CAP - 1)
"""Black fills a point. The playout then ends at the cap; without a cap two passes follow."""

ALL_BLACKS = """
    X X .
    X X X
    . . X
"""
"""Black owns the nine points of a 3x3 board, and may still play on either point of the two-point eye."""


def by_detour(probe: Probe, setup_path: str, other_komi: float = 0.0, *, name: str) -> Probe:
    """Return the probe with the id `state-NAME`, to be set up by a detour of SETUP_PATHS.

    other_komi   komi that is in force on the detour, if it has the part "other-komi"
    """
    return replace(probe, id=f"state-{name}", setup_path=setup_path, other_komi=other_komi)


def _state(
    name: str,
    title: str,
    probe: Probe,
    judge: SeriesJudge,
    *,
    least: int = 2,
    clause: str,
    hint: str,
    kills: str = "",
    optional_size: bool = False,
) -> Check:
    """State a check of a search after a detour.

    least   least number of searches; with SEARCHES the check is about chosen moves: it needs no ref-nodes
    """
    most, quick = max(least, MOST), min(least, HASTY)
    procedure = SearchProcedure(probe, judge, least=least, most=most, least_quick=quick)
    needs = PLAYOUT_COUNT if least == SEARCHES else replace(NODES_AND_SCORE, optional_size=optional_size)
    return must(name, title, procedure, requires=needs, clause=clause, hint=hint, kills=kills)


CHECKS = (
    _state("ref.state.komi-last", "A search uses a komi that was set in mid-game.",
           by_detour(Probe("", DAME[1], "b", 8.5), "komi-last", 30.5, name="komi-last"), BOTH,
           clause="komi", hint="read komi when a search starts, not when a game does"),
    _state("ref.state.komi-searched",
           "A search after a change of komi ignores the komi of the search before.",
           by_detour(Probe("", DAME[1], "w", 6.5), "searched", 30.5, name="komi-searched"), BOTH,
           clause="komi", hint="read komi when a search starts; keep no results of an earlier one"),
    _state("ref.state.komi-before-board", "boardsize and clear_board keep the komi that was set before them.",
           by_detour(Probe("", DAME[1], "b", 8.5), "komi-first", 30.5, name="komi-first"), BOTH,
           clause="komi", hint="let boardsize and clear_board change the board and its history only"),
    _state("ref.state.komi-new-size", "A new board size leaves the komi as it was set.",
           by_detour(Probe("", ALL_BLACKS, "b", 9.5), "komi-other-size", name="komi-new-size"), BOTH,
           clause="komi", hint="let boardsize change the board and its history only",
           kills="komi-reset-by-size komi-scaled-by-size", optional_size=True),
    _state("ref.state.komi-undo", "undo takes back a move; it does not bring back an earlier komi.",
           by_detour(Probe("", DAME[1], "b", 8.5), "komi-before-undo", 30.5, name="komi-undo"), BOTH,
           clause="komi", hint="keep the komi apart from the history of the game", kills="komi-undone"),
    _state("ref.state.fresh-records",
           "A search starts with empty records, also in a position that was searched before.",
           by_detour(BOTH_LOSE, "searched", TWO_WAYS_DECIDED, name="records"), judge_ties, least=SEARCHES,
           clause="amaf", hint="set visits and wins to 0 at the start of every search",
           kills="records-of-the-game"),
    _state("ref.state.nodes-searched", "ref-nodes counts the moves of the last search only.",
           by_detour(KO_STILL_TO_COME, "searched", -50.5, name="searched"), NODES,
           clause="ref-nodes", hint="set the number of moves to 0 at the start of every search",
           kills="nodes-of-the-game"),
    _state("ref.state.searched", "ref-score is the mean of the last search only.",
           by_detour(KO_STILL_TO_COME, "searched", -50.5, name="searched"), SCORE,
           clause="ref-score", hint="set the sums to 0 at the start of every search"),
    _state("ref.state.out-of-turn",
           "Playouts begin with the colour that genmove names, also if that colour moved last.",
           Probe("state-out-of-turn", ONLY_BLACK_MOVES, "b", -7.5, tail=(("b", "pass"),)), BOTH,
           clause="complete-games",
           hint="start each playout with the colour that genmove names, whoever moved last",
           kills="playouts-follow-turn"),
    _state("ref.state.captured",
           "Stones that were captured in the game are no points at the end of a playout.",
           AFTER_CAPTURES, BOTH,
           clause="area-scoring", hint="count the board as a playout leaves it; prisoners are no points",
           kills="area-game-captures"),
    _state("ref.state.ko-undone",
           "After undo brings back a ko, the first move of a playout may not retake it.",
           by_detour(KO_OF_THE_GAME, "undone", name="ko-undone"), BOTH,
           clause="simple-ko", hint="undo restores the ko as well as the stones"),
    _state("ref.state.ko-generated",
           "After genmove has taken a ko, the first move of a playout may not retake it.",
           by_detour(KO_ONLY, "generated", name="ko-generated"), BOTH,
           clause="simple-ko", hint="genmove makes its move by the same function as play, which notes the ko",
           kills="ko-own-forgotten"),
    _state("ref.state.ko-undone-genmove", "After undo brings back a ko, genmove does not retake it.",
           by_detour(KO_ONLY, "undone", name="ko-only-undone"), judge_moves(("PASS",), KOS),
           clause="superko", hint="undo restores the history as well as the stones"),
    _state("ref.state.superko-undone",
           "After passes are undone, genmove still repeats no earlier board.",
           by_detour(KO_LONG_AGO, "undone-all-along", name="superko-undone"), judge_moves(("PASS",), KOS),
           clause="superko",
           hint="undo removes only the boards that the undone move had added",
           kills="superko-lost-with-pass"),
    _state("ref.state.cap-undone", "Moves that were taken back by undo do not count towards the move cap.",
           by_detour(late(CAP - 3), "undone", name="cap-undone"), judge_cap(either=True),
           clause="move-cap", hint="count the moves of the game as it stands"),
    _state("ref.state.cap-another-game", "The moves of the game before do not count towards the move cap.",
           by_detour(late(CAP - 3), "after-another-game", name="cap-another-game"), judge_cap(either=True),
           clause="move-cap", hint="let clear_board set the number of moves to 0",
           kills="clear-keeps-count count-never-reset"),
    _state("ref.state.cap-own-moves",
           "Moves that genmove played count towards the move cap like moves that play placed.",
           by_detour(ONE_POINT, "generated", name="cap-generated"), judge_cap(either=True, natural=3),
           clause="move-cap", hint="count every move of the game, whichever command made it"),
    _state("ref.state.superko-komi",
           "After komi is set in mid-game, genmove still repeats no earlier board.",
           by_detour(KO_LONG_AGO, "komi-last", 30.5, name="superko-komi"), judge_moves(("PASS",), KOS),
           clause="superko", hint="let komi set a number, and leave the history alone"),
    _state("ref.state.another-game",
           "A search after clear_board and a new komi uses no stone and no komi of the previous game.",
           by_detour(Probe("", settled("D1 E9 G5 B5", "E2"), "b", 4.0), "after-another-game", 30.5,
               name="another-game"), BOTH,
           clause="complete-games", hint="clear_board forgets stones, ko, moves and passes"),
    _state("ref.state.another-game-ko", "A search after clear_board obeys no ko ban of the game before.",
           by_detour(KO_STILL_TO_COME, "after-another-game", 30.5, name="another-game-ko"), BOTH,
           clause="complete-games", hint="clear_board forgets stones, ko, moves and passes"),
)  # fmt: skip
