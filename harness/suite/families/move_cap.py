"""`ref.cap.*`: the move cap, and from where a bot counts.

The clause can be read in two ways: 3 N N moves from the start of the real game (our reading, SHOULD), or from
the start of the playout. What agrees with neither is a fault (MUST).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.check.judges.moments import (
    judge_cap,
    judge_mixed_cap,
    judge_moments,
    judge_single_moves,
    of_single_moves,
)
from harness.check.model import NODES_AND_SCORE, Check, Level
from harness.check.positions import EMPTY, NATURAL_LENGTH, NATURAL_SD, STONES_PLAYED
from harness.check.procedures.late_probes import CAP, late, passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure
from harness.go import Colour

must = partial(Check, clause="move-cap", level=Level.MUST)
should = partial(Check, clause="move-cap", level=Level.SHOULD)

LOST = 400.0

NEUTRAL = replace(late(CAP), id="neutral", komi=6.0)
"""A playout of one move leaves three neutral points; without them the game is drawn at this komi."""


def _walled(side: Colour) -> Probe:
    """Each colour has walled off a side of the board; that of `side` is larger, whatever the last move is.

    Between the walls lies no one's land. The larger side is 9 points ahead, and half of that is komi: a bot
    that does not count the empty points behind the walls takes the other for the winner.
    """
    near, far = ("X", "O") if side == "b" else ("O", "X")
    board = "\n".join([f". . . {near} . . {far} . ."] * 9)
    drawn = Probe(f"walls-{side}", board, side, 4.5 if side == "b" else -4.5)
    return passed_on(drawn, CAP if side == "b" else CAP + 1)


MANY_STONES = passed_on(Probe("late-stones", EMPTY, "b", LOST, STONES_PLAYED), CAP - 3)
"""Three moves before the cap, after 200 stones and 40 passes; at this komi Black loses every playout."""

_LATE = (
    (CAP - 3, "three", "A playout that starts three moves before the cap has three moves."),
    (CAP - 1, "one", "A playout that starts one move before the cap has one move."),
    (CAP, "none", "A playout that starts at the cap still has one move."),
    (CAP + 10, "beyond", "A playout that starts far beyond the cap still has one move."),
)
_SIDES: tuple[tuple[str, Colour], ...] = (("black", "b"), ("white", "w"))
CHECKS = (
    must(
        id="ref.cap.small-board",
        title="From the empty 3x3 board, where the move cap of 27 ends many playouts, their means are right.",
        procedure=SearchProcedure(
            Probe("empty-3x3", ". . .\n. . .\n. . .", "b", 0.5, table="3x3 empty, komi 0.5"),
            judge_moments(0.03, 0.03),
            least=4,
            most=60,
        ),
        requires=replace(NODES_AND_SCORE, optional_size=True),
        hint="stop after 27 moves on 3x3, not before, and count the board as it stands",
    ),
    *(
        must(
            id=f"ref.cap.{name}",
            title=title,
            procedure=SearchProcedure(late(made), judge_cap(either=True), least=1, most=1),
            requires=NODES_AND_SCORE,
            hint="stop at 243 moves on 9x9, passes included, but not before the first",
        )
        for made, name, title in _LATE
    ),
    must(
        id="ref.cap.stones-and-passes",
        title="The move cap counts the passes of the game as it counts its stones.",
        procedure=SearchProcedure(MANY_STONES, judge_mixed_cap(NATURAL_LENGTH, NATURAL_SD), least=1, most=1),
        requires=NODES_AND_SCORE,
        hint="count a pass of the game like any other move",
        kills=("cap-passes-uncounted",),
    ),
    must(
        id="ref.cap.scored",
        title="A playout that the move cap ends is scored as it stands.",
        procedure=SearchProcedure(
            late(CAP - 1), of_single_moves(judge_moments(lengths=False)), least=1, most=1
        ),
        requires=NODES_AND_SCORE,
        hint="count the board when a playout ends, whatever ended it",
        kills=("cap-is-draw",),
    ),
    must(
        id="ref.score.neutral",
        clause="area-scoring",
        title="An empty region that touches both colours counts for neither colour.",
        procedure=SearchProcedure(NEUTRAL, judge_single_moves(0.05), least=8, most=8),
        requires=NODES_AND_SCORE,
        hint="flood each empty region: it counts only if it reaches one colour alone",
    ),
    *(
        must(
            id=f"ref.score.region-{name}",
            clause="area-scoring",
            title=f"A large empty region that touches {name} stones alone counts for {name}.",
            procedure=SearchProcedure(_walled(side), judge_single_moves(0.05), least=2, most=4),
            requires=NODES_AND_SCORE,
            hint="flood each empty region, however large: it counts for the one colour that it reaches",
            kills=("area-single-points", "area-first-neighbour", "area-stones-only"),
        )
        for name, side in _SIDES
    ),
    should(
        id="ref.cap.game",
        title="The move cap counts the moves of the real game, not only those of the playout.",
        procedure=SearchProcedure(late(CAP - 3), judge_cap(either=False), least=1, most=1),
        requires=NODES_AND_SCORE,
        hint="the exception for a first move has a meaning only if the game's own moves count",
    ),
)
