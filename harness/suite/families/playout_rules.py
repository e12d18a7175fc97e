"""`ref.eye.*`, `ref.suicide.*` and `ref.ko.*`: the rules of Go inside a playout.

The positions are near the end of a game. There, a playout by a wrong rule has another length or result.
"""

from __future__ import annotations

from dataclasses import replace

from harness.check.judges.moments import judge_moments
from harness.check.model import NODES_AND_SCORE, Ability
from harness.check.positions import settled
from harness.check.procedures.late_probes import near_end
from harness.check.procedures.probe import Probe
from harness.go import Colour
from harness.suite.statement import must

BOTH = judge_moments()
SIDES: tuple[Colour, Colour] = ("b", "w")

_RULES = (
    # id, clause, title, board, komi
    ("ref.eye.centre", "eye", "In the centre, a point with one enemy stone on its diagonals is still an eye.",
     settled("D5 E9", "E6"), 7.5),
    ("ref.eye.centre-two", "eye", "In the centre, a point with two enemy stones on its diagonals is no eye.",
     settled("D5 E9", "E6 E4"), 3.0),
    ("ref.eye.opponent", "eye", "A playout may play in an eye of the opponent when that captures stones.",
     settled("A1 D5 E9", white="A2 B2 B1"), 8.0),
    ("ref.eye.empty-diagonals", "eye",
     "An eye may have empty points on its diagonals: only enemy stones there count against it.",
     settled("D5 C6 E9", "E6"), 7.5),
    ("ref.eye.edge", "eye", "On an edge, a point with one enemy stone on its diagonals is no eye.",
     settled("D1 E9 G5 B5", "E2"), 4.0),
    ("ref.eye.corner", "eye", "In a corner, a point with an enemy stone on its diagonal is no eye.",
     settled("A1 E9 D5", "B2 C2 D2 E2 C1 D1 E1"), -8.0),
    ("ref.suicide.two", "no-suicide", "In a playout, a chain of two stones may not kill itself.",
     settled("J9 E9", black="J8"), 7.5),
    ("ref.suicide.capture", "no-suicide", "In a playout, a move that captures a stone is no suicide.",
     settled("G5", black="F6 F4"), 12.5),
    ("ref.ko.two", "simple-ko", "In a playout, a stone that has just taken a ko may not be retaken at once.",
     settled("D5 D2", "E6 E4 E3 E1"), 7.5),
)  # fmt: skip
_RULE_HINTS = {
    "eye": "an eye has own neighbours only and, on its diagonals, at most one enemy stone in the centre and "
    "none on an edge or in a corner; empty diagonals do not count",
    "no-suicide": "after removing captures, refuse a move whose whole chain has no liberty",
    "simple-ko": "after one stone captures one stone, forbid the captured point for the next move, and for "
    "no later one",
}
RULES = tuple(  # of each position a check with Black to move, and a check with White to move
    must(name + ("" if side == "b" else "-white"), title,
         near_end(Probe(f"{name.removeprefix('ref.')}-{side}", board, side, komi), BOTH,
                  least_quick=4 if clause == "eye" else 2),  # a bot may know only some of the edges
         requires=NODES_AND_SCORE,
         clause=clause, hint=_RULE_HINTS[clause])
    for name, clause, title, board, komi in _RULES
    for side in SIDES
)  # fmt: skip

GAME_KO = (  # a ko of the game, before the playout
    must("ref.ko.root", "The first move of a playout may not retake a ko that is in force in the game.",
         near_end(Probe("ko-root", settled("D5 E9", "E6 E4"), "b", tail=(("w", "D5"),)), BOTH),
         requires=NODES_AND_SCORE,
         clause="simple-ko", hint="pass the ko point of the game to each playout"),
    must("ref.ko.root-own",
         "The side that has just taken a ko may fill it: the ban holds for the other side only.",
         near_end(Probe("ko-own", settled("D5", "E6 E4"), "w", tail=(("w", "D5"),)), BOTH),
         requires=NODES_AND_SCORE,
         clause="simple-ko", hint="store the forbidden colour together with the ko point"),
    must("ref.ko.taker-again",
         "In a playout, a ko can be retaken once the side that took it has made another move.",
         near_end(Probe("ko-taker-again", settled("D5 E9", "E6 E4"), "b", tail=(("w", "D5"), ("w", "E9"))),
                  BOTH),
         requires=replace(NODES_AND_SCORE, abilities=frozenset({Ability.PLAYS_EITHER_COLOUR})),
         clause="simple-ko", hint="lift the ban after the next move, whichever side plays it",
         kills="ko-kept-by-taker"),
    must("ref.ko.after-passes",
         "After passes in the game, a playout may retake a ko: playouts know no superko.",
         near_end(Probe("ko-lifted", settled("D5", "E6 E4"), "b",
                        tail=(("w", "D5"), ("b", "pass"), ("w", "pass"))), BOTH), requires=NODES_AND_SCORE,
         clause="simple-ko",
         hint="a pass in the game lifts the ban; only the game, no playout, compares with earlier boards"),
)  # fmt: skip

CHECKS = RULES + GAME_KO
