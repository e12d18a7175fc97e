"""`ref.nodes.clock-*`: the number of playouts does not depend on the time that a controller gives."""

from __future__ import annotations

from harness.check.model import Ability, Check, Level, Requirements
from harness.check.procedures.time_commands import Clock, PlayoutsByTheClock

COUNTS = frozenset({Ability.COUNTS_MOVES, Ability.SEARCHES_AGAIN, Ability.CLEARS_THE_BOARD})

CHECKS = (
    Check(
        id="ref.nodes.clock-ample",
        clause="ref-nodes",
        level=Level.MUST,
        title="A search has as many playouts with ample time on the clock as without a clock.",
        procedure=PlayoutsByTheClock((Clock("600 0 0", "600 0"), Clock("0 30 1", "30 1"))),
        requires=Requirements(
            commands=("ref-nodes",), optional_commands=("time_settings",), board_size=9, abilities=COUNTS
        ),
        hint="accept time_settings and time_left, and make the fixed number of playouts all the same",
        tolerates=("hurried",),
        kills=("clock-halves-playouts",),
    ),
    Check(
        id="ref.nodes.clock-short",
        clause="ref-nodes",
        level=Level.SHOULD,
        title="A search has as many playouts with a second left as without a clock.",
        procedure=PlayoutsByTheClock((Clock("600 0 0", "1 0"),)),
        requires=Requirements(
            commands=("ref-nodes",),
            optional_commands=("time_settings", "time_left"),
            board_size=9,
            abilities=COUNTS,
        ),
        hint="accept time_left, and make the fixed number of playouts all the same",
    ),
)
