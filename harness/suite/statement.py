"""How a check is stated: `must(id, title, procedure, …)`, `should(…)`, `info(…)`.

A family module lists its checks in this form. The title is a sentence: what a conforming bot does. The
procedure makes the check, and `requires` says without what the check does not run. `clause` is the clause of
the specification, `hint` is for the author of a failing bot, and `kills` names the faults that the check must
catch. An example:

    must("gtp.tools.cputime", "cputime answers seconds that never fall.",
         RisingSeconds("cputime"), requires=having("cputime"),
         clause="gtp-tools", hint="answer the processor time of the engine in seconds, as a bare number",
         kills="cpu-time-falls cpu-time-with-unit", tolerates="cpu-time-whole")
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.check.model import Ability, Check, Level, Procedure, Requirements

RULES_OF_CLAUSE = {
    "no-suicide": "suicide=forbidden",
    "superko": "superko=positional",
    "area-scoring": "scoring=area",
    "best-rate": "passing=reference",
    "no-early-pass": "passing=reference",
    "eye": "passing=reference",
}
"""By clause: the rule that a `game.*` check of the clause requires.

The check is skipped for a bot that plays by other rules.
"""


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
    """Return a check of this level. `Check` explains the other fields.

    name               the id, or an `Ability` whose value is the id
    kills, tolerates   names of faults and of habits, divided by blanks
    rules              rules of the game by which the bot must play, divided by blanks. None: in a `game.*`
                       check the rule in RULES_OF_CLAUSE, else none, since playouts have rules of their own
    """
    if rules is None:
        rules = RULES_OF_CLAUSE.get(clause, "") if name.startswith("game.") else ""
    requires = replace(requires, rules=(*requires.rules, *rules.split()))
    return Check(
        name, clause, level, title, procedure, requires, hint, tuple(kills.split()), tuple(tolerates.split()),
        may_stay_open, identifies, shares,
    )  # fmt: skip


def having(*commands: str) -> Requirements:
    """Return the requirement that the bot has all these commands; else the check is skipped."""
    return Requirements(optional_commands=commands)


def relying_on(*abilities: Ability) -> Requirements:
    """Return the requirement that the bot has all these abilities; else the check is blocked."""
    return Requirements(abilities=frozenset(abilities))


must = partial(_stated, Level.MUST)
should = partial(_stated, Level.SHOULD)
info = partial(_stated, Level.INFO)
