"""A check as annotations of GitHub Actions: lines of standard output that the runner shows beside a run."""

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
"""Annotations of each kind that GitHub shows for one step, by its documentation of workflow commands."""

LONGEST = 500
"""Characters of a text from outside. Chosen: an annotation stays readable beside the code."""


@contextmanager
def commands_stopped(console: Console) -> Iterator[None]:
    """Keep the runner from reading commands in what a `with` block prints.

    A bot could answer with a line that looks like a command. It does not know the token that ends this.
    """
    token = secrets.token_hex(16)
    console.print(f"::stop-commands::{token}")
    try:
        yield
    finally:
        console.print(f"::{token}::")


def show_annotations(console: Console, report: CheckReport) -> None:
    """Print the lines, none of them wrapped."""
    for line in as_annotations(report):
        console.print(line, soft_wrap=True)


def as_annotations(report: CheckReport) -> list[str]:
    """The lines, one for each annotation, what to look at first comes first."""
    return [line for bot in report.bots for line in _annotations(bot)]


def annotation(kind: str, title: str, message: str) -> str:
    """One line; `kind` is error, warning or notice."""
    return f"::{kind} title={_property(title)}::{_data(message)}"


def _annotations(bot: BotReport) -> Iterator[str]:
    """Yield the failures that refuse the bot, beyond the known ones, and the undecided checks."""
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
    """Text after `::`, as the runner decodes it."""
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Text of a property, which ends at a comma or a colon."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
