"""What a list of known failures makes of the reports that a CI system reads: the same as of the exit code."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from harness.report.ci.github import as_annotations
from harness.report.ci.junit import as_junit
from harness.report.ci.markdown import as_markdown
from harness.report.records.check import CheckReport
from harness.suite.known_failures import PASSES_NOW
from tests.harness.report.html.page_helpers import found
from tests.harness.report.test_report_console import report_of, with_failures

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
