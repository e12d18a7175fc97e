"""`ref.fresh.*`: random numbers that differ from process to process."""

from __future__ import annotations

from harness.check.model import Check, Level, Requirements
from harness.check.procedures.instances import NoClockSeed, NoFixedSeed

SEARCHES = Requirements(commands=("ref-nodes",), board_size=9)

CHECKS = (
    Check(
        id="ref.fresh.clock",
        clause="fresh-randomness",
        level=Level.MUST,
        title="Two processes that start in the same second make different searches.",
        procedure=NoClockSeed(),
        requires=SEARCHES,
        hint="take the seed from the operating system, not from a clock that counts whole seconds",
    ),
    Check(
        id="ref.fresh.processes",
        clause="fresh-randomness",
        level=Level.SHOULD,
        title="Two processes of the bot make different searches, unless its user gives it a seed.",
        procedure=NoFixedSeed(),
        requires=SEARCHES,
        hint="take the seed from the operating system when no seed is given",
        shares="ref.fresh.clock",
    ),
)
