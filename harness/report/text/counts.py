"""How many checks ended how, in numbers and in sentences."""

from __future__ import annotations

from harness.check.model import REFUSING, Level, Outcome, Result
from harness.check.phases.findings import Findings
from harness.report.numbers import amount

NOTED = "noted"
"""How a failed check ended that does not refuse the bot: a SHOULD without --strict, an INFO."""


def weighty(*, strict: bool) -> set[Level]:
    """The levels whose failures refuse a bot."""
    return {Level.MUST, Level.SHOULD} if strict else {Level.MUST}


def ending(result: Result, *, strict: bool) -> str:
    """Return how a check ended: its outcome, or "noted" for a failure that does not refuse the bot.

    Signs and colours follow from it, so that none of them shows a note as a failure.
    """
    noted = result.outcome in REFUSING and result.check.level not in weighty(strict=strict)
    return NOTED if noted else str(result.outcome)


def note_text(level: Level, number: int) -> str:
    """Return what failures of a level are that do not refuse the bot."""
    if level is Level.INFO:
        return f"{amount(number, 'observation')} for your information"
    return f"{amount(number, 'recommendation')} not followed"


def counted(findings: Findings, *, strict: bool) -> dict[str, int]:
    """How many checks ended how."""
    counts: dict[str, int] = {str(outcome): 0 for outcome in Outcome} | {NOTED: 0}
    for result in findings.results:
        counts[ending(result, strict=strict)] += 1
    return counts


def ended_text(findings: Findings, *, strict: bool) -> str:
    """How many checks ended how, in words."""
    by_outcome = counted(findings, strict=strict)
    return ", ".join(f"{number} {kind}" for kind, number in by_outcome.items() if number)


def count_lines(findings: Findings, *, strict: bool, everything: bool = False) -> list[str]:
    """The checks by outcome, the searches with their time, and the chance of a false alarm; a line each.

    `everything` says how that chance is shared among the checks.
    """
    count, budget = findings.count, findings.budget
    number = f"{count.playouts} playouts a search ({count.source})" if count.playouts else "unknown playouts"
    lines = [
        f"{amount(len(findings.results), 'check')}: {ended_text(findings, strict=strict)}",
        f"{amount(findings.searches, 'search')}, {number}, {findings.seconds:.1f} s",
    ]
    if budget.shares:
        lines.append(f"chance of a false alarm, all checks together: at most {100 * budget.alpha:g} %")
        if everything:
            shared = f"shared by Holm's method among {amount(len(budget.shares), 'statistical check')}"
            lines.append(f"this chance is {shared}; used: {100 * budget.spent:.2g} %")
    return lines
