"""A check as Markdown, for the summary page of a CI system: the verdict, the causes, the failures.

Text from outside is put between `<code>` tags, where every character that Markdown could read is a numeric
entity. No reader of Markdown takes an entity for structure, for a link or for a mention.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.check.model import REFUSING, Result, Verdict
from harness.check.phases.findings import Findings
from harness.diagnosis.cause import Cause
from harness.diagnosis.diagnose import Diagnosis
from harness.report.records.check import CheckReport
from harness.report.signs import VERDICT_SIGNS
from harness.report.text.by_hand import selection
from harness.report.text.cause_text import cause_basis, cause_label, cause_title
from harness.report.text.counts import count_lines, weighty
from harness.report.text.undecided import open_lines, quoted
from harness.report.visible import safe, shortened
from harness.suite.known_failures import surprises

LONGEST = 300
"""Characters of a text from outside."""

MOST_ROWS = 40
"""Failures in the table."""

MOST_CAUSES = 3
_HARMLESS = frozenset(" ,;%'/=+-()?")


def as_markdown(report: CheckReport) -> str:
    """The report as one document."""
    parts = []
    for findings, verdict, diagnosis in zip(report.findings, report.verdicts, report.diagnoses, strict=True):
        parts += _bot(findings, verdict, diagnosis, report.settings.known, strict=report.settings.strict)
    return "\n".join(parts)


def code(text: str, longest: int = LONGEST) -> str:
    """Text from outside as code on one line; a line end becomes `<br>`."""
    shown = shortened(safe(text.strip()), longest)
    return f"<code>{''.join(map(_literal, shown))}</code>"


def _literal(char: str) -> str:
    if char == "\n":
        return "<br>"
    return char if char.isalnum() or char in _HARMLESS else f"&#{ord(char)};"


def _bot(
    findings: Findings, verdict: Verdict, diagnosis: Diagnosis, known: frozenset[str] | None, *, strict: bool
) -> list[str]:
    introduced = f" ({code(f'{findings.name} {findings.version}')})" if findings.name else ""
    lines = [f"### {VERDICT_SIGNS[verdict][0]} {verdict}: {code(findings.command)}{introduced}", ""]
    if findings.unusable:
        return [*lines, f"The bot cannot be run: {code(findings.unusable)} {code(findings.hint)}", ""]
    if findings.interrupted:
        lines += ["The run was interrupted.", ""]
    if known is not None:
        found = surprises(findings.results, known, strict=strict).sentences()
        lines += [f"- {sentence}" for sentence in found or ["All of these failures are known."]] + [""]
    by_id = {result.check.id: result for result in findings.results}
    for cause in diagnosis.causes[:MOST_CAUSES]:
        lines += _cause(cause, by_id[cause.evidence], first=cause is diagnosis.causes[0])
    failing = [
        r for r in findings.results if r.outcome in REFUSING and r.check.level in weighty(strict=strict)
    ]
    lines += _table(failing)
    if failing:
        again = f"conform check {quoted(findings.command)} {selection(failing[0])}"
        lines += [f"To see the first failure again: {code(again)}", ""]
    for line in open_lines(findings):
        lines += [f"Open: {code(line)}", ""]
    return [*lines, *(f"- {line}" for line in count_lines(findings, strict=strict)), ""]


def _cause(cause: Cause, evidence: Result, *, first: bool) -> list[str]:
    label = f"{'Start here' if first else 'Another cause'}, {cause_label(cause, evidence)}"
    return [f"**{label}:** {code(cause_title(cause, evidence))}<br>", f"{code(cause_basis(cause))}", ""]


def _table(failing: Sequence[Result]) -> list[str]:
    """The failures with a row each; empty without failures."""
    if not failing:
        return []
    rows = ["| check | level | clause | outcome | expected | observed |", "|---|---|---|---|---|---|"]
    for result in failing[:MOST_ROWS]:
        check, judgement = result.check, result.judgement
        cells = (
            code(check.id),
            str(check.level).upper(),
            code(result.clause),
            str(result.outcome),
            code(judgement.expected),
            code(judgement.observed),
        )
        rows.append(f"| {' | '.join(cells)} |")
    if len(failing) > MOST_ROWS:
        rows += ["", f"{len(failing) - MOST_ROWS} more failures are in the JSON report."]
    return [*rows, ""]
