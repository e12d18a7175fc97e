"""A failed check that does not refuse the bot is a note in every output, with the sign of a note."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from functools import cache

import pytest
from rich.console import Console

from harness.check.model import Level, Verdict
from harness.report.ci.github import as_annotations
from harness.report.ci.junit import as_junit
from harness.report.ci.markdown import as_markdown
from harness.report.html.check_page import check_page
from harness.report.records.check import CheckReport
from harness.report.text.console import show_result
from harness.suite.registry import select
from tests.harness.report.html.page_helpers import Page
from tests.harness.report.test_report_console import findings, report_of, shown, with_failures

RECOMMENDED, INFORMING = "gtp.frame.leading-space", "gtp.frame.id-glued"
LEVELS = {RECOMMENDED: Level.SHOULD, INFORMING: Level.INFO}


@cache
def failing(*, strict: bool) -> tuple[CheckReport, set[str]]:
    """A report about a bot that fails both checks, and the checks that refuse it."""
    assert {check.id: check.level for check in select(list(LEVELS))} == LEVELS
    return report_of(with_failures(*LEVELS), strict=strict), {RECOMMENDED} if strict else set()


def listed(report: CheckReport) -> str:
    """The lines of `check -v`, one a check."""
    out = io.StringIO()
    for result in report.findings[0].results:
        show_result(Console(file=out, width=300), result, strict=report.settings.strict)
    return out.getvalue()


def badges(page: str) -> dict[str, set[str]]:
    """By check the styles of the badges in front of it in the list of its clause."""
    items = re.findall(r'<li><span class="badge (\w+)">.*?<code>([\w.-]+)</code>', page)
    return {check: {style for style, name in items if name == check} for _, check in items}


@pytest.mark.parametrize("strict", [False, True])
def test_only_what_refuses_the_bot_is_a_failure_on_the_terminal(strict: bool) -> None:
    report, refusing = failing(strict=strict)
    assert report.verdicts == [Verdict.DEVIATES if strict else Verdict.CONFORMS]
    text = listed(report) + shown(report, everything=True)
    words = {check: set(re.findall(rf"^([A-Z]+) +{re.escape(check)} ", text, re.M)) for check in LEVELS}
    assert words == {check: {"FAIL" if check in refusing else "NOTED"} for check in LEVELS}


@pytest.mark.parametrize("strict", [False, True])
def test_several_bots_side_by_side_show_notes_as_notes(strict: bool) -> None:
    found = with_failures(*LEVELS)
    several = report_of(found, findings(""), strict=strict)
    rows = {
        check: line for line in shown(several).splitlines() for check in LEVELS if check in line.split()[:1]
    }
    assert "noted" in rows[INFORMING].split()
    assert ("fail" if strict else "noted") in rows[RECOMMENDED].split()


@pytest.mark.parametrize("strict", [False, True])
def test_the_page_has_the_sign_of_a_failure_for_a_failure_alone(strict: bool) -> None:
    report, refusing = failing(strict=strict)
    page = check_page(report)
    assert badges(page)[INFORMING] == {"note"}
    assert badges(page)[RECOMMENDED] == {"fail" if refusing else "note"}
    assert ("✗" in Page(page).text) is strict
    assert ("✗" in as_markdown(report)) is strict


@pytest.mark.parametrize("strict", [False, True])
def test_only_what_refuses_the_bot_is_a_failure_for_a_ci_system(strict: bool) -> None:
    report, refusing = failing(strict=strict)
    cases = {case.get("name"): case for case in ET.fromstring(as_junit(report)).iter("testcase")}
    for check in LEVELS:
        (ended,) = cases[check]
        assert ended.tag == ("failure" if check in refusing else "skipped")
        assert ended.get("message", "").startswith("fail" if check in refusing else "noted")
    kinds = dict(re.findall(r"^::(\w+) title=([\w.-]+)", "\n".join(as_annotations(report)), re.M))
    assert kinds == ({"error": RECOMMENDED} if strict else {"warning": RECOMMENDED})
