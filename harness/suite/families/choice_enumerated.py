"""`ref.choice.close-*` and `ref.choice.captures-*`: chosen moves where all AMAF records are enumerated.

`harness.tools.find_close` found the positions of `close-*`: the best rate is less than a hundredth above
another rate. `harness.tools.find_bookkeeping` found those of `captures-*`: a bot with wrong records of points
where stones are captured, retaken, or placed by both sides chooses another move.
"""

from __future__ import annotations

from harness.check.judges.enumerated_choice import choice_procedure, choices, entries
from harness.check.model import PLAYOUT_COUNT
from harness.suite.statement import must

SEARCHES, HASTY = 8, 4
"""Least searches at a position with close rates, and those under a quick budget; chosen: gross faults show in
them. At some numbers of playouts, wrong rules of choice need more searches (see `choice_procedure`)."""

MORE_SEARCHES, MORE_HASTY = 24, 10
"""Least searches at a position with captures, and those under a quick budget. Chosen: errors of records are
smaller than those of rules of choice."""

CLOSE = tuple(
    must(f"ref.choice.{entry['id']}",
         "The bot chooses the highest rate even if another rate is less than a hundredth below it.",
         choice_procedure(choices("close")[entry["id"]], SEARCHES, HASTY), requires=PLAYOUT_COUNT,
         clause="best-rate",
         hint="compare wins / visits as they are: no rounding, no tolerance, nothing added",
         kills=" ".join(entry["separates"]))
    for entry in entries("close")
)  # fmt: skip

CAPTURES = tuple(
    must(f"ref.choice.captures-{number + 1}",
         "A point counts for the side that played there first, even if that stone is captured later.",
         choice_procedure(choice, MORE_SEARCHES, MORE_HASTY), requires=PLAYOUT_COUNT, clause="amaf",
         hint="record the first play on each point when it is made: captures and later plays change nothing")
    for number, choice in enumerate(choices("bookkeeping").values())
)  # fmt: skip

CHECKS = CLOSE + CAPTURES
