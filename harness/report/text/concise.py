"""The report of a check with one line for each failure, for editors, `grep` and logs."""

from __future__ import annotations

from collections.abc import Iterator

from harness.check.model import Result
from harness.report.records.check import BotReport, CheckReport
from harness.report.visible import one_line

LONGEST = 160
"""Characters of each text in a line. Chosen: expectation and observation fit a line of an editor."""


def concise_lines(report: CheckReport) -> Iterator[str]:
    """Yield for each bot `BOT: verdict: cause`, then a line for each failure: first those of cause 1.

    A line has the parts `BOT: ID: LEVEL outcome: expected …; observed …; hint`.
    """
    for bot in report.bots:
        command = one_line(bot.findings.command)
        yield ": ".join(filter(None, (command, _verdict(bot), _reason(bot))))
        failures = {result.check.id: result for result in bot.failures}
        in_order = [check for cause in bot.diagnosis.causes for check in cause.explains]
        for check in dict.fromkeys([*in_order, *failures]):
            if check in failures:
                yield f"{command}: {_failure(failures[check])}"


def _verdict(bot: BotReport) -> str:
    return "interrupted" if bot.findings.interrupted else str(bot.verdict)


def _reason(bot: BotReport) -> str:
    """Why the bot is unusable, else its first cause; empty if it has none."""
    if bot.findings.unusable:
        return one_line(bot.findings.unusable, LONGEST)
    causes = bot.diagnosis.causes
    return f"{causes[0].name}, clause {causes[0].clause}" if causes else ""


def _failure(result: Result) -> str:
    """One failure, after the command of the bot."""
    check, judgement = result.check, result.judgement
    parts = (
        f"expected {one_line(judgement.expected, LONGEST)}" if judgement.expected else "",
        f"observed {one_line(judgement.observed, LONGEST)}" if judgement.observed else "",
        one_line(judgement.hint, LONGEST),
    )
    return f"{check.id}: {check.level.upper()} {result.outcome}: {'; '.join(filter(None, parts))}"
