"""`ref.choice.*`: which move a bot chooses, where a conforming one can hardly choose another."""

from __future__ import annotations

from functools import partial

from harness.checks.judges import judge_ties
from harness.checks.model import Check, Level
from harness.checks.positions import DAME
from harness.checks.probe import Probe, Probing

must = partial(Check, level=Level.MUST)

SEARCHES, HASTY = 120, 48
"""Enough to see ties broken by a coin at each next one (a half, a quarter, …) and not only by order."""

MANY = 400.0
"""A komi beyond every margin: all playouts have one result, so that all candidates are equal."""

_TIES = (
    ("won", "All playouts are won.", Probe("all-won", DAME[4], "w", MANY)),
    ("lost", "All playouts are lost.", Probe("all-lost", DAME[4], "b", MANY)),
)
CHECKS = tuple(
    must(
        id=f"ref.choice.ties-{name}",
        clause="ties",
        title=f"{title} Each candidate is as good as the others, and one of them is chosen at random.",
        procedure=Probing(
            probe, judge_ties, least=SEARCHES, most=SEARCHES, hasty=HASTY, needs=(), needs_count=False
        ),
        hint="collect the candidates with the highest rate, then draw one of them",
    )
    for name, title, probe in _TIES
)
