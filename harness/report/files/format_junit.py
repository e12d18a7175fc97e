"""The verdicts on a run as JUnit XML, for CI systems.

There is one case per pair (its parity), and two per bot (its conduct and its playouts). A failure is, as in
the exit code, a pair that is different, a bot that failed, or playouts that deviate. Undecided cases are
skipped.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET  # only written here, never parsed
from pathlib import Path

from harness.arena.store.store import Store
from harness.arena.verdicts import DIFFERENT, EMPTY_BOARD, UNDECIDED, MatchVerdicts, games_still_needed
from harness.files import replaced
from harness.report.numbers import amount
from harness.report.xml_text import xml_text

FILE = "junit.xml"


def write(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write `junit.xml`. Raises OSError."""
    config = store.config()
    assert config is not None, "a store with games has a config"
    with replaced(folder / FILE) as file:
        file.write(as_junit(verdicts, config.run.name))


def as_junit(verdicts: MatchVerdicts, name: str) -> str:
    """The verdicts as one XML document."""
    suites = ET.Element("testsuites", name="conform match")
    suite = ET.SubElement(suites, "testsuite", name=xml_text(name))
    for pair in verdicts.parity:
        score = (
            f"{pair.bot_a} scored {pair.score_a:.3f} in {amount(pair.games, 'game')}, "
            f"{pair.low:.3f} to {pair.high:.3f}; equal is within 0.5 ± {pair.margin:g}"
        )
        more = f"; {games_still_needed(pair.games_needed)}" if pair.verdict == UNDECIDED else ""
        _add_case(suite, "parity", f"{pair.bot_a} - {pair.bot_b}", pair.verdict, score + more)
    for bot, ways in verdicts.failures.items():
        failures = ", ".join(f"{count} × {way}" for way, count in sorted(ways.items()) if count)
        causes = [f"{cause.reason}: {cause.detail}" for cause in verdicts.causes if cause.bot == bot]
        _add_case(suite, "conduct", bot, DIFFERENT if failures else "", "; ".join([failures, *causes]))
    for row in verdicts.playouts:
        found = f"{row.nodes_per_playout:.3f} moves per playout, expected {row.reference:.3f}"
        name = row.bot if row.phase == EMPTY_BOARD else f"{row.bot}, {row.phase}"
        _add_case(suite, "playouts", name, row.verdict, found)
        if row.score_verdict:
            found = f"score {row.score:.4f}, expected {row.score_reference:.4f}"
            _add_case(suite, "scores", name, row.score_verdict, found)
        if row.choice_verdict == DIFFERENT:
            found = f"{row.choices} moves were not chosen as the reference chooses them"
            _add_case(suite, "moves", name, row.choice_verdict, found)
    cases = list(suite)
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", "0")
    suite.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode") + "\n"


def _add_case(suite: ET.Element, kind: str, name: str, verdict: str, message: str) -> None:
    case = ET.SubElement(suite, "testcase", classname=f"conform.match.{kind}", name=xml_text(name))
    if verdict == DIFFERENT:
        ET.SubElement(case, "failure", message=xml_text(message))
    elif verdict == UNDECIDED:
        ET.SubElement(case, "skipped", message=xml_text(message))
