"""The page of engines: its table, its findings, and the records that it is made from."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from harness.report.errors import ReportFileError
from harness.report.files.engines_page import Engine, page, read_engines, record
from harness.report.records.check import as_json
from harness.report.records.engine_notes import JUDGEMENTS, read_notes
from harness.report.records.engine_table import Cell, engine_table
from harness.report.records.recorded_check import as_recorded, read_recorded
from harness.report.records.stored_check import CheckedOnce, read_report
from harness.suite.registry import CHECKS
from tests.harness.report.html.page_helpers import found, report_of

DOCS = Path(__file__).parents[3] / "docs"
ENGINES = read_engines(DOCS / "engines")
NOTES = """
name = "bot | one"
version = ""
language = "C"
source = ""
command = "bot"
text = ""
[[findings]]
checks = ["gtp.play.occupied"]
engine = "takes a | point twice"
judged = "a deviation"
"""


def checked(**outcomes: str) -> CheckedOnce:
    """A check with one outcome for each level and clause, given as `must_gtp="fail"`."""
    checks = [
        {"id": f"{clause}.{number}", "clause": clause.replace("_", "-"), "level": level, "outcome": outcome}
        for key, several in outcomes.items()
        for level, _, clause in [key.partition("_")]
        for number, outcome in enumerate(several.split())
    ]
    return CheckedOnce("bot", "1", "", "deviates", "2026-11-27", "quick", "1", tuple(checks), (), cause="a.b")


def test_the_stored_page_is_up_to_date() -> None:
    stored = (DOCS / "engines.md").read_text("utf-8")
    assert stored == page(ENGINES), "run make docs, and look at what it changes"


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.notes.name)
def test_every_failed_must_of_a_record_is_confirmed_by_hand(engine: Engine) -> None:
    assert engine.unrepeated_must == []


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.notes.name)
def test_findings_are_about_checks_and_each_check_has_one(engine: Engine) -> None:
    named = Counter(check for finding in engine.notes.findings for check in finding.checks)
    assert set(named) <= {check.id for check in CHECKS}
    assert max(named.values(), default=1) == 1


def test_files_of_engines_name_no_place_of_a_machine() -> None:
    for path in (DOCS / "engines").iterdir():
        assert path.suffix in (".toml", ".json")
        assert not re.search(r"/(tmp|home|root|work|usr)\b", path.read_text("utf-8")), path


def test_every_record_has_its_notes() -> None:
    notes, records = (
        {path.stem for path in (DOCS / "engines").glob(f"*{end}")} for end in (".toml", ".json")
    )
    assert records <= notes


def test_the_cell_of_a_clause_shows_its_gravest_outcome() -> None:
    table = engine_table(
        [
            checked(must_gtp="pass crash timeout", should_gtp="fail", must_komi="pass", should_komi="fail"),
            checked(must_gtp="pass error", must_komi="pass skip", must_superko="skip"),
        ]
    )
    assert table.clauses == ("komi", "gtp")
    assert [row.cells for row in table.rows] == [
        (Cell("note", 1), Cell("fail", 2)),
        (Cell("pass"), Cell("open")),
    ]
    counts = [(row.passed, row.must, row.should, row.unjudged, row.cause) for row in table.rows]
    assert counts == [(2, 2, 2, 0, "a.b"), (2, 0, 0, 3, "a.b")]


def test_a_record_keeps_the_outcomes_of_a_report_and_no_text(tmp_path: Path) -> None:
    path = tmp_path / "check.json"
    path.write_text(as_json(report_of(found("eye-edge-as-centre"))), encoding="utf-8")
    (whole,) = read_report(path.read_text("utf-8"), "check.json")
    text = record(path)
    again = read_recorded(text, "bot.json")
    assert engine_table([again]) == engine_table([whole])
    assert engine_table([whole]).rows[0].cause.startswith("ref.eye")
    assert whole.command not in text
    assert as_recorded(again) == text


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[" * 100_000, '{"format": "conform-check/1"}', json.dumps({"format": "conform-engine/1"})],
)
def test_another_file_is_no_record(text: str) -> None:
    with pytest.raises(ReportFileError, match=r"^bot\.json: .* \(conform-engine/1\)$"):
        read_recorded(text, "bot.json")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("a deviation", "wrong"), "judged is 'wrong': expected one of a deviation, open"),
        (("engine = ", "sentence = "), "a finding .*missing: engine; unknown: sentence"),
        (("language", "tongue"), "the notes .*missing: language; unknown: tongue"),
        (('["gtp.play.occupied"]', '"gtp.play.occupied"'), "list of ids"),
        (('"a deviation"', '["a deviation"]'), "judged has .*: expected text"),
        (("[[findings]]", "findings = 3\n[more]"), "findings are tables"),
        (('language = "C"', "language = 3"), "language has 3: expected text"),
        (('engine = "takes a | point twice"', "engine = 1"), "engine has 1: expected text"),
        (('["gtp.play.occupied"]', "[3]"), "checks has 3: expected text"),
    ],
)
def test_notes_with_an_unknown_word_are_refused(change: tuple[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_notes(NOTES.replace(*change))


def test_a_section_has_each_finding_and_names_what_nobody_confirmed() -> None:
    engine = Engine(read_notes(NOTES), checked(must_gtp="fail"))
    assert engine.unrepeated_must == ["gtp.0"]
    text = page([engine])
    assert "| gtp.play.occupied | MUST | takes a \\| point twice (not in this check) | a deviation |" in text
    assert "Not repeated by hand: `gtp.0`." in text
    client = replace(engine, checked=None)
    assert "not in this check" not in page([client])
    assert all(word in text for word in JUDGEMENTS)
