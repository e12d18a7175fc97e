"""`BotRun`: one run of the checks on one bot. The first test starts it, and all tests use its results."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from harness.check.model import REFUSING, Result
from harness.check.phases.findings import Findings
from harness.check.phases.run import findings_of, run_check
from harness.check.phases.settings import RunSettings
from harness.diagnosis.diagnose import diagnose
from harness.report.terminal import recorded
from harness.report.text.cause_text import cause_basis, headline
from harness.report.text.failure_text import CommandParts, print_failure
from harness.report.text.known_text import by_novelty, headline_with_known
from harness.report.visible import safe

WIDTH = 100
"""Columns of the text of a failure. Chosen: logs of CI systems show 100 columns without a scroll bar."""


@dataclass(frozen=True)
class Ended:
    """How one check ended: strings and numbers, which a JSON file passes to another process."""

    outcome: str  # a value of harness.check.model.Outcome, or "unusable"
    seconds: float
    text: str  # the report on a failure; the reason why the bot is unusable; else one line about the check


@dataclass(frozen=True)
class Report:
    """Results of one run, for all tests of one bot."""

    checks: dict[str, Ended]  # by id
    summary: list[str]  # lines for the end of pytest's output
    interrupted: bool


class BotRun:
    """The checks on one bot, run once.

    number   number of the bot on the command line, from 1
    shared   the folder of all workers of pytest-xdist. The first worker runs the checks and writes a file
             there; the others wait for the file. None without pytest-xdist
    strict   a failed SHOULD refuses the bot, as a MUST does
    known    the ids of checks that the bot is known to fail; None without such a list
    options  the options of `conform check` that the results depend on, as in the shell
    """

    def __init__(
        self,
        settings: RunSettings,
        number: int,
        shared: Path | None,
        *,
        strict: bool,
        known: frozenset[str] | None = None,
        options: str = "",
    ) -> None:
        self._settings = settings
        self._known = known
        self._file = shared / f"bot-{number}.json" if shared is not None else None
        self._strict = strict
        self._options = options
        self.report: Report | None = None  # until the checks have run

    def run_check(self, check: str, wanted: Iterable[str]) -> Ended:
        """Return how one check ended. The first call runs the checks of all `wanted` ids.

        Raises KeyboardInterrupt if the user ended the run.
        """
        if self.report is None:
            ids = frozenset(wanted)
            self.report = self._run(ids) if self._file is None else self._run_once(self._file, ids)
        if self.report.interrupted:
            raise KeyboardInterrupt
        return self.report.checks[check]

    def _run_once(self, file: Path, wanted: frozenset[str]) -> Report:
        """Run the checks, or read the report of the worker that has run them."""
        with file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                text = json.dumps(asdict(self._run(wanted)))
                file.write_text(text, encoding="utf-8")
        return _read_report(file)

    def _run(self, wanted: frozenset[str]) -> Report:
        """Run the wanted checks. A check that the profile of the bot leaves out is a skip."""
        checks = [check for check in self._settings.checks if check.id in wanted]
        findings = findings_of(run_check(replace(self._settings, checks=checks)))
        report = report_of_findings(
            findings, self._settings.seed, strict=self._strict, known=self._known, options=self._options
        )
        if findings.unusable:
            why = "\n".join(filter(None, (f"the bot cannot be run: {findings.unusable}", findings.hint)))
            return replace(report, checks={check.id: Ended("unusable", 0.0, safe(why)) for check in checks})
        other = Ended("skip", 0.0, f"it does not belong to the profile {findings.profile} of the bot")
        return replace(report, checks={check.id: other for check in checks} | report.checks)


def report_of_findings(
    findings: Findings, seed: int, *, strict: bool, known: frozenset[str] | None = None, options: str = ""
) -> Report:
    """Convert findings to a Report. Its summary is the verdict, and the first cause with its reason.

    `known`, `options`: see `BotRun`. The summary leaves out a cause whose failures are all known.
    """
    head = headline_with_known(findings, known, strict=strict)
    summary = [f"{head.word}  {_one_line(findings.command)}{head.known}"]
    by_id = {result.check.id: result for result in findings.results}
    new, _ = by_novelty(diagnose(findings, strict=strict).causes, known)
    for cause in new[:1]:
        summary += [headline("Start here", cause, by_id[cause.evidence]), f"  {cause_basis(cause)}"]
    parts = CommandParts(findings.command, seed, options=options, strict=True)
    ended = {check: _ended(result, parts) for check, result in by_id.items()}
    return Report(ended, summary, findings.interrupted)


def _ended(result: Result, parts: CommandParts) -> Ended:
    """Convert a result: a failure to its report, any other outcome to one line."""
    if result.outcome in REFUSING:
        text = recorded(WIDTH, lambda console: print_failure(console, result, parts))
    else:
        text = _one_line("; ".join(filter(None, (result.judgement.observed, result.judgement.hint))))
    return Ended(str(result.outcome), round(result.seconds, 3), text)


def summaries(runs: Sequence[BotRun], shared: Path | None) -> Iterator[list[str]]:
    """Yield the summary of each run of this process, and of each run that workers wrote into `shared`."""
    for run in runs:
        if run.report is not None:
            yield run.report.summary
    if shared is not None:
        for file in sorted(shared.glob("*.json"), key=lambda file: int(file.stem.removeprefix("bot-"))):
            yield _read_report(file).summary


def _read_report(file: Path) -> Report:
    data = json.loads(file.read_text(encoding="utf-8"))
    checks = {check: Ended(**ended) for check, ended in data.pop("checks").items()}
    return Report(checks, **data)


def _one_line(text: str) -> str:
    return safe(text).replace("\n", " ")
