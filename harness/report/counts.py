"""How many checks ended how, in numbers and in sentences."""

from __future__ import annotations

from harness.checks.execution.findings import Findings
from harness.checks.model import REFUSING, Level, Outcome
from harness.report.numbers import amount


def weighty(*, strict: bool) -> set[Level]:
    """The levels whose failures refuse a bot."""
    return {Level.MUST, Level.SHOULD} if strict else {Level.MUST}


def counted(findings: Findings, *, strict: bool) -> dict[str, int]:
    """How many checks ended how; a failure that does not refuse the bot is "noted"."""
    counts: dict[str, int] = {str(outcome): 0 for outcome in Outcome} | {"noted": 0}
    for result in findings.results:
        refuses = result.outcome in REFUSING and result.check.level in weighty(strict=strict)
        counts[str(result.outcome) if refuses or result.outcome not in REFUSING else "noted"] += 1
    return counts


def ended_text(findings: Findings, *, strict: bool) -> str:
    """How many checks ended how, in words."""
    by_outcome = counted(findings, strict=strict)
    return ", ".join(f"{number} {kind}" for kind, number in by_outcome.items() if number)


def count_lines(findings: Findings, *, strict: bool) -> list[str]:
    """The checks by outcome, the searches with their time, and the chance of an error; a line each."""
    count, budget = findings.count, findings.budget
    number = f"{count.playouts} playouts a search ({count.source})" if count.playouts else "unknown playouts"
    lines = [
        f"{amount(len(findings.results), 'check')}: {ended_text(findings, strict=strict)}",
        f"{amount(findings.searches, 'search')}, {number}, {findings.seconds:.1f} s",
    ]
    if budget.shares:
        lines.append(
            f"chance of refusing a bot that conforms: at most {budget.alpha:g}, "
            f"split by Holm over {len(budget.shares)} statistical checks; spent {budget.spent:.2g}"
        )
    return lines
