"""The files that `conform check` writes, read by the libraries that their readers use."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest

from harness.report.records import events
from harness.report.records.check import schema
from tests.command_line import CONFORM, bot, conform
from tests.parameters import slow_but

BOTS = {
    "right": bot("pure_bot.py"),
    "wrong": bot("wrong_pure.py", "unknown-succeeds"),
    "no reference bot": bot("instant.py"),
    "unusable": "true",
    "rude": bot("hostile.py", "control", "--at", 9),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One check of several bots, as JSON and as JUnit."""
    folder = tmp_path_factory.mktemp("outputs")
    files = folder / "report.json", folder / "report.xml"
    wanted = ("gtp.admin.name", "gtp.admin.unknown-command", "gtp.frame.id-*", "ref.nodes.three")
    chosen = [*(word for check in wanted for word in ("--only", check)), "--timeout", "2"]
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


@pytest.mark.parametrize(
    "words",
    [
        ("check", "true", "--html", "-"),
        ("check", "true", "--junit", "-", "--json", "-"),
        ("compare", "true", "false", "--html", "-"),
        ("explore", "true", "--save", "-"),
        ("selftest", "--write", "-"),
    ],
)
def test_only_json_and_events_can_be_printed(words: tuple[str, ...], tmp_path: Path) -> None:
    done = conform(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert "name a file in place of -" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_table_that_cannot_be_written_costs_no_self_test(tmp_path: Path) -> None:
    done = conform("selftest", "--write", tmp_path / "missing" / "table.md")
    assert done.returncode == 2
    assert "cannot write" in done.stderr
    assert not done.stdout


def test_schema_notices_what_does_not_belong(written: tuple[Path, Path]) -> None:
    report = json.loads(written[0].read_text())
    report["bots"][0]["checks"][0]["outcome"] = "passed"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, schema())


def test_junit_says_the_same_as_json(written: tuple[Path, Path]) -> None:
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
    done = conform("check", "no-such-bot", option, str(tmp_path / "file" / "report.svg"))
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


def test_each_event_is_a_line_while_the_check_runs(tmp_path: Path) -> None:
    path, report = tmp_path / "events.jsonl", tmp_path / "report.json"
    bots = (BOTS["right"], BOTS["wrong"], BOTS["unusable"])
    conform("check", *bots, "--only", "gtp.admin.*", "--events", str(path), "--json", str(report))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    validator = jsonschema.Draft202012Validator(events.schema())
    for line in lines:
        validator.validate(line)
    assert (lines[0]["event"], lines[-1]["event"]) == ("stream-started", "stream-ended")
    ended = [line for line in lines if line["event"] == "run-ended"]
    written = json.loads(report.read_text())["bots"]
    assert [line["bot"] for line in ended] == [0, 1, 2]
    assert [line["verdict"] for line in ended] == [entry["verdict"] for entry in written]
    causes = [line["cause"] for line in lines if line["event"] == "cause-found" and line["bot"] == 1]
    assert causes == written[1]["causes"]
    results = {line["result"]["id"]: line["result"] for line in lines if line["event"] == "check-ended"}
    assert results.keys() == {check["id"] for check in written[0]["checks"]}


def test_events_on_standard_output_leave_the_report_to_stderr() -> None:
    done = conform("check", BOTS["right"], "--only", "gtp.admin.name", "--events", "-")
    events_seen = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert events_seen[-1] == "stream-ended"
    assert "conforms" in done.stderr
    both = conform("check", BOTS["right"], "--events", "-", "--json", "-")
    assert both.returncode == 2
    assert "--events -" in both.stderr


def test_a_full_disk_ends_no_check_and_is_reported(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = (
        "check",
        BOTS["right"],
        "--only",
        "gtp.admin.name",
        "--events",
        "/dev/full",
        "--json",
        str(report),
    )
    done = conform(*words)
    assert done.returncode == 2
    assert "cannot write /dev/full" in done.stderr
    assert json.loads(report.read_text())["bots"][0]["verdict"] == "conforms"
