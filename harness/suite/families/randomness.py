"""`ref.fresh.*`: each process of the bot draws its own random numbers."""

from __future__ import annotations

from harness.check.model import Requirements
from harness.check.procedures.twin_processes import NoClockSeed, NoFixedSeed
from harness.suite.statement import must, should

SEARCHES = Requirements(commands=("ref-nodes",), board_size=9)

CHECKS = (
    must("ref.fresh.clock", "Two processes that start in the same second make different searches.",
         NoClockSeed(), requires=SEARCHES,
         clause="fresh-randomness",
         hint="take the seed from the operating system, not from a clock that counts whole seconds"),
    should("ref.fresh.processes",
         "Two processes of the bot make different searches when they are given no seed.",
         NoFixedSeed(), requires=SEARCHES, shares="ref.fresh.clock",
         clause="fresh-randomness", hint="take the seed from the operating system when no seed is given"),
)  # fmt: skip
