"""The static site of many reports, and its badges."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from harness.report.ci.badge import badge_json, badge_svg
from harness.report.errors import ReportFileError
from harness.report.html.site import engines_of, write_site
from harness.report.records.check import as_json
from harness.report.records.stored_check import CheckedOnce, read_report
from tests.foreign_engines import ENGINES
from tests.harness.report.hostile import HOSTILE
from tests.harness.report.html.page_helpers import Page, found, report_of

FAULT = "eye-edge-as-centre"


@cache
def reports(name: str = "refbot", started: str = "2026-11-22T08:00:00+00:00") -> list[CheckedOnce]:
    """A report of two bots, as `check --json` writes it: one that deviates, and one without a fault."""
    wrong, right = replace(found(FAULT), name=name), replace(found(""), name="right")
    return read_report(as_json(replace(report_of(wrong, right), started=started)), "report.json")


def test_engines_are_shown_by_clauses_with_a_page_and_badges_each(tmp_path: Path) -> None:
    write_site(reports(), tmp_path)
    index = Page((tmp_path / "index.html").read_text(encoding="utf-8"))
    links = [a["href"] for tag, a in index.elements if tag == "a" and a.get("href", "") != "#content"]
    assert links == ["engine-1.html", "engine-2.html"]
    assert "1 fail" in index.text or "2 fail" in index.text
    assert reports()[0].cause.startswith("ref.eye")
    assert reports()[0].cause in index.text
    page = Page((tmp_path / "engine-1.html").read_text(encoding="utf-8"))
    assert "refbot ✗ deviates" in page.text
    assert "ref.eye.edge" in page.text[page.text.index("Failures") :]
    assert ET.parse(tmp_path / "badges/engine-1.svg").getroot().get("aria-label") == "reference bot: deviates"
    assert json.loads((tmp_path / "badges/engine-1.json").read_text())["message"] == "deviates"


def test_reports_of_one_engine_are_its_history_and_the_newest_counts() -> None:
    old, new = reports(started="2026-01-01T00:00:00+00:00"), reports(started="2026-02-01T00:00:00+00:00")
    engines = engines_of([*old, *new])
    assert [engine.title for engine in engines] == ["refbot", "right"]
    for engine in engines:
        assert [report.started[:7] for report in engine.reports] == ["2026-02", "2026-01"]


def test_the_newest_report_is_found_across_time_zones() -> None:
    old, new = reports(started="2026-01-02T08:00:00+09:00"), reports(started="2026-01-01T23:30:00+00:00")
    for engine in engines_of([*old, *new]):
        assert engine.newest.started == "2026-01-01T23:30:00+00:00"


def test_variants_that_one_report_compares_are_engines_of_their_own() -> None:
    first, second = (replace(one, name="bot") for one in reports())
    assert first.command != second.command
    later = replace(first, started="2030-01-01T00:00:00+00:00")
    engines = engines_of([first, second, later])
    assert {engine.title: len(engine.reports) for engine in engines} == {
        f"bot ({first.command})": 2,
        f"bot ({second.command})": 1,
    }
    assert [engine.title for engine in engines_of([first, later])] == ["bot"]


def test_a_hostile_name_does_nothing_and_names_no_file(tmp_path: Path) -> None:
    """A name with every hostile text at once; test_report_hostile.py has them one by one."""
    write_site(reports(" ".join(HOSTILE.values())), tmp_path / "hostile")
    write_site(reports("refbot"), tmp_path / "plain")
    names = [
        sorted(str(p.relative_to(tmp_path / n)) for p in (tmp_path / n).rglob("*"))
        for n in ("hostile", "plain")
    ]
    assert names[0] == names[1]
    both = []
    for folder in ("hostile", "plain"):
        files = ("index.html", "engine-1.html", "engine-2.html")
        pages = [Page((tmp_path / folder / name).read_text(encoding="utf-8")) for name in files]
        both.append(sorted(tag for page in pages for tag, _ in page.elements))
        assert all(char.isprintable() for page in pages for char in page.text)
    assert both[0] == both[1]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "conform-match/1"}', '{"format": "conform-check/1"}', "\x00"],
)
def test_a_file_that_is_no_report_is_refused_by_name(text: str) -> None:
    with pytest.raises(ReportFileError, match=r"^other\.json: .*; expected a file that check --json wrote"):
        read_report(text, "other.json")


def test_a_verdict_or_an_outcome_of_another_format_is_refused() -> None:
    data = json.loads(as_json(report_of(found(FAULT))))
    for change in (
        {"verdict": "<script>"},
        {"checks": [data["bots"][0]["checks"][0] | {"outcome": "x"}]},
        {"diagnosis": [{"fault": "x", "probability": 10**400}]},
        {"diagnosis": [{"fault": "x", "probability": "nan"}]},
    ):
        other = data | {"bots": [data["bots"][0] | change]}
        with pytest.raises(ReportFileError, match="missing or wrong"):
            read_report(json.dumps(other), "other.json")


@pytest.mark.parametrize("verdict", ["conforms", "deviates", "inconclusive", "unusable"])
def test_badges_name_the_verdict(verdict: str) -> None:
    texts = [element.text for element in ET.fromstring(badge_svg(verdict)).iter() if element.text]
    assert texts == [f"reference bot: {verdict}", "reference bot", verdict]
    assert json.loads(badge_json(verdict)).keys() == {"schemaVersion", "label", "message", "color"}


INSTALLED = [engine for engine in ENGINES if engine.sign.exists()]


@pytest.mark.slow  # test_the_command_writes_a_site_and_refuses_other_files is quick
@pytest.mark.skipif(not INSTALLED, reason="none of the engines of docs/engines.md is installed")
def test_a_site_of_the_engines_of_docs(tmp_path: Path) -> None:
    program = [sys.executable, "-c", "from harness.cli import main; main()"]
    commands = [engine.command(tmp_path) for engine in INSTALLED]
    only = ("--only", "gtp.admin.*", "--only", "gtp.frame.*")
    checked = subprocess.run([*program, "check", *commands, *only, "--json", tmp_path / "report.json", "-q"])
    assert checked.returncode in (0, 1)
    subprocess.run([*program, "report", tmp_path / "report.json", "--site", tmp_path / "site"], check=True)
    shown = Page((tmp_path / "site/index.html").read_text(encoding="utf-8")).text
    listed = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["bots"]
    assert [bot["command"] for bot in listed] == commands
    for bot in listed:
        assert bot["name"] in shown
        assert bot["verdict"] in shown


def test_the_command_writes_a_site_and_refuses_other_files(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(as_json(report_of(found(FAULT))), encoding="utf-8")
    bad.write_text("{}", encoding="utf-8")
    command = [sys.executable, "-c", "from harness.cli import main; main()", "report"]
    ended = subprocess.run([*command, good, "--site", tmp_path / "site"], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "site/index.html").exists()
    ended = subprocess.run(
        [*command, good, bad, "--site", tmp_path / "other"], capture_output=True, text=True
    )
    assert ended.returncode == 2
    assert "bad.json" in ended.stderr
    assert not (tmp_path / "other").exists()
    ended = subprocess.run(
        [*command, good, "--site", tmp_path / "other", "--salvage"], capture_output=True, text=True
    )
    assert ended.returncode == 2
    assert "leave out --format, --out and --salvage" in ended.stderr
