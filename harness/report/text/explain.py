"""The text of `conform explain`: a check, a clause with its checks, or a fault with those that catch it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from harness.check.clauses import CLAUSES, Clause
from harness.check.model import Check
from harness.report.numbers import amount
from harness.report.text.playouts import playout_lines
from refbot.deviations.fault import Fault

WIDTH = 100
"""Width of the sentences; boards and dialogues keep their width. Chosen: longer lines are hard to read."""

MOST_HINTS = 3
"""Most checks of a fault whose hints are printed. Chosen: the first checks were made for the fault."""


def explanation(check: Check, *, playouts: bool = False) -> str:
    """The text about a check.

    `playouts` adds the likeliest playouts of a conforming bot from the position of the check, or a sentence
    about why there are none.
    """
    lines = [f"{check.id}   {check.level.upper()}   clause {check.clause}", f"  {check.title}"]
    lines += _requirement(CLAUSES[check.clause])
    lines += ["", *(f"  {line}" if line else "" for line in check.procedure.describe())]
    if playouts:
        plan = check.procedure.search_plan
        expected = playout_lines(plan.probe) if plan is not None else []
        if expected:
            lines += ["", "  the expected playouts, the likeliest first, with their probabilities:"]
            lines += [f"    {line}" for line in expected]
        elif plan is not None:
            lines += ["", "  the expected playouts are too many, or too long, to be listed"]
        else:
            lines += ["", "  no position is searched"]
    if check.hint:
        lines += ["", f"  hint: {check.hint}"]
    if check.kills:
        lines += ["", f"  catches the faults: {', '.join(check.kills)}"]
    return "\n".join(lines)


def clause_explanation(clause: Clause, checks: Sequence[Check]) -> str:
    """The text about a clause: its requirement, and a line for each of its checks."""
    lines = [f"clause {clause.name}   {clause.level.upper()}", *_requirement(clause)]
    if clause.reading:
        lines += ["", *_wrapped(clause.reading)]
    lines += [
        "",
        f"  {amount(len(checks), 'check')}; conform explain ID shows one, "
        f"conform spec {clause.name} the whole clause:",
    ]
    return "\n".join([*lines, *_list(checks)])


def fault_explanation(fault: Fault, checks: Sequence[Check]) -> str:
    """The text about a known fault: what it does, the requirement, and the checks that catch it."""
    lines = [
        f"fault {fault.name}   clause {fault.clause}",
        *_wrapped(f"{fault.misconception} (as in: {fault.imitates})"),
        *_requirement(CLAUSES[fault.clause]),
        "",
        "  caught by:",
        *_list(checks),
        "",
        *(f"  hint: {hint}" for hint in dict.fromkeys(check.hint for check in checks[:MOST_HINTS]) if hint),
        f"  a bot that has it: {fault_bot(fault)}",
    ]
    return "\n".join(lines)


def fault_bot(fault: Fault) -> str:
    """The command of a reference bot with this fault, on a board on which it shows."""
    size = "" if fault.board == 9 else f" --size {fault.board}"
    return f"refbot gtp{' --extensions' if fault.extension else ''}{size} --fault {fault.name}"


def _list(checks: Sequence[Check]) -> list[str]:
    width = max((len(check.id) for check in checks), default=0)
    return [f"  {check.id:<{width}}  {check.level.upper():<6}  {check.title}" for check in checks]


def _requirement(clause: Clause) -> list[str]:
    return ["", *_wrapped(clause.requirement), f"  ({clause.source}; {clause.explained_by})"]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
