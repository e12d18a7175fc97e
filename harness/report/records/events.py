"""The events of a check as JSON lines, format `conform-events/1`: for programs that follow a run.

The first line names the format, the last line is "stream-ended": a stream without it was cut.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from harness import __version__
from harness.check.phases.events import (
    BotIdentified,
    CheckEnded,
    CheckRepeated,
    CheckStarted,
    Event,
    FailureSeen,
    PhaseStarted,
    PlayoutsFound,
    RunEnded,
    RunStarted,
    SearchesMade,
)
from harness.check.verdict import verdict
from harness.diagnosis.cause import CauseFound
from harness.report.records.check import as_cause, as_check

FORMAT = "conform-events/1"


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of one line of the format."""
    text = files("harness.report").joinpath("data/conform-events-1.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


class EventLines:
    """Turns the events of a command into lines.

    write    takes one line, with its line feed
    now      seconds since the command began
    strict   a failed SHOULD refuses a bot too
    """

    def __init__(
        self, write: Callable[[str], object], now: Callable[[], float], *, strict: bool = False
    ) -> None:
        self._write = write
        self._now = now
        self._strict = strict

    def begin(self, started: str) -> None:
        """Write the first line. `started`: ISO 8601 with zone."""
        self._write_line("stream-started", {"format": FORMAT, "tool": __version__, "started": started})

    def end(self) -> None:
        """Write the last line."""
        self._write_line("stream-ended", {})

    def of_bot(self, number: int) -> Callable[[Event], None]:
        """Return the handler of one bot's events. `number` is its place among the commands, from 0."""

        def handle(event: Event) -> None:
            name, fields = LINES[type(event)]
            self._write_line(name, {"bot": number, **fields(event, self._strict)})

        return handle

    def _write_line(self, name: str, fields: Mapping[str, Any]) -> None:
        line = {"event": name, "at": round(self._now(), 6), **fields}
        self._write(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n")


def _searches_made(event: SearchesMade, strict: bool) -> dict[str, Any]:
    left = event.seconds_left
    known = left is not None and math.isfinite(left)
    seconds = round(left, 1) if left is not None and known else None
    return {"searches": event.searches, "decided": event.decided, "seconds_left": seconds}


def _run_ended(event: RunEnded, strict: bool) -> dict[str, Any]:
    findings = event.findings
    return {
        "verdict": str(verdict(findings, strict=strict)),
        "seconds": round(findings.seconds, 3),
        "interrupted": findings.interrupted,
        "reason": findings.unusable,
    }


LINES: Mapping[type[Event], tuple[str, Callable[[Any, bool], dict[str, Any]]]] = {
    RunStarted: ("run-started", lambda e, _: {"command": e.command, "checks": [c.id for c in e.checks]}),
    BotIdentified: (
        "bot-identified",
        lambda e, _: {
            "name": e.profile.name,
            "version": e.profile.version,
            "commands": sorted(e.profile.commands),
        },
    ),
    PhaseStarted: ("phase-started", lambda e, _: {"phase": e.name}),
    CheckStarted: ("check-started", lambda e, _: {"check": e.check.id}),
    CheckRepeated: ("check-repeated", lambda e, _: {"check": e.check.id}),
    PlayoutsFound: (
        "playouts-found",
        lambda e, _: {"playouts": e.count.playouts, "source": e.count.source, "reason": e.count.reason},
    ),
    SearchesMade: ("searches-made", _searches_made),
    FailureSeen: ("failure-seen", lambda e, _: {"result": as_check(e.result, transcripts=False)}),
    CheckEnded: ("check-ended", lambda e, _: {"result": as_check(e.result, transcripts=False)}),
    CauseFound: ("cause-found", lambda e, _: {"cause": as_cause(e.cause)}),
    RunEnded: ("run-ended", _run_ended),
}
"""For each event the name of its line, and what the line says beside its name, its time and its bot."""
