"""`ref.choice.close-*` and `ref.choice.captures-*`: chosen moves where all AMAF records are enumerated.

`harness.tools.find_close` found the first positions: the best rate is less than a hundredth above another.
`harness.tools.find_bookkeeping` found the others: a bot chooses another move if it keeps wrong records of
points where stones are captured, retaken, or placed by both sides.
"""

from __future__ import annotations

from harness.check.judges.moves import choice_procedure, entries
from harness.check.model import PLAYOUT_COUNT
from harness.suite.statement import must

CLOSE = tuple(
    must(f"ref.choice.close-{number + 1}",
         "The bot chooses the highest rate even if another rate is less than a hundredth below it.",
         choice_procedure("close", number), requires=PLAYOUT_COUNT,
         clause="best-rate",
         hint="compare wins / visits as they are: no rounding, no tolerance, nothing added",
         kills=" ".join(entry["separates"]))
    for number, entry in enumerate(entries("close"))
)  # fmt: skip

CAPTURES = tuple(
    must(f"ref.choice.captures-{number + 1}",
         "A point counts for the side that played there first, even if that stone is captured later.",
         choice_procedure("bookkeeping", number), requires=PLAYOUT_COUNT, clause="amaf",
         hint="record the first play on each point when it is made: captures and later plays change nothing")
    for number in range(len(entries("bookkeeping")))
)  # fmt: skip

CHECKS = CLOSE + CAPTURES
