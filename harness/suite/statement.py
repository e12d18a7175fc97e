"""How a check is stated: `must(id, title, procedure, …)`, `should(…)`, `info(…)`.

A family module lists its checks in this form. The first line has the id and the title, a sentence of what a
conforming bot does; then comes the procedure, which says how the check is made; then the clause of the
specification, the hint for the author of a failing bot, and the faults that the check must catch (`kills`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.check.model import Check, Level, Procedure, Requirements

RULES_OF_CLAUSE = {
    "no-suicide": "suicide=forbidden",
    "superko": "superko=positional",
    "area-scoring": "scoring=area",
    "best-rate": "passing=reference",
    "no-early-pass": "passing=reference",
    "eye": "passing=reference",
}
"""By clause: the rule without which a game of a bot need not follow it."""


def _stated(
    level: Level,
    name: str,
    title: str,
    procedure: Procedure,
    *,
    clause: str = "gtp",
    requires: Requirements = Requirements(),  # noqa: B008 (frozen)
    hint: str = "",
    kills: str = "",
    tolerates: str = "",
    may_stay_open: bool = False,
    identifies: bool = False,
    shares: str = "",
    rules: str | None = None,
) -> Check:
    """A check of this level. `Check` explains the fields; `kills` and `tolerates` are divided by blanks.

    rules   rules by which the bot must play, divided by blanks; None for those of the clause, in a check of
            the game; the playouts of a bot have rules of their own
    """
    if rules is None:
        rules = RULES_OF_CLAUSE.get(clause, "") if name.startswith("game.") else ""
    requires = replace(requires, rules=(*requires.rules, *rules.split()))
    return Check(
        name, clause, level, title, procedure, requires, hint, tuple(kills.split()), tuple(tolerates.split()),
        may_stay_open, identifies, shares,
    )  # fmt: skip


must = partial(_stated, Level.MUST)
should = partial(_stated, Level.SHOULD)
info = partial(_stated, Level.INFO)
