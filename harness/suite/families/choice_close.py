"""`ref.choice.close-*`: the highest rate is chosen even if another is less than a hundredth below it.

`harness.tools.find_close` found the positions.
"""

from __future__ import annotations

from harness.check.judges.moves import choice_procedure, entries
from harness.check.model import PLAYOUT_COUNT, Check, Level

DATA = "close"

CHECKS = tuple(
    Check(
        id=f"ref.choice.close-{number + 1}",
        clause="best-rate",
        level=Level.MUST,
        title="The bot chooses the highest rate even if another rate is less than a hundredth below it.",
        procedure=choice_procedure(DATA, number),
        requires=PLAYOUT_COUNT,
        hint="compare wins / visits as they are: no rounding, no tolerance, nothing added",
        kills=tuple(entry["separates"]),
    )
    for number, entry in enumerate(entries(DATA))
)
