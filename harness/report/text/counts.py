"""The counts at the end of a check's report: checks by ending, searches, and the chance of a false alarm."""

from __future__ import annotations

from collections import Counter

from harness.check.model import Level, Outcome
from harness.check.phases.eligibility import unlisted_commands
from harness.check.phases.findings import Findings
from harness.check.profile import Profile
from harness.report.numbers import amount
from harness.report.records.check import NOTED, BotReport


def note_text(level: Level, number: int) -> str:
    """The number of failed INFO checks, or of failed SHOULD checks that do not refuse the bot, in words."""
    if level is Level.INFO:
        return f"{amount(number, 'observation')} for your information"
    return f"{amount(number, 'recommendation')} not followed"


def checks_text(findings: Findings) -> str:
    """The number of checks, and the profile that they belong to unless it is that of a reference bot."""
    of_profile = "" if findings.profile is Profile.REFERENCE else f" of the profile {findings.profile}"
    return amount(len(findings.results), "check") + of_profile


def ended_text(bot: BotReport) -> str:
    """The number of checks by their ending, in words: "40 pass, 2 fail, 3 skip (1 about commands that …)"."""
    results, commands = bot.findings.results, bot.findings.commands or frozenset()
    counts = Counter(map(bot.ending, results))
    words = {how: f"{counts[how]} {how}" for how in (*Outcome, NOTED) if counts[how]}
    skipped = (result.check.needs for result in results if result.outcome is Outcome.SKIP)
    if unlisted := sum(bool(unlisted_commands(needs, commands)) for needs in skipped):
        words[Outcome.SKIP] += f" ({unlisted} about commands that the bot does not have)"
    return ", ".join(words.values())


def count_lines(bot: BotReport, *, everything: bool = False) -> list[str]:
    """A line for the checks by ending, one for the searches and the duration of the run.

    If the run has statistical checks, a third line has the chance of a false alarm, and `everything` adds a
    line about the division of this chance among them.
    """
    findings, count, budget = bot.findings, bot.findings.count, bot.findings.budget
    if findings.profile is Profile.GTP:
        number = ""  # it does not matter
    elif count.playouts:
        number = f", {count.playouts} playouts a search ({count.source})"
    else:
        number = ", unknown playouts"
    lines = [
        f"{checks_text(findings)}: {ended_text(bot)}",
        f"{amount(findings.searches, 'search')}{number}, {findings.seconds:.1f} s",
    ]
    if budget.shares:
        lines.append(f"chance of a false alarm, all checks together: at most {100 * budget.alpha:g} %")
        if everything:
            shared = f"shared by Holm's method among {amount(len(budget.shares), 'statistical check')}"
            lines.append(f"this chance is {shared}; used: {100 * budget.spent:.2g} %")
    return lines
