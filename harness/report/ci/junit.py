"""JUnit XML for CI systems: a check (a suite per bot, a case per check), and the verdicts on a run.

In a check, as in its exit code, two things are failures: a failed check that refuses the bot, and a listed
known failure that passes. Undecided checks, checks that did not run, notes and known failures are skipped
cases, with their reason. A check that could not be made is an error.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET  # only written here, never parsed
from pathlib import Path

from harness.arena.store.store import Store
from harness.arena.verdicts import (
    AGAINST,
    DIFFERENT,
    EMPTY_BOARD,
    UNDECIDED,
    MatchVerdicts,
    PairParity,
    games_still_needed,
)
from harness.check.model import REFUSING, Confirmation, Outcome, Result
from harness.files import replaced
from harness.report.numbers import amount
from harness.report.records.check import NOTED, BotReport, CheckReport
from harness.report.text.cause_text import cause_of_each
from harness.report.visible import xml_text
from harness.suite.known_failures import PASSES_NOW

FILE = "junit.xml"
"""The name of the file in the folder of a run."""

COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}
"""By element within a case: the attribute of the suite that counts it."""


def as_junit(report: CheckReport) -> str:
    """The report on a check as one XML document."""
    suites = ET.Element("testsuites", name="conform check")
    for bot in report.bots:
        findings = bot.findings
        suite = ET.SubElement(
            suites,
            "testsuite",
            name=xml_text(findings.command),
            timestamp=report.started,
            time=f"{findings.seconds:.3f}",
        )
        properties = ET.SubElement(suite, "properties")
        ET.SubElement(properties, "property", name="profile", value=str(findings.profile))
        ET.SubElement(properties, "property", name="rules", value=str(findings.rules))
        if findings.unusable:
            case = ET.SubElement(suite, "testcase", classname="conform", name="the bot can be run")
            ET.SubElement(case, "error", message=xml_text(findings.unusable)).text = xml_text(findings.hint)
        causes = cause_of_each(bot)
        for result in findings.results:
            _add_check(suite, result, causes.get(result.check.id, ""), bot)
        _count(suite)
    return _document(suites)


def write_junit(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write `junit.xml`. Raises OSError."""
    config = store.config()
    assert config is not None, "a store with games has a config"
    with replaced(folder / FILE) as file:
        file.write(match_junit(verdicts, config.run.name))


def match_junit(verdicts: MatchVerdicts, name: str) -> str:
    """The verdicts on a run as one XML document.

    There is a case for each pair (its verdict), for the conduct of each bot, and for its playouts in each
    phase: their lengths; their scores, if these were compared; and its moves, if they deviate. A failure is a
    pair with a verdict against it, a bot that failed, or lengths, scores or moves that deviate. An undecided
    verdict is a skipped case.
    """
    suites = ET.Element("testsuites", name="conform match")
    suite = ET.SubElement(suites, "testsuite", name=xml_text(name))
    for pair in verdicts.parity:
        score = (
            f"{pair.bot_a} scored {pair.score_a:.3f} in {amount(pair.games, 'game')}, "
            f"{pair.low:.3f} to {pair.high:.3f}; {_meaning(pair)}"
        )
        more = f"; {games_still_needed(pair.games_needed)}" if pair.verdict == UNDECIDED else ""
        _add_verdict(suite, "parity", f"{pair.bot_a} - {pair.bot_b}", pair.verdict, score + more)
    for bot, ways in verdicts.failures.items():
        failures = ", ".join(f"{count} × {way}" for way, count in sorted(ways.items()) if count)
        causes = [f"{cause.reason}: {cause.detail}" for cause in verdicts.causes if cause.bot == bot]
        _add_verdict(suite, "conduct", bot, DIFFERENT if failures else "", "; ".join([failures, *causes]))
    for row in verdicts.playouts:
        found = f"{row.nodes_per_playout:.3f} moves per playout, expected {row.reference:.3f}"
        subject = row.bot if row.phase == EMPTY_BOARD else f"{row.bot}, {row.phase}"
        _add_verdict(suite, "playouts", subject, row.verdict, found)
        if row.score_verdict:
            found = f"score {row.score:.4f}, expected {row.score_reference:.4f}"
            _add_verdict(suite, "scores", subject, row.score_verdict, found)
        if row.choice_verdict == DIFFERENT:
            found = f"{row.choices} moves were not chosen as the reference chooses them"
            _add_verdict(suite, "moves", subject, row.choice_verdict, found)
    _count(suite)
    return _document(suites)


def _meaning(pair: PairParity) -> str:
    """The meaning of the verdict on a pair, from its figures."""
    if pair.llr is not None and pair.llr_low is not None and pair.llr_high is not None:
        return f"LLR {pair.llr:.2f}: passes at {pair.llr_high:.2f}, fails at {pair.llr_low:.2f}"
    if pair.margin:
        return f"equal is within 0.5 ± {pair.margin:g}"
    return "stronger is above 0.5, weaker below"


def _add_check(suite: ET.Element, result: Result, cause: str, bot: BotReport) -> None:
    """Add the case of a check. `cause`: the cause of its failure in one line; may be empty."""
    check, judgement, known = result.check, result.judgement, bot.settings.known or frozenset()
    case = ET.SubElement(suite, "testcase", classname=f"conform.{result.clause}", name=check.id)
    case.set("time", f"{result.seconds:.6f}")
    if judgement.outcome is Outcome.PASS:
        if check.id in known:
            ET.SubElement(case, "failure", message=PASSES_NOW, type="known")
        return
    ended, failed = bot.ending(result), judgement.outcome in REFUSING
    weighs = failed and check.id not in known and ended != NOTED
    kind = "error" if judgement.outcome is Outcome.ERROR else "failure" if weighs else "skipped"
    message = f"{ended} ({check.level.upper()}): {check.title}"
    if failed and check.id in known:
        message = f"a known failure: {message}"
    lines = (
        ("cause", cause),
        ("expected", judgement.expected),
        ("observed", judgement.observed),
        ("change", judgement.hint),
        ("by hand", result.reproduce),
        ("blocked by", ", ".join(result.blocked_by)),
        ("seen again", _seen_again(result)),
    )
    element = ET.SubElement(case, kind, message=xml_text(message), type=str(judgement.outcome))
    element.text = xml_text("\n".join(f"{what}: {text}" for what, text in lines if text))


def _seen_again(result: Result) -> str:
    """The confirmation of a failure, and how often it came back; empty without a failure."""
    if not result.refuses and result.confirmation is not Confirmation.UNSTABLE:
        return ""
    seen, tried = result.sightings
    return f"{result.confirmation} ({seen} of {tried} tries)" if tried else str(result.confirmation)


def _add_verdict(suite: ET.Element, kind: str, name: str, verdict: str, message: str) -> None:
    """Add the case of one verdict of a match, such as kind "parity" and name "one - two"."""
    case = ET.SubElement(suite, "testcase", classname=f"conform.match.{kind}", name=xml_text(name))
    element = "failure" if verdict in AGAINST else "skipped" if verdict == UNDECIDED else None
    if element is not None:
        ET.SubElement(case, element, message=xml_text(message))


def _count(suite: ET.Element) -> None:
    """Set the attributes of a suite that count its cases."""
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for kind, attribute in COUNTED.items():
        suite.set(attribute, str(sum(case.find(kind) is not None for case in cases)))


def _document(suites: ET.Element) -> str:
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode") + "\n"
