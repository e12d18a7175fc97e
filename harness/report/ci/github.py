"""A check as annotations of GitHub Actions: lines of standard output that the runner shows beside a run.

While a report is printed, `stopped` and `resumed` keep the runner from reading commands in it: a bot could
answer with a line that looks like one.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from harness.check.model import REFUSING, Level, Outcome, Result
from harness.check.phases.findings import Findings
from harness.diagnosis.diagnose import Diagnosis
from harness.report.numbers import amount
from harness.report.records.check import CheckReport
from harness.report.text.cause_text import cause_of_each
from harness.report.text.counts import weighty
from harness.report.visible import safe, shortened
from harness.suite.known_failures import PASSES_NOW, surprises

MOST = 10
"""Annotations of each kind that GitHub shows for one step."""

LONGEST = 500
"""Characters of a text from outside."""


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
    known, strict = report.settings.known or frozenset(), report.settings.strict
    lines = []
    for findings, diagnosis in zip(report.findings, report.diagnoses, strict=True):
        lines += list(_of_bot(findings, diagnosis, known, strict=strict))
    return lines


def annotation(kind: str, title: str, message: str) -> str:
    """One line; `kind` is error, warning or notice."""
    return f"::{kind} title={_property(title)}::{_data(message)}"


def _of_bot(
    findings: Findings, diagnosis: Diagnosis, known: frozenset[str], *, strict: bool
) -> Iterator[str]:
    """Yield the failures that refuse the bot, beyond the known ones, and the undecided checks."""
    if findings.unusable:
        yield annotation(
            "error", "The bot cannot be run", _lines(findings.command, findings.unusable, findings.hint)
        )
        return
    causes = cause_of_each(findings, diagnosis)
    first = [cause.evidence for cause in diagnosis.causes]
    rank = {check: number for number, check in enumerate(first)}
    failing = sorted(
        (r for r in findings.results if r.outcome in REFUSING and r.check.id not in known),
        key=lambda result: rank.get(result.check.id, len(first)),
    )
    for check in surprises(findings.results, known, strict=strict).passed:
        yield annotation("error", check, f"{check} {PASSES_NOW}")
    heavy = weighty(strict=strict)
    for kind, results in (
        ("error", [result for result in failing if result.check.level in heavy]),
        ("warning", [r for r in failing if r.check.level not in heavy and r.check.level is not Level.INFO]),
    ):
        shown = results if len(results) <= MOST else results[: MOST - 1]
        for result in shown:
            cause = causes.get(result.check.id, "")
            yield annotation(kind, _title(result), _message(result, cause, findings.command))
        if len(results) > len(shown):
            more = ", ".join(result.check.id for result in results[len(shown) :])
            yield annotation(kind, f"{amount(len(results) - len(shown), 'more failing check')}", more)
    undecided = [result.check.id for result in findings.results if result.outcome is Outcome.INCONCLUSIVE]
    if undecided:
        yield annotation("notice", f"{amount(len(undecided), 'check')} undecided", ", ".join(undecided))


def _title(result: Result) -> str:
    return f"{result.check.id} ({str(result.check.level).upper()}, clause {result.clause})"


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
