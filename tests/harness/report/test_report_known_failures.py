"""Known failures in the reports that a CI system reads: the reports agree with the exit code."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from harness.check.model import Judgement, Outcome
from harness.pytest_plugin.bot_run import report_of_findings
from harness.report.ci.github import as_annotations
from harness.report.ci.junit import as_junit
from harness.report.ci.markdown import as_markdown
from harness.report.html.check_page import check_page
from harness.report.records.check import CheckReport
from harness.suite.known_failures import PASSES_NOW
from tests.harness.report.html.page_helpers import found
from tests.harness.report.test_report_console import report_of, shown, with_failures

FAILING, OTHER = "gtp.admin.name", "gtp.frame.quit"


@pytest.fixture
def report() -> CheckReport:
    """A bot that fails one check."""
    return report_of(with_failures(FAILING))


def counts(report: CheckReport) -> tuple[int, bool]:
    """The failures in the JUnit file, and whether an annotation is an error."""
    (suite,) = ET.fromstring(as_junit(report))
    return int(suite.attrib["failures"]), any(line.startswith("::error") for line in as_annotations(report))


def test_a_known_failure_is_none_for_a_ci_system(report: CheckReport) -> None:
    assert counts(report) == (1, True)
    known = replace(report, settings=replace(report.settings, known=frozenset({FAILING})))
    assert counts(known) == (0, False)
    assert "a known failure: fail (MUST)" in as_junit(known)
    assert "All of these failures are known." in as_markdown(known)


def test_no_failure_is_called_known_where_none_was_found() -> None:
    report = report_of(with_failures())
    known = replace(report, settings=replace(report.settings, known=frozenset()))
    assert "failures are known" not in as_markdown(known)


def test_a_failure_names_its_cause_where_that_says_more_than_the_check() -> None:
    document = ET.fromstring(as_junit(report_of(found("eye-edge-as-centre"))))
    texts = [failure.text or "" for failure in document.iter("failure")]
    assert any(text.startswith("cause: probable fault: One enemy diagonal is allowed") for text in texts)
    assert "cause: " not in as_junit(report_of(with_failures(FAILING)))


def test_a_failure_beyond_the_list_is_one(report: CheckReport) -> None:
    known = replace(report, settings=replace(report.settings, known=frozenset()))
    assert counts(known) == (1, True)
    assert f"{FAILING}: fails, and is not among the known failures" in as_markdown(known)


def test_a_known_failure_that_passes_is_one(report: CheckReport) -> None:
    known = replace(report, settings=replace(report.settings, known=frozenset({FAILING, OTHER})))
    assert counts(known) == (1, True)
    assert any(f"{OTHER} {PASSES_NOW}" in line for line in as_annotations(known))
    assert f"{OTHER}: {PASSES_NOW}" in as_markdown(known)


def test_known_failures_are_as_expected_and_no_place_to_start(report: CheckReport) -> None:
    known = replace(report, settings=replace(report.settings, known=frozenset({FAILING})))
    assert shown(known).startswith("as expected ")
    for text in (shown(known), shown(known, everything=True), as_markdown(known), check_page(known)):
        assert "Start here" not in text
    assert FAILING in shown(known)
    assert as_markdown(known).startswith("### ✓ as expected: ")
    assert "1 known failure" in shown(known, quiet=True)
    for other in (report, replace(report, settings=replace(report.settings, known=frozenset({OTHER})))):
        assert shown(other).startswith("deviates ")
        assert all("Start here" in text for text in (shown(other), as_markdown(other), check_page(other)))


def test_known_failures_beside_an_undecided_check_have_the_sign_of_undecided() -> None:
    found_once = with_failures(FAILING)
    results = tuple(
        replace(r, judgement=Judgement(Outcome.INCONCLUSIVE)) if r.check.id == OTHER else r
        for r in found_once.results
    )
    report = report_of(replace(found_once, results=results))
    known = replace(report, settings=replace(report.settings, known=frozenset({FAILING})))
    assert as_markdown(known).startswith("### ? inconclusive: ")
    assert as_markdown(report).startswith("### ✗ deviates: ")


def test_a_new_failure_comes_before_the_known_ones() -> None:
    both = report_of(with_failures(FAILING, "gtp.play.occupied"))
    known = replace(both, settings=replace(both.settings, known=frozenset({FAILING})))
    text = shown(known)
    assert text.startswith("deviates ")
    start, old = text.index("Start here"), text.index("1 known failure")
    assert start < text.index("gtp.play.occupied") < old < text.index(FAILING, old)


def test_the_summary_of_pytest_opens_with_what_is_new(report: CheckReport) -> None:
    (found_once,) = report.findings
    known = report_of_findings(found_once, 1, strict=False, known=frozenset({FAILING}))
    (line,) = known.summary
    assert line.startswith("as expected ")
    new = report_of_findings(found_once, 1, strict=False, known=frozenset())
    assert new.summary[0].startswith("deviates ")
    assert new.summary[1].startswith("Start here, ")
