"""`ref.nodes.*` and `ref.passes.*`: which moves a playout makes, and how ref-nodes counts them."""

from __future__ import annotations

from functools import partial

from harness.check.judges.moments import judge_moments
from harness.check.model import NODES_AND_SCORE, Check, Level
from harness.check.positions import MANY_EYES, ONLY_WHITE_MOVES
from harness.check.procedures.late_probes import FOUR, MOST, ONE, near_end
from harness.check.procedures.probe import Probe
from harness.check.procedures.refused_commands import NumbersKept
from harness.check.procedures.search import SearchProcedure
from harness.go import Colour

must = partial(Check, level=Level.MUST)

LENGTH = judge_moments(results=False)
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
            Probe(f"many-eyes-{side}", MANY_EYES, side, 4.0),
            judge_moments(),
            least=8,
            most=MOST,
            least_quick=4,
        ),
        requires=NODES_AND_SCORE,
        hint="pass only after every empty point was examined, not after a number of random tries",
        kills=("pass-after-tries",),
    )
    for side, suffix in zip(SIDES, ("", "-white"), strict=True)
)

CHECKS = _COUNTS + _LAST_POINT
