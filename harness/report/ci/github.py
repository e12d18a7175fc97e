"""A check as annotations of GitHub Actions: lines of standard output that the runner shows with the job."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from harness.check.model import Level, Outcome, Result
from harness.report.numbers import amount
from harness.report.records.check import BotReport, CheckReport
from harness.report.text.cause_text import cause_of_each
from harness.report.visible import safe, shortened
from harness.suite.known_failures import PASSES_NOW

MOST = 10
"""Most errors about failures, and most warnings, of one bot. GitHub shows no more of a kind for one step."""

LONGEST = 500
"""Characters of a text in an annotation. Chosen: an annotation stays readable beside the code."""


@contextmanager
def commands_stopped(console: Console) -> Iterator[None]:
    """Make the runner ignore workflow commands in the output of a `with` block.

    A bot could answer with a line that looks like a command. It cannot end the block: the token is secret.
    """
    token = secrets.token_hex(16)
    console.print(f"::stop-commands::{token}", soft_wrap=True)
    try:
        yield
    finally:
        console.print(f"::{token}::", soft_wrap=True)


def show_annotations(console: Console, report: CheckReport) -> None:
    """Print the annotations of a report, without line breaks inside one."""
    for line in as_annotations(report):
        console.print(line, soft_wrap=True)


def as_annotations(report: CheckReport) -> list[str]:
    """The lines of the annotations, bot by bot; those of one bot with the most important first."""
    return [line for bot in report.bots for line in _annotations(bot)]


def annotation(kind: str, title: str, message: str) -> str:
    """The line of one annotation; `kind` is error, warning or notice."""
    return f"::{kind} title={_property(title)}::{_data(message)}"


def _annotations(bot: BotReport) -> Iterator[str]:
    """Yield the annotations of one bot; a single error if it cannot be run.

    Errors are about known failures that pass, and new failures; warnings about recommendations that were not
    followed. A notice lists the undecided checks. Of more than MOST new failures or MOST warnings, the last
    annotation lists those that are left.
    """
    findings, known = bot.findings, bot.settings.known or frozenset()
    if findings.unusable:
        message = _lines(findings.command, findings.unusable, findings.hint)
        yield annotation("error", "The bot cannot be run", message)
        return
    for result in findings.results:
        if result.outcome is Outcome.PASS and result.check.id in known:
            yield annotation("error", result.check.id, f"{result.check.id} {PASSES_NOW}")
    causes = cause_of_each(bot)
    rank = {cause.evidence: number for number, cause in enumerate(bot.diagnosis.causes)}
    notes = [result for result in bot.notes if result.check.level is not Level.INFO]
    for kind, results in (("error", bot.failures), ("warning", notes)):
        unknown = [result for result in results if result.check.id not in known]
        unknown.sort(key=lambda result: rank.get(result.check.id, len(rank)))
        shown = unknown if len(unknown) <= MOST else unknown[: MOST - 1]
        for result in shown:
            check = result.check
            title = f"{check.id} ({check.level.upper()}, clause {result.clause})"
            yield annotation(kind, title, _message(result, causes.get(check.id, ""), findings.command))
        if rest := unknown[len(shown) :]:
            ids = ", ".join(result.check.id for result in rest)
            yield annotation(kind, amount(len(rest), "more failing check"), ids)
    undecided = [result.check.id for result in findings.results if result.outcome is Outcome.INCONCLUSIVE]
    if undecided:
        yield annotation("notice", f"{amount(len(undecided), 'check')} undecided", ", ".join(undecided))


def _message(result: Result, cause: str, command: str) -> str:
    """The lines of an annotation about a failed check. `cause` may be empty."""
    judgement = result.judgement
    return _lines(
        cause,
        result.check.title,
        f"expected: {judgement.expected}",
        f"observed: {judgement.observed}",
        f"change: {judgement.hint}" if judgement.hint else "",
        f"bot: {command}",
    )


def _lines(*texts: str) -> str:
    return "\n".join(shortened(safe(text), LONGEST) for text in texts if text)


def _data(text: str) -> str:
    """The message of an annotation, in the escapes that the runner decodes."""
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The value of a property, such as the title. A comma or a colon would end it, and is escaped."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
