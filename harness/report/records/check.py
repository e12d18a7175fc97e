"""The report of a check: its model, and its JSON in the format `conform-check/1`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any

from harness import __version__
from harness.check.model import REFUSING, Level, Outcome, Result, Verdict
from harness.check.phases.findings import Findings
from harness.check.verdict import verdict
from harness.diagnosis.cause import Cause
from harness.diagnosis.compared import Compared, count_compared
from harness.diagnosis.diagnose import Diagnosis
from harness.report.check_format import FORMAT

SPEC = "computer-go list, October 2008, with its corrections"
"""The specification that the checks test."""

NOTED = "noted"
"""The ending of a failed check that does not refuse the bot: an INFO check, or a SHOULD without --strict."""


def _refuses(level: Level, *, strict: bool) -> bool:
    """Return True if a failure of this level refuses a bot."""
    return level is Level.MUST or (strict and level is Level.SHOULD)


def ending(result: Result, *, strict: bool) -> str:
    """Return the ending of a check: its outcome, or "noted" for a failure that does not refuse the bot.

    Reports choose signs and colours by the ending, so that a note never looks like a failure.
    """
    noted = result.outcome in REFUSING and not _refuses(result.check.level, strict=strict)
    return NOTED if noted else str(result.outcome)


@dataclass(frozen=True)
class ReportSettings:
    """The options of the command that made a report.

    budget        the value of `--budget`, such as "quick" or "10m"
    checks        number of checks that were selected
    strict        a failed SHOULD refuses a bot too
    transcripts   the folder of the wire logs (`--transcript`); empty without the option
    options       the options that the results depend on, as in the shell command
    known         ids of checks that the bot is known to fail; None without such a list
    """

    seed: int
    budget: str
    checks: int
    strict: bool = False
    transcripts: str = ""
    options: str = ""
    known: frozenset[str] | None = None


@dataclass(frozen=True)
class BotReport:
    """One bot of a report: the findings, their diagnosis, and the settings of the command."""

    number: int  # its number in the report, from 1
    findings: Findings
    diagnosis: Diagnosis
    settings: ReportSettings

    @property
    def verdict(self) -> Verdict:
        """The verdict on the bot."""
        return verdict(self.findings, strict=self.settings.strict)

    @cached_property
    def by_id(self) -> dict[str, Result]:
        """The results by the ids of their checks."""
        return {result.check.id: result for result in self.findings.results}

    @cached_property
    def compared(self) -> Compared:
        """How much the diagnosis compared, and how much it could not."""
        named = {name for cause in self.diagnosis.causes for name in (cause.name, *cause.alike)}
        return count_compared(self.findings, named)

    @property
    def failures(self) -> list[Result]:
        """The failures that refuse the bot."""
        return [r for r in self.findings.results if r.outcome in REFUSING and self.ending(r) != NOTED]

    @property
    def notes(self) -> list[Result]:
        """The failures that do not refuse the bot."""
        return [r for r in self.findings.results if self.ending(r) == NOTED]

    def ending(self, result: Result) -> str:
        """Return the ending of a check of this bot; see the function `ending`."""
        return ending(result, strict=self.settings.strict)


@dataclass(frozen=True)
class CheckReport:
    """The findings and diagnoses of one run of `conform check` over one or several bots."""

    findings: Sequence[Findings]  # one for each bot
    diagnoses: Sequence[Diagnosis]  # one for each bot
    started: str  # ISO 8601 with zone
    seconds: float
    settings: ReportSettings

    @property
    def bots(self) -> list[BotReport]:
        """The report of each bot."""
        pairs = zip(self.findings, self.diagnoses, strict=True)
        return [BotReport(number, *pair, self.settings) for number, pair in enumerate(pairs, 1)]

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts, one for each bot, in the order of the bots."""
        return [verdict(findings, strict=self.settings.strict) for findings in self.findings]


def as_json(report: CheckReport, *, transcripts: bool = False) -> str:
    """The report as one JSON document. `transcripts` adds the wire logs, which are most of its size."""
    return json.dumps(as_data(report, transcripts=transcripts), indent=1, ensure_ascii=True) + "\n"


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of the format."""
    text = files("harness.report").joinpath("data/conform-check-1.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def as_data(report: CheckReport, *, transcripts: bool = False) -> dict[str, Any]:
    """The report as plain data. `transcripts` adds the wire log of each check."""
    return {
        "format": FORMAT,
        "tool": {"version": __version__, "spec": SPEC, "checks": report.settings.checks},
        "seed": report.settings.seed,
        "started": report.started,
        "seconds": round(report.seconds, 3),
        "budget": report.settings.budget,
        "bots": [_bot(bot, transcripts=transcripts) for bot in report.bots],
    }


def _bot(bot: BotReport, *, transcripts: bool) -> dict[str, Any]:
    """One bot of the report as plain data."""
    findings, diagnosis = bot.findings, bot.diagnosis
    entry: dict[str, Any] = {
        "command": findings.command,
        "name": findings.name,
        "version": findings.version,
        "playouts": findings.count.playouts,
        # The format has no source "unknown". Readers see it by the playouts, which are null then.
        "playouts_source": "inferred" if findings.count.source == "unknown" else findings.count.source,
        "verdict": str(bot.verdict),
        "profile": str(findings.profile),
        "rules": asdict(findings.rules),
        "checks": [as_check(result, transcripts=transcripts) for result in findings.results],
        "diagnosis": [
            {"fault": item.fault, "clause": item.clause, "probability": round(item.probability, 6)}
            for item in diagnosis.suspicions
        ],
        "causes": [as_cause(cause) for cause in diagnosis.causes],
        "interrupted": findings.interrupted,
    }
    if findings.unusable:
        entry["reason"] = findings.unusable
    else:
        entry["compared"] = as_compared(bot.compared)
    return entry


def as_compared(found: Compared) -> dict[str, Any]:
    """How much a diagnosis compared, as plain data."""
    return {**asdict(found), "recorded": list(found.recorded), "untested": list(found.untested)}


def as_cause(cause: Cause) -> dict[str, Any]:
    """A cause as plain data."""
    fields = asdict(cause) | {"kind": str(cause.kind), "probability": round(cause.probability, 6)}
    return {**fields, "explains": list(cause.explains), "alike": list(cause.alike)}


def as_check(result: Result, *, transcripts: bool) -> dict[str, Any]:
    """The result of a check as plain data. `transcripts` adds its wire log."""
    check, judgement = result.check, result.judgement
    entry: dict[str, Any] = {
        "id": check.id,
        "clause": result.clause,
        "level": str(check.level),
        # The format has no outcome "blocked"; a blocked check did not run, so it is a skipped one.
        "outcome": str(Outcome.SKIP if judgement.outcome is Outcome.BLOCKED else judgement.outcome),
        "title": check.title,
        "expected": judgement.expected,
        "observed": judgement.observed,
        "hint": judgement.hint,
        "reproduce": result.reproduce,
        "numbers": dict(judgement.numbers),
        "seconds": round(result.seconds, 6),
        "blocked_by": list(result.blocked_by),
        "confirmation": str(result.confirmation),
    }
    if result.sightings.tried:
        entry["sightings"] = {"seen": result.sightings.seen, "of": result.sightings.tried}
    if judgement.playouts_needed is not None:
        entry["numbers"]["playouts_needed"] = judgement.playouts_needed
    if judgement.coverage:
        entry["coverage"] = {subject: dict(counts) for subject, counts in judgement.coverage.items()}
    if transcripts:
        entry["transcript"] = result.transcript
    return entry
