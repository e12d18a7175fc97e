"""One run of the checks on a bot, made by the first test that needs it and shared by all others."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.check.model import Result
    from harness.check.phases.findings import Findings
    from harness.check.phases.settings import RunSettings

WIDTH = 100
"""Columns of the text of a failure."""

_CANNOT = "the bot cannot be run: "


@dataclass(frozen=True)
class Ended:
    """How one check ended, in a form that another process can read."""

    outcome: str  # of harness.check.model.Outcome, or "unusable"
    seconds: float
    text: str  # the failure in full, or in one line why there is no verdict


@dataclass(frozen=True)
class Report:
    """Data for all tests of one bot."""

    checks: dict[str, Ended]
    summary: list[str]
    interrupted: bool


class BotRun:
    """The checks on one bot. With `shared`, the first of several processes runs them, the others wait."""

    def __init__(self, assignment: RunSettings, number: int, shared: Path | None, *, strict: bool) -> None:
        self._assignment = assignment
        self._file = None if shared is None else file_of(shared, number)
        self._strict = strict
        self.report: Report | None = None

    @property
    def command(self) -> str:
        """The command line of the bot."""
        return self._assignment.launch.command

    def run_check(self, check: str, wanted: Iterable[str]) -> Ended:
        """How a check ended; the first call runs all checks that are `wanted`. Raises KeyboardInterrupt."""
        if self.report is None:
            ids = frozenset(wanted)
            self.report = self._made(ids) if self._file is None else self._made_once(self._file, ids)
        if self.report.interrupted:
            raise KeyboardInterrupt
        return self.report.checks[check]

    def _made_once(self, file: Path, wanted: frozenset[str]) -> Report:
        with file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                text = json.dumps(asdict(self._made(wanted)))
                file.write_text(text, encoding="utf-8")
        return read_report(file)

    def _made(self, wanted: frozenset[str]) -> Report:
        from harness.check.phases.run import findings_of, run_check

        checks = [check for check in self._assignment.checks if check.id in wanted]
        findings = findings_of(run_check(replace(self._assignment, checks=checks)))
        report = report_of_findings(findings, self._assignment.seed, strict=self._strict)
        if findings.unusable:
            reason = _safe("\n".join(filter(None, (_CANNOT + findings.unusable, findings.hint))))
            return replace(report, checks={check.id: Ended("unusable", 0.0, reason) for check in checks})
        return report


def report_of_findings(findings: Findings, seed: int, *, strict: bool) -> Report:
    """Return the report of the tests on the results."""
    checks = {result.check.id: _ended(result, findings, seed) for result in findings.results}
    return Report(checks, _summary(findings, strict=strict), findings.interrupted)


def file_of(shared: Path, number: int) -> Path:
    """Where several processes share the report on one bot."""
    return shared / f"bot-{number}.json"


def read_report(file: Path) -> Report:
    """A report that another process wrote."""
    data = json.loads(file.read_text(encoding="utf-8"))
    checks = {check: Ended(**ended) for check, ended in data.pop("checks").items()}
    return Report(checks, **data)


def summaries(runs: Sequence[BotRun], shared: Path | None) -> Iterator[list[str]]:
    """The summary of each run that was made, in this process or by the workers that shared a folder."""
    for run in runs:
        if run.report is not None:
            yield run.report.summary
    if shared is not None:
        for file in sorted(shared.glob("*.json")):
            yield read_report(file).summary


def _ended(result: Result, findings: Findings, seed: int) -> Ended:
    return Ended(str(result.outcome), round(result.seconds, 3), _text(result, findings, seed))


def _text(result: Result, findings: Findings, seed: int) -> str:
    from harness.check.model import REFUSING
    from harness.report.terminal import recorded
    from harness.report.text.failure_text import Setting, print_failure

    if result.outcome in REFUSING:
        options = "" if seed == 1 else f"--seed {seed}"
        setting = Setting(findings.command, seed, options=options, strict=True)  # printed only if it weighs
        return recorded(WIDTH, lambda console: print_failure(console, result, setting))
    why = "; ".join(filter(None, (result.judgement.observed, result.judgement.hint)))
    return _one_line(why)


def _summary(findings: Findings, *, strict: bool) -> list[str]:
    """The verdict, and the first cause with its basis."""
    from harness.check.verdict import verdict
    from harness.diagnosis.diagnose import diagnose
    from harness.report.text.cause_text import cause_basis, headline

    lines = [f"{verdict(findings, strict=strict)}  {_one_line(findings.command)}"]
    by_id = {result.check.id: result for result in findings.results}
    for cause in diagnose(findings, strict=strict).causes[:1]:
        lines += [headline("Start here", cause, by_id[cause.evidence]), f"  {cause_basis(cause)}"]
    return lines


def _one_line(text: str) -> str:
    return _safe(text).replace("\n", " ")


def _safe(text: str) -> str:
    from harness.report.visible import safe

    return safe(text)
