"""`conform-events/1`: every event has a line, every line keeps to the schema, a cut stream shows."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace

import jsonschema
import pytest

from harness.check.effort import QUICK
from harness.check.phases.events import Event
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.diagnosis.cause import CauseFound
from harness.diagnosis.diagnose import diagnose
from harness.report.records import check as check_json
from harness.report.records.events import LINES, EventLines, schema
from harness.selftest.hosted_bot import HostedBot
from harness.suite.registry import select

CHECKS = select(("gtp.admin.*", "gtp.play.occupied", "ref.nodes.three", "ref.score.mean"))
EFFORT = replace(QUICK, seconds=1e9)


def lines_of(*switches: str) -> list[str]:
    """The stream of a run over one bot."""
    written: list[str] = []
    clock = itertools.count()
    lines = EventLines(written.append, lambda: float(next(clock)))
    lines.begin("2026-11-26T00:00:00+00:00")
    handle = lines.of_bot(0)
    with HostedBot(*switches) as bot:
        found = findings_of(check_bot(bot, RunSettings(bot.launch, CHECKS, 100, EFFORT)), handle)
    for cause in diagnose(found).causes:
        handle(CauseFound(cause))
    lines.end()
    return written


def events(lines: Sequence[str]) -> list[str]:
    return [json.loads(line)["event"] for line in lines]


@pytest.mark.parametrize("switches", [(), ("play-never-refuses",)])
def test_every_line_keeps_to_the_schema(switches: tuple[str, ...]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    lines = lines_of(*switches)
    validator = jsonschema.Draft202012Validator(schema())
    for line in lines:
        assert line.endswith("\n")
        assert line.count("\n") == 1
        validator.validate(json.loads(line))
    assert ("cause-found" in events(lines)) is bool(switches)


def test_the_stream_begins_with_its_format_and_ends_with_its_end() -> None:
    lines = lines_of()
    assert json.loads(lines[0])["format"] == "conform-events/1"
    assert events(lines)[0] == "stream-started"
    assert events(lines)[-1] == "stream-ended"
    assert events(lines).count("run-ended") == 1


def test_the_results_are_those_of_the_json_report() -> None:
    lines = [json.loads(line) for line in lines_of("play-never-refuses")]
    last = {line["result"]["id"]: line["result"] for line in lines if line["event"] == "check-ended"}
    assert sorted(last) == sorted(check.id for check in CHECKS)
    assert last["gtp.play.occupied"]["outcome"] == "fail"


def test_every_event_has_a_name_in_the_schema() -> None:
    def subclasses(event: type[Event]) -> set[type[Event]]:
        return {*event.__subclasses__(), *(x for one in event.__subclasses__() for x in subclasses(one))}

    assert subclasses(Event) == set(LINES)
    in_schema = {one["properties"]["event"]["const"] for one in schema()["oneOf"]}
    assert in_schema == {*(name for name, _ in LINES.values()), "stream-started", "stream-ended"}


def test_a_check_and_a_cause_are_those_of_the_report() -> None:
    report = check_json.schema()["$defs"]
    assert {name: schema()["$defs"][name] for name in ("check", "cause")} == {
        name: report[name] for name in ("check", "cause")
    }
