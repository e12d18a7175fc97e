"""How `conform check` runs the checks of its bots, here or on a cluster, and shows how far they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.cli.options import cluster_workers

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.model import Result
    from harness.check.phases.findings import Assignment, Findings
    from harness.check.phases.progress import Progress
    from harness.report.status.check import CheckStatusFile


@dataclass(frozen=True)
class Display:
    """Where to show how far the checks are: a console, and a file for onlookers.

    quiet, verbose   whether the console gets nothing before the verdict, or each check
    strict           a failed SHOULD refuses the bot
    """

    console: Console
    status: CheckStatusFile
    quiet: bool
    verbose: bool
    strict: bool


def checked_here(assignments: Sequence[Assignment], display: Display) -> list[Findings]:
    """Check one bot after the other, up to an interrupt."""
    findings: list[Findings] = []
    for assignment in assignments:
        display.status.begin()
        findings.append(_watched(assignment, display))
        if findings[-1].interrupted:
            break
    return findings


def checked_on(cluster: str, assignments: Sequence[Assignment], display: Display) -> list[Findings]:
    """Check each bot on one worker of a cluster. A line says when a bot is done. Raises UsageError."""
    from rich.text import Text

    from harness.check.verdict import verdict
    from harness.gtp import printable_text
    from harness.remote.check import check_on
    from harness.report.numbers import amount
    from harness.report.text.console import show_result

    def say(text: str) -> None:
        display.console.print(Text(printable_text(text)), soft_wrap=True)

    done = 0

    def show(place: int, found: Findings) -> None:
        nonlocal done
        done += 1
        display.status.ended(place, found.results)
        if display.verbose:
            for result in found.results:
                show_result(display.console, result, strict=display.strict)
        if not display.quiet:
            word = verdict(found, strict=display.strict)
            say(f"{found.command}: {word}, {done} of {amount(len(assignments), 'bot')} checked")

    with cluster_workers(cluster, min(len(assignments), os.cpu_count() or 1)) as pool:
        return check_on(pool, assignments, show, say)


def _watched(assignment: Assignment, display: Display) -> Findings:
    """Run the checks on one bot. A line on a terminal and the status file say how far it is."""
    from rich.text import Text

    from harness.check.phases.runner import run_checks
    from harness.gtp import protection
    from harness.report.text.console import show_result
    from harness.report.text.progress_line import ProgressLine

    console, status = display.console, display.status

    def show(result: Result) -> None:
        status.result(result)
        if display.verbose:
            show_result(console, result, strict=display.strict)

    if display.verbose:
        console.print(Text(protection([assignment.launch])), soft_wrap=True)
    if display.verbose or display.quiet:
        return run_checks(assignment, show, status.progress)
    with ProgressLine(console, assignment.launch.command) as line:

        def show_failure(result: Result) -> None:
            line.result(result)
            status.result(result)

        def show_progress(progress: Progress) -> None:
            line.progress(progress)
            status.progress(progress)

        return run_checks(assignment, show_failure, show_progress)
