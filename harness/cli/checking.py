"""How `conform check` runs the checks of its bots, here or on a cluster, and shows how far they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.cli.options import cluster_workers

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.phases.events import Event
    from harness.check.phases.findings import Findings
    from harness.check.phases.settings import RunSettings
    from harness.report.status.check import CheckStatusFile

Handler = Callable[["Event"], object]


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


def checked_here(bots: Sequence[RunSettings], display: Display) -> list[Findings]:
    """Check one bot after the other, up to an interrupt."""
    findings: list[Findings] = []
    for number, settings in enumerate(bots):
        findings.append(_watched(settings, number, display))
        if findings[-1].interrupted:
            break
    return findings


def checked_on(cluster: str, bots: Sequence[RunSettings], display: Display) -> list[Findings]:
    """Check each bot on one worker of a cluster. A line says when a bot is done. Raises UsageError."""
    from rich.text import Text

    from harness.check.phases.run import events_of
    from harness.check.verdict import verdict
    from harness.gtp import printable_text
    from harness.remote.check import check_on
    from harness.report.numbers import amount

    def say(text: str) -> None:
        display.console.print(Text(printable_text(text)), soft_wrap=True)

    done = 0

    def show(number: int, found: Findings) -> None:
        nonlocal done
        done += 1
        handlers: list[Handler] = [display.status.of_bot(number)]
        if display.verbose:
            handlers.append(_result_printer(display))
        for event in events_of(bots[number], found):
            _pass_on(event, handlers)
        if not display.quiet:
            word = verdict(found, strict=display.strict)
            say(f"{found.command}: {word}, {done} of {amount(len(bots), 'bot')} checked")

    with cluster_workers(cluster, min(len(bots), os.cpu_count() or 1)) as pool:
        return check_on(pool, bots, show, say)


def _watched(settings: RunSettings, number: int, display: Display) -> Findings:
    """Run the checks on one bot. A line on a terminal and the status file say how far it is."""
    from rich.text import Text

    from harness.check.phases.run import findings_of, run_check
    from harness.gtp import protection
    from harness.report.text.progress_line import ProgressLine

    console = display.console
    handlers: list[Handler] = [display.status.of_bot(number)]
    if display.verbose:
        console.print(Text(protection([settings.launch])), soft_wrap=True)
        handlers.append(_result_printer(display))
    shown = not display.verbose and not display.quiet
    with ProgressLine(console, settings.launch.command) if shown else nullcontext() as line:
        if line is not None:
            handlers.insert(0, line.handle)
        return findings_of(run_check(settings), lambda event: _pass_on(event, handlers))


def _pass_on(event: Event, handlers: Sequence[Handler]) -> None:
    for handle in handlers:
        handle(event)


def _result_printer(display: Display) -> Handler:
    """A handler that prints the result of every check as it ends."""
    from harness.check.phases.events import CheckEnded, FailureSeen
    from harness.report.text.console import show_result

    def handle(event: Event) -> None:
        if isinstance(event, CheckEnded | FailureSeen):
            show_result(display.console, event.result, strict=display.strict)

    return handle
