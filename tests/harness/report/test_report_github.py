"""Annotations of GitHub Actions, decoded as its runner decodes them."""

from __future__ import annotations

import re
from dataclasses import replace

from rich.console import Console

from harness.check.model import Level, Outcome
from harness.check.phases.findings import Findings
from harness.report.ci.github import MOST, annotation, as_annotations, commands_stopped
from harness.report.terminal import recorded
from harness.suite.registry import select
from tests.harness.report.html.page_helpers import found, report_of

FAULT = "eye-edge-as-centre"


def decoded(line: str) -> tuple[str, str, str]:
    """Kind, title and message of one annotation, as the runner reads them."""
    match = re.fullmatch(r"::(error|warning|notice) title=([^:,]*)::(.*)", line)
    assert match is not None, line
    kind, title, message = match.groups()
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        title = title.replace(code, char)
        if char not in ":,":
            message = message.replace(code, char)
    return kind, title, message


def with_outcomes(level: Level, outcome: Outcome, number: int) -> Findings:
    """Findings in which this number of checks of a level end so, and all others pass."""
    checks = [check for check in select() if check.level is level][:number]
    model = found(FAULT).results[-1]
    results = [
        replace(model, check=check, judgement=replace(model.judgement, outcome=outcome)) for check in checks
    ]
    return replace(found(""), results=tuple(results))


def test_a_narrow_terminal_does_not_break_the_token() -> None:
    def show(console: Console) -> None:
        with commands_stopped(console):
            pass

    first, last = recorded(20, show).splitlines()
    assert first == f"::stop-commands::{last.strip(':')}"


def test_what_was_written_is_what_is_shown() -> None:
    title, message = "50 %: a, b", "100 %0A\n50 %, so: a\n::error::x"
    assert decoded(annotation("error", title, message)) == ("error", title, message)


def test_a_failure_is_an_error_and_the_evidence_of_the_first_cause_comes_first() -> None:
    report = report_of(found(FAULT))
    lines = [decoded(line) for line in as_annotations(report)]
    kind, title, message = lines[0]
    assert kind == "error"
    assert title.startswith(report.diagnoses[0].causes[0].evidence)
    assert message.startswith("probable fault: One enemy diagonal is allowed on the edge too.\n")
    assert "expected: " in message
    assert "observed: " in message
    failing = {result.check.id for result in report.findings[0].results if result.refuses}
    assert {title.split()[0] for kind, title, _ in lines if kind == "error"} == failing


def test_a_bot_that_conforms_has_none() -> None:
    right = found("")
    passing = tuple(replace(r, judgement=r.judgement.with_outcome(Outcome.PASS)) for r in right.results)
    assert as_annotations(report_of(replace(right, results=passing))) == []


def test_a_should_is_a_warning_unless_strict_and_what_is_undecided_a_notice() -> None:
    failing = report_of(with_outcomes(Level.SHOULD, Outcome.FAIL, 2))
    assert [decoded(line)[0] for line in as_annotations(failing)] == ["warning"] * 2
    strict = replace(failing, settings=replace(failing.settings, strict=True))
    assert [decoded(line)[0] for line in as_annotations(strict)] == ["error"] * 2
    (line,) = as_annotations(report_of(with_outcomes(Level.MUST, Outcome.INCONCLUSIVE, 3)))
    assert decoded(line)[:2] == ("notice", "3 checks undecided")


def test_no_more_than_github_shows() -> None:
    findings = with_outcomes(Level.MUST, Outcome.FAIL, MOST + 5)
    lines = [decoded(line) for line in as_annotations(report_of(findings))]
    assert len(lines) == MOST
    assert lines[-1][1] == "6 more failing checks"
    named = {title.split()[0] for _, title, _ in lines[:-1]} | set(lines[-1][2].split(", "))
    assert named == {result.check.id for result in findings.results}


def test_commands_are_stopped_with_a_token_that_nobody_knows() -> None:
    def show(console: Console) -> None:
        with commands_stopped(console):
            console.print("::error::from the bot")

    first, inside, last = recorded(80, show).splitlines()
    token = first.removeprefix("::stop-commands::")
    assert (inside, last) == ("::error::from the bot", f"::{token}::")
    assert recorded(80, show).splitlines()[0] != first
