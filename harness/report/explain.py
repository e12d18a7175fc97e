"""One check in words: the clause, the position, what is expected and why."""

from __future__ import annotations

import textwrap

from harness.checks.clauses import CLAUSES, Clause
from harness.checks.model import Check

WIDTH = 100
"""Columns of the sentences; boards and dialogues have their own."""


def explanation(check: Check) -> str:
    """Several lines of plain text."""
    lines = [f"{check.id}   {check.level.upper()}   clause {check.clause}", f"  {check.title}"]
    lines += _clause(CLAUSES[check.clause])
    lines += ["", *(f"  {line}" if line else "" for line in check.procedure.describe())]
    if check.hint:
        lines += ["", f"  hint: {check.hint}"]
    if check.kills:
        lines += ["", f"  catches the faults: {', '.join(check.kills)}"]
    return "\n".join(lines)


def _clause(clause: Clause) -> list[str]:
    sentence = textwrap.wrap(
        clause.requirement, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
    return ["", *sentence, f"  ({clause.source}; {clause.address})"]
