"""`ref.nodes.*` and `ref.passes.*`: the moves and passes of a playout, and their number in ref-nodes.

In each of the positions every playout has the same length, so a search with another number is proof.
"""

from __future__ import annotations

from harness.check.judges.moments import judge_moments
from harness.check.model import NODES_AND_SCORE
from harness.check.positions import MANY_EYES, ONLY_WHITE_MOVES, TWO_WHITE_MOVES
from harness.check.procedures.late_probes import FOUR, MOST, ONE, near_end
from harness.check.procedures.probe import Probe
from harness.check.procedures.refused_commands import NumbersKept
from harness.check.procedures.search import SearchProcedure
from harness.go import Colour
from harness.suite.statement import must

LENGTH = judge_moments(results=False)
SIDES: tuple[Colour, Colour] = ("b", "w")

_COUNTS = (
    must("ref.nodes.three", "ref-nodes counts every move of a playout, both closing passes included.",
         near_end(ONE, LENGTH), requires=NODES_AND_SCORE,
         clause="ref-nodes", hint="one neutral point is filled, then both sides pass: 3 moves a playout",
         kills="nodes-no-passes nodes-one-pass nodes-own-moves nodes-cumulative nodes-stale"),
    must("ref.nodes.six", "ref-nodes counts the moves of both sides.",
         near_end(FOUR, LENGTH), requires=NODES_AND_SCORE,
         clause="ref-nodes", hint="four neutral points are filled, then both sides pass: 6 moves a playout"),
    must("ref.nodes.kept", "play and komi leave ref-nodes and ref-score as they are.",
         NumbersKept((b"play w pass\n", b"komi -99.5\n", b"play b A1\n", b"play w J1\n"), refused=False),
         clause="ref-nodes", hint="only a new search may change the numbers of the last one",
         kills="play-forgets-search"),
    must("ref.passes.forced",
         "In a playout, a side without a legal point passes, and the other side may still move.",
         near_end(Probe("only-white-b", ONLY_WHITE_MOVES, "b"), LENGTH), requires=NODES_AND_SCORE,
         clause="forced-pass",
         hint="Black passes, White fills G1, both pass: 4 moves; a playout ends after two passes in a row"),
    must("ref.passes.game", "A pass of the game does not count as one of the two passes that end a playout.",
         near_end(Probe("only-white-after-pass", ONLY_WHITE_MOVES, "b", tail=(("w", "pass"),)), LENGTH),
         requires=NODES_AND_SCORE,
         clause="two-passes", hint="count only the passes of the playout", kills="game-pass-counts"),
    must("ref.passes.between", "A stone between two passes of a playout sets the number of passes back to 0.",
         near_end(Probe("two-white-b", TWO_WHITE_MOVES, "b"), LENGTH), requires=NODES_AND_SCORE,
         clause="two-passes",
         hint="Black passes, White fills G1, Black passes, White fills G9, both pass: 6 moves",
         kills="passes-in-all"),
    must("ref.passes.two", "A playout ends exactly after two passes in a row.",
         near_end(Probe("only-white-w", ONLY_WHITE_MOVES, "w"), LENGTH), requires=NODES_AND_SCORE,
         clause="two-passes", hint="White fills G1, then both pass: 3 moves"),
)  # fmt: skip
_LAST_POINT = tuple(
    must(f"ref.passes.last-point{suffix}",
         "A playout finds the only point that it may play among thirty other empty points.",
         SearchProcedure(Probe(f"many-eyes-{side}", MANY_EYES, side, 4.0), judge_moments(), least=8,
                         most=MOST, least_quick=4), requires=NODES_AND_SCORE,
         clause="forced-pass",
         hint="pass only after you have examined every empty point, not after some random tries",
         kills="pass-after-tries")
    for side, suffix in zip(SIDES, ("", "-white"), strict=True)
)  # fmt: skip

CHECKS = _COUNTS + _LAST_POINT
