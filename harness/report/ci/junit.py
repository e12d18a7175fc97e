"""A check as JUnit XML: a suite a bot, a case a check with its time, for CI systems that read such files.

Only what refuses the bot is a failure there. What was not decided, does not weigh, or is a known failure, is
skipped with its reason. A known failure that passes is a failure, as for the exit code.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET  # only written here, never parsed

from harness.check.model import REFUSING, Outcome, Result
from harness.check.phases.findings import Findings
from harness.diagnosis.diagnose import Diagnosis
from harness.report.records.check import CheckReport
from harness.report.text.cause_text import cause_of_each
from harness.report.text.counts import NOTED, ending
from harness.report.xml_text import xml_text
from harness.suite.known_failures import PASSES_NOW


def as_junit(report: CheckReport) -> str:
    """The report as one XML document."""
    suites = ET.Element("testsuites", name="conform check")
    for findings, diagnosis in zip(report.findings, report.diagnoses, strict=True):
        _add_suite(suites, findings, diagnosis, report)
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=False) + "\n"


def _add_suite(suites: ET.Element, findings: Findings, diagnosis: Diagnosis, report: CheckReport) -> None:
    suite = ET.SubElement(
        suites,
        "testsuite",
        name=xml_text(findings.command),
        timestamp=report.started,
        time=f"{findings.seconds:.3f}",
    )
    if findings.unusable:
        case = ET.SubElement(suite, "testcase", classname="conform", name="the bot can be run")
        ET.SubElement(case, "error", message=xml_text(findings.unusable)).text = xml_text(findings.hint)
    causes = cause_of_each(findings, diagnosis)
    for result in findings.results:
        cause = causes.get(result.check.id, "")
        _add_case(suite, result, cause, report.settings.known or frozenset(), strict=report.settings.strict)
    cases = list(suite)
    suite.set("tests", str(len(cases)))
    for kind in ("failure", "error", "skipped"):
        plural = {"failure": "failures", "error": "errors"}.get(kind, kind)
        suite.set(plural, str(sum(case.find(kind) is not None for case in cases)))


def _add_case(suite: ET.Element, result: Result, cause: str, known: frozenset[str], *, strict: bool) -> None:
    check, judgement = result.check, result.judgement
    case = ET.SubElement(suite, "testcase", classname=f"conform.{result.clause}", name=check.id)
    case.set("time", f"{result.seconds:.6f}")
    if judgement.outcome is Outcome.PASS:
        if check.id in known:
            ET.SubElement(case, "failure", message=PASSES_NOW, type="known")
        return
    ended = ending(result, strict=strict)
    weighs = check.id not in known and ended != NOTED
    if judgement.outcome is Outcome.ERROR:
        kind = "error"
    elif judgement.outcome in REFUSING and weighs:
        kind = "failure"
    else:
        kind = "skipped"
    message = f"{ended} ({str(check.level).upper()}): {check.title}"
    if judgement.outcome in REFUSING and check.id in known:
        message = f"a known failure: {message}"
    lines = (
        ("cause", cause),
        ("expected", judgement.expected),
        ("observed", judgement.observed),
        ("change", judgement.hint),
        ("by hand", result.reproduce),
        ("blocked by", ", ".join(result.blocked_by)),
        ("seen again", str(result.confirmation) if judgement.outcome in REFUSING else ""),
    )
    element = ET.SubElement(case, kind, message=xml_text(message), type=str(judgement.outcome))
    element.text = xml_text("\n".join(f"{what}: {text}" for what, text in lines if text))
