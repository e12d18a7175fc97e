"""`ref.choice.captures-*`: AMAF records where stones are taken, retaken, or placed by both sides.

`harness.tools.find_bookkeeping` found positions in which wrong records of such points choose another move.
"""

from __future__ import annotations

from harness.check.judges.moves import choice_procedure, entries
from harness.check.model import PLAYOUT_COUNT, Check, Level

DATA = "bookkeeping"

CHECKS = tuple(
    Check(
        id=f"ref.choice.captures-{number + 1}",
        clause="amaf",
        level=Level.MUST,
        title="A point counts for whoever played there first, even if that stone is captured later.",
        procedure=choice_procedure(DATA, number),
        requires=PLAYOUT_COUNT,
        hint="record the first play on each point when it is made: captures and later plays change nothing",
    )
    for number in range(len(entries(DATA)))
)
