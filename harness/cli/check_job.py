"""`CheckJob`: one command `conform check`, which `--lf` and `--watch` run more than once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.bot_checker import BotChecker
from harness.cli.event_file import EventFile
from harness.cli.exits import GRAVITY, VERDICT_CODES, ExitCode
from harness.cli.last_run import LastRun, Unpassed
from harness.cli.outputs import Outputs
from harness.cli.printing import print_plain
from harness.files import timestamp

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.model import Verdict
    from harness.check.phases.findings import Findings
    from harness.check.phases.settings import RunSettings
    from harness.report.records.check import CheckReport, ReportSettings
    from harness.report.records.stored_check import CheckedOnce

LOOK_SECONDS = 0.5
"""Seconds between two looks at the files of a program. Chosen: a compiler takes longer."""
SETTLE_SECONDS = 0.3
"""Seconds without a further change after which a program is complete. Chosen: a linker writes more often."""


@dataclass(frozen=True)
class CheckJob:
    """The bots and checks of a command, how they are shown, and what is written.

    cluster      address of a dask scheduler, or `local`; None: this machine
    old          the bots of an earlier report, to compare with (`--diff`); None without one
    github       print the failures as annotations of GitHub Actions, too
    concise      print one line for each failure, and nothing of the progress
    stop_first   stop as soon as a cause is known
    """

    console: Console
    bots: Sequence[RunSettings]
    settings: ReportSettings
    outputs: Outputs
    cluster: str | None = None
    old: Sequence[CheckedOnce] | None = None
    github: bool = False
    quiet: bool = False
    verbose: bool = False
    concise: bool = False
    stop_first: bool = False

    def run(self) -> ExitCode:
        """Check the bots, print and write the report, and return the exit code."""
        from harness.report.ci.github import commands_stopped, show_annotations
        from harness.report.status.check import CheckStatusFile

        commands = [bot.launch.command for bot in self.bots]
        with (
            CheckStatusFile(self.outputs.json_path, commands, self.settings.budget) as status,
            EventFile(self.outputs.events) as event_file,
        ):
            checker = BotChecker(
                status=status,
                events=event_file,
                console=self.console,
                quiet=self.quiet or self.concise,
                verbose=self.verbose,
                strict=self.settings.strict,
                stop_first=self.stop_first,
            )
            with commands_stopped(self.console) if self.github else nullcontext():
                report = self._check(checker)
                try:
                    self._show(report)
                    self._show_difference(report)
                finally:  # a run of minutes is not lost with the console
                    self.outputs.write(report)
                    self._remember(report)
            if self.github:
                show_annotations(self.console, report)
        event_file.raise_problem()
        findings = report.findings
        if any(found.interrupted for found in findings):
            return ExitCode.INTERRUPTED
        if self.settings.known is None:
            return exit_code(report.verdicts)
        return exit_code(
            [
                compare_with_known(
                    self.console,
                    findings[0],
                    self.settings.known,
                    strict=self.settings.strict,
                    quiet=self.quiet,
                )
            ]
        )

    def run_last_failed(self) -> ExitCode:
        """Check what failed last time; if it passes, what was undecided; if that passes too, everything.

        A known failure passes if it fails. For one bot. Return the exit code of the last of these runs.
        """
        (bot,) = self.bots
        last = _last_run_of(bot).read()
        steps = {"failed": last.failed, "were undecided": last.undecided}
        for how, ids in steps.items():  # `how` completes "12 of 300 checks, which … last time"
            chosen = tuple(check for check in bot.checks if check.id in ids)
            if len(chosen) in (0, len(bot.checks)):
                continue
            self._say(f"{len(chosen)} of {len(bot.checks)} checks, which {how} last time")
            some = replace(
                self, bots=(replace(bot, checks=chosen),), settings=replace(self.settings, checks=len(chosen))
            )
            code = some.run()
            if code != ExitCode.CONFORMS:
                return code
            known = self.settings.known is not None  # a known failure fails, and refuses no bot
            self._say(f"\nthey {'are as the list of known failures says' if known else 'pass now'}")
        nothing = (last.failed | last.undecided).isdisjoint(check.id for check in bot.checks)
        self._say(f"{'nothing failed or was undecided last time: ' if nothing else ''}all checks run")
        return self.run()

    def _check(self, checker: BotChecker) -> CheckReport:
        """Check the bots, here or on the cluster."""
        from harness.report.records.check import CheckReport

        started, began = timestamp(), time.monotonic()
        if self.cluster is None:
            checked = checker.check_here(self.bots)
        else:
            checked = checker.check_on_cluster(self.cluster, self.bots)
        findings, diagnoses = zip(*checked, strict=True)
        return CheckReport(findings, diagnoses, started, time.monotonic() - began, self.settings)

    def _show(self, report: CheckReport) -> None:
        """Print the report."""
        from harness.report.text.concise import concise_lines
        from harness.report.text.console import show_report

        if self.concise and not self.quiet:
            for line in concise_lines(report):
                self._say(line)
        else:
            show_report(self.console, report, quiet=self.quiet, everything=self.verbose)

    def _show_difference(self, report: CheckReport) -> None:
        """Print what has changed since the earlier report of `--diff`."""
        from harness.report.text.difference import difference, earlier_of

        if self.old is None:
            return
        for bot in report.bots:
            old = earlier_of(self.old, bot.findings.command)
            if old is None:
                self._say(f"the earlier report does not have {bot.findings.command}")
            else:
                found, source = difference(old, bot), f"the check of {old.started}"
                for line in [found.line(source)] if self.quiet else found.lines(source):
                    print_plain(self.console, line)

    def _remember(self, report: CheckReport) -> None:
        """Keep the ids of the checks that failed or are undecided, for the next `--lf`.

        A check that was not judged now, because it was left out or interrupted, keeps its earlier state.
        """
        from harness.check.model import Outcome
        from harness.check.phases.run import INTERRUPTED

        for bot, settings in zip(report.bots, self.bots, strict=False):  # Ctrl-C leaves out later bots
            last = _last_run_of(settings)
            before = last.read()
            ended = [r for r in bot.findings.results if r.judgement.observed != INTERRUPTED]
            judged = {result.check.id for result in ended}
            failed = {result.check.id for result in bot.failures}
            undecided = {result.check.id for result in ended if result.outcome is Outcome.INCONCLUSIVE}
            last.write(Unpassed((before.failed - judged) | failed, (before.undecided - judged) | undecided))

    def _say(self, text: str) -> None:
        if not self.quiet:
            print_plain(self.console, text)


def _last_run_of(bot: RunSettings) -> LastRun:
    return LastRun(bot.launch.command, bot.launch.cwd or Path.cwd())


def run_on_changes(run: Callable[[], ExitCode], bots: Sequence[RunSettings], console: Console) -> ExitCode:
    """Call `run`, and again when the program of a bot changes, until Ctrl-C. Return the last exit code."""
    from harness.arena.game.program import program_of

    def programs() -> list[str | None]:
        return [program_of(bot.launch) for bot in bots]

    code = ExitCode.CONFORMS
    try:
        while True:
            seen = programs()
            code = run()
            if code == ExitCode.INTERRUPTED:
                return code
            console.print("\nwaiting for a change of the program; Ctrl-C ends this", highlight=False)
            _wait_for_change(programs, seen)
            console.print("the program has changed: checking again\n", highlight=False)
    except KeyboardInterrupt:
        return code


def _wait_for_change(programs: Callable[[], list[str | None]], seen: list[str | None]) -> None:
    """Wait until all programs exist, differ from `seen`, and are still the same after SETTLE_SECONDS."""
    while True:
        now = programs()
        if now != seen and None not in now:
            time.sleep(SETTLE_SECONDS)
            if programs() == now:
                return
        time.sleep(LOOK_SECONDS)


def exit_code(verdicts: Sequence[Verdict]) -> ExitCode:
    """Return the exit code of the gravest of at least one verdict, by GRAVITY."""
    codes = {VERDICT_CODES[verdict] for verdict in verdicts}
    return next(code for code in GRAVITY if code in codes)


def compare_with_known(
    console: Console, findings: Findings, known: frozenset[str], *, strict: bool, quiet: bool = False
) -> Verdict:
    """Print how the failures differ from a list of known failures; return the verdict.

    Any difference refuses the bot: a failure that is not in the list, or a check of the list that passes.

    known   ids of checks that must fail
    quiet   print nothing if nothing differs: the headline of the report says so
    """
    from harness.check.model import Verdict
    from harness.suite.known_failures import compare

    found = compare(findings, known, strict=strict)
    sentences = found.sentences()
    for sentence in sentences:
        console.print(sentence)
    if not (sentences or findings.unusable or quiet):
        undecided = ", but some checks are undecided" if found.verdict is Verdict.INCONCLUSIVE else ""
        console.print(f"every failure is in the list of known failures{undecided}")
    return found.verdict
