"""The events of a check as lines of `conform-events/1`.

For example, `CheckStarted` of the first bot is
{"event":"check-started","at":1.2,"bot":0,"check":"gtp.admin.known-command"}.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from harness.check.phases.events import (
    BotIdentified,
    CheckEnded,
    CheckRepeated,
    CheckStarted,
    Event,
    FailureSeen,
    FindingsSoFar,
    PhaseStarted,
    PlayoutsFound,
    ProfileChosen,
    RunEnded,
    RunStarted,
    SearchesMade,
    TimeForecast,
)
from harness.check.verdict import verdict
from harness.diagnosis.cause import CauseFound, CauseSuspected
from harness.report.records.check import as_cause, as_check
from harness.report.records.events import EventLines


def check_lines(lines: EventLines, bot: int, *, strict: bool = False) -> Callable[[Event], None]:
    """Return a handler that writes a line for each event of one bot.

    `bot` is the index of the bot among the commands, from 0. `strict`: a failed SHOULD refuses the bot too.
    """

    def handle(event: Event) -> None:
        name, fields = LINES[type(event)]
        lines.add(name, {"bot": bot, **fields(event, strict)})

    return handle


def _searches_made(event: SearchesMade, strict: bool) -> dict[str, Any]:
    """The fields of "searches-made"; an unknown or infinite time is null."""
    left = event.seconds_left
    known = left is not None and math.isfinite(left)
    seconds = round(left, 1) if left is not None and known else None
    return {"searches": event.searches, "decided": event.decided, "seconds_left": seconds}


def _run_ended(event: RunEnded, strict: bool) -> dict[str, Any]:
    """The fields of "run-ended"; the reason is empty unless the bot could not be run."""
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
            "name": e.introduction.name,
            "version": e.introduction.version,
            "commands": sorted(e.introduction.commands),
        },
    ),
    ProfileChosen: (
        "profile-chosen",
        lambda e, _: {
            "profile": str(e.profile),
            "rules": asdict(e.rules),
            "checks": [check.id for check in e.checks],
        },
    ),
    PhaseStarted: ("phase-started", lambda e, _: {"phase": e.name}),
    CheckStarted: ("check-started", lambda e, _: {"check": e.check.id}),
    CheckRepeated: ("check-repeated", lambda e, _: {"check": e.check.id}),
    PlayoutsFound: (
        "playouts-found",
        lambda e, _: {"playouts": e.count.playouts, "source": e.count.source, "reason": e.count.reason},
    ),
    TimeForecast: (
        "time-forecast",
        lambda e, _: {
            "search_seconds": round(e.search_seconds, 3),
            "playouts": e.playouts,
            "searches_wanted": round(e.wanted),
            "seconds_wanted": round(e.search_seconds * e.wanted, 1),
        },
    ),
    SearchesMade: ("searches-made", _searches_made),
    FailureSeen: ("failure-seen", lambda e, _: {"result": as_check(e.result, transcripts=False)}),
    CheckEnded: ("check-ended", lambda e, _: {"result": as_check(e.result, transcripts=False)}),
    FindingsSoFar: (
        "failures-so-far",
        lambda e, _: {"checks": [r.check.id for r in e.findings.results if r.refuses]},
    ),
    CauseSuspected: ("cause-suspected", lambda e, _: {"cause": as_cause(e.cause)}),
    CauseFound: ("cause-found", lambda e, _: {"cause": as_cause(e.cause)}),
    RunEnded: ("run-ended", _run_ended),
}
"""By event class: the name of the line, and a function of (event, strict) that makes the further fields."""
