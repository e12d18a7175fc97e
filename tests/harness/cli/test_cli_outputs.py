"""The files that `conform check` writes, read by the libraries that their readers use."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest

from harness.report.records.check import schema
from tests.harness.cli.test_cli_check import CONFORM, bot, conform
from tests.parameters import slow_but

BOTS = {
    "right": "refbot gtp",
    "wrong": "refbot gtp --fault known-command-digits",
    "no reference bot": bot("instant.py"),
    "unusable": "true",
    "rude": bot("hostile.py", "control", "--at", 9),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One check of several bots, as JSON and as JUnit."""
    folder = tmp_path_factory.mktemp("outputs")
    files = folder / "report.json", folder / "report.xml"
    chosen = (
        "--only",
        "gtp.admin.*",
        "--only",
        "ref.nodes.three",
        "--only",
        "gtp.frame.id-*",
        "--timeout",
        "2",
    )
    conform("check", *BOTS.values(), *chosen, "--json", str(files[0]), "--junit", str(files[1]))
    return files


def test_json_keeps_to_its_schema(written: tuple[Path, Path]) -> None:
    report = json.loads(written[0].read_text())
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(report, schema(), format_checker=jsonschema.FormatChecker())
    assert [entry["command"] for entry in report["bots"]] == list(BOTS.values())


@pytest.mark.slow
def test_wire_logs_are_in_the_json_only_on_request(tmp_path: Path) -> None:
    files = tmp_path / "plain.json", tmp_path / "whole.json"
    words = ("check", BOTS["right"], "--only", "gtp.admin.name")
    conform(*words, "--json", str(files[0]))
    conform(*words, "--json", str(files[1]), "--json-transcripts")
    plain, whole = (json.loads(file.read_text())["bots"][0]["checks"][0] for file in files)
    assert "transcript" not in plain
    assert "> name" in whole["transcript"]
    jsonschema.validate(json.loads(files[1].read_text()), schema())
    assert conform(*words, "--json-transcripts").returncode == 2


def test_schema_notices_what_does_not_belong(written: tuple[Path, Path]) -> None:
    report = json.loads(written[0].read_text())
    report["bots"][0]["checks"][0]["outcome"] = "passed"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, schema())


def test_junit_tells_the_same_as_json(written: tuple[Path, Path]) -> None:
    report = json.loads(written[0].read_text())
    suites = ET.parse(written[1]).getroot().findall("testsuite")
    assert [suite.get("name") for suite in suites] == list(BOTS.values())
    for suite, entry in zip(suites, report["bots"], strict=True):
        refusing = {
            check["id"]
            for check in entry["checks"]
            if check["level"] == "must" and check["outcome"] in ("fail", "crash", "timeout")
        }
        failed = {case.get("name") for case in suite.findall("testcase[failure]")}
        assert failed == refusing
        assert int(suite.get("failures", "")) == len(refusing)
        assert (suite.find("testcase/error") is not None) == (entry["verdict"] == "unusable")
        times = {case.get("name"): float(case.get("time", "")) for case in suite.findall("testcase[@time]")}
        assert times == pytest.approx({check["id"]: check["seconds"] for check in entry["checks"]})
        assert all(times[check["id"]] > 0.0 for check in entry["checks"] if check["outcome"] == "pass")
        assert sum(times.values()) <= float(suite.get("time", ""))
        counted = {kind: int(suite.get(kind, "")) for kind in ("tests", "skipped")}
        assert counted["tests"] == len(entry["checks"]) + (entry["verdict"] == "unusable")
        passed = sum(check["outcome"] == "pass" for check in entry["checks"])
        assert counted["tests"] - counted["skipped"] - len(failed) - int(suite.get("errors", "")) == passed


@pytest.mark.parametrize(
    "option",
    slow_but(
        ("--json", "--html", "--transcript"),
        ["--json", "--junit", "--html", "--markdown", "--badge", "--write-known-failures", "--transcript"],
    ),
)
def test_what_cannot_be_written_is_said_before_the_work(option: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = conform("check", "no-such-bot", option, str(tmp_path / "file" / "report"))
    assert done.returncode == 2
    assert done.stderr.startswith("conform: cannot ")
    assert done.stdout == ""


def test_a_file_that_was_there_is_kept_until_there_is_a_new_one(tmp_path: Path) -> None:
    old = tmp_path / "report.json"
    old.write_text("of yesterday")
    done = conform("check", "refbot gtp", "--only", "no.such.check", "--json", str(old))
    assert (done.returncode, old.read_text()) == (2, "of yesterday")


def test_nobody_reads_on_is_no_verdict() -> None:
    """`conform check … | head -1`: neither 0 nor 1, and not a word about it."""
    command = [CONFORM, "checks"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        complaint = running.stderr.read()
    assert (running.returncode, complaint) == (130, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [CONFORM, "checks"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "conform: the output cannot be written: no space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_console_that_cannot_be_written_loses_no_file(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    with open("/dev/full", "w") as full:
        words = [CONFORM, "check", BOTS["unusable"], "--json", str(report)]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert json.loads(report.read_text())["bots"][0]["verdict"] == "unusable"
