"""Writes `docs/checks.md` from the registry of checks: each clause, its checks, and the faults they catch.

python -m harness.report.pages.checks_page > docs/checks.md
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from harness.check.clauses import CLAUSES, Clause
from harness.check.model import Check
from harness.check.profile import Profile
from harness.report.markdown import code, table
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

HEAD = """# Checks

<!-- Written by `make docs` from the registry of checks; do not edit. -->

Every check of `conform check`, by the clause of the [specification](spec.md), or of the
[protocol](gtp.md), that it holds a bot to.
*Catches* names the deliberate faults of `refbot` (`refbot faults` lists them) that a check claims for itself;
other checks may see the same fault. `conform explain ID` shows a check with its position or dialogue.
"""


def page(checks: Sequence[Check] = CHECKS) -> str:
    """The whole page, in Markdown."""
    sections = [
        _section(clause, [c for c in checks if c.clause == clause.name]) for clause in CLAUSES.values()
    ]
    return "\n".join([HEAD, _counts(checks), *sections])


def _counts(checks: Sequence[Check]) -> str:
    """The numbers of checks: by level, and of each kind of bot."""
    levels = [sum(check.level == level for check in checks) for level in ("must", "should", "info")]
    of_kinds = [
        f"- {sum(map(profile.includes, checks))} for {profile.description} (`--profile {profile}`)"
        for profile in Profile
    ]
    counts = "{} checks: {} MUST, {} SHOULD, {} INFO. How many a bot gets depends on what it is:\n"
    return "\n".join([counts.format(len(checks), *levels), *of_kinds, ""])


def _section(clause: Clause, checks: Sequence[Check]) -> str:
    """The section about a clause: its requirement, its checks, its faults."""
    source = f"[{clause.source}]({clause.page}.md#{clause.name})"
    lines = [f"## {clause.name}", "", f"{clause.requirement} ({source})", ""]
    if checks:
        lines += table(("check", "level", "what it requires", "catches"), map(_row, checks))
    elif clause.shown_by == "match":
        lines.append("No search shows this: it takes games between bots.")
    else:
        lines.append("No check yet.")
    faults = sorted(name for name, fault in FAULTS.items() if fault.clause == clause.name)
    if faults:
        lines += ["", f"Faults of this clause: {', '.join(map(code, faults))}."]
    return "\n".join([*lines, ""])


def _row(check: Check) -> Sequence[str]:
    catches = ", ".join(map(code, check.kills))
    return code(check.id), check.level.upper(), check.title, catches


if __name__ == "__main__":
    sys.stdout.write(page())
