"""How `conform check` runs the checks of its bots, here or on a cluster, and shows the progress."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.cli.options import cluster_workers

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.phases.events import Event
    from harness.check.phases.findings import Findings
    from harness.check.phases.settings import RunSettings
    from harness.cli.event_file import EventFile
    from harness.diagnosis.diagnose import Diagnosis
    from harness.report.status.check import CheckStatusFile

Handler = Callable[["Event"], object]
Checked = tuple["Findings", "Diagnosis"]  # of one bot

MOST_SUSPECTED = 2
"""Causes that are named after a phase of the run. Chosen: the report at the end has all of them."""


@dataclass(frozen=True, kw_only=True)
class Display:
    """Where the progress of the checks is shown.

    status    the status file, which `conform status` and `conform serve` read
    events    the file of --events
    quiet     print nothing before the verdict
    verbose   print each check as it ends
    strict    a failed SHOULD refuses a bot too
    stop_first   stop the run of a bot as soon as a cause is known
    """

    console: Console
    status: CheckStatusFile
    events: EventFile
    quiet: bool
    verbose: bool
    strict: bool
    stop_first: bool = False

    def handler_of(self, number: int, checked: list[Checked], *more: Handler) -> Handler:
        """Return a function that handles each event of bot `number`, its index in the command line.

        It passes the event to the status file, to --events and to `more`. The last event adds the bot to
        `checked`, and an event for each cause comes before it. After a phase with new failures, the first
        causes so far become events.
        """
        from harness.check.phases.events import CheckEnded, FailureSeen, FindingsSoFar, RunEnded
        from harness.diagnosis.cause import CauseFound, CauseSuspected
        from harness.diagnosis.diagnose import diagnose
        from harness.report.text.console import show_result

        handlers = [*more, self.status.of_bot(number), self.events.of_bot(number, strict=self.strict)]

        suspected: set[tuple[str, str]] = set()  # evidence and name of each cause so far
        stopped = False

        def suspect(findings: Findings) -> None:
            results = {result.check.id: result for result in findings.results}
            for cause in diagnose(findings, strict=self.strict).causes[:MOST_SUSPECTED]:
                if (cause.evidence, cause.name) not in suspected:
                    suspected.add((cause.evidence, cause.name))
                    for handler in handlers:
                        handler(CauseSuspected(cause, results[cause.evidence]))

        def handle(event: Event) -> None:
            nonlocal stopped
            if isinstance(event, RunEnded):
                if stopped:
                    event = RunEnded(replace(event.findings, interrupted=False))
                diagnosis = diagnose(event.findings, strict=self.strict)
                checked.append((event.findings, diagnosis))
                for cause in diagnosis.causes:
                    for handler in handlers:
                        handler(CauseFound(cause))
            for handler in handlers:
                handler(event)
            if isinstance(event, FindingsSoFar):
                suspect(event.findings)
            if self.verbose and isinstance(event, CheckEnded | FailureSeen):
                show_result(self.console, event.result, strict=self.strict)
            if self.stop_first and suspected and not stopped:
                stopped = True
                self.console.print("stopped at the first cause (-x)", highlight=False)
                raise KeyboardInterrupt  # `follow` ends the run with what is known

        return handle


def checked_here(bots: Sequence[RunSettings], display: Display) -> list[Checked]:
    """Check one bot after the other on this machine, until an interrupt. A line shows the progress."""
    from rich.text import Text

    from harness.check.phases.run import follow, run_check
    from harness.gtp import protection
    from harness.report.text.progress_line import ProgressLine

    checked: list[Checked] = []
    for number, settings in enumerate(bots):
        if display.verbose:
            display.console.print(Text(protection([settings.launch])), soft_wrap=True)
        shown = not display.verbose and not display.quiet
        with ProgressLine(display.console, settings.launch.command) if shown else nullcontext() as line:
            lines = [line.handle] if line is not None else []
            follow(run_check(settings), display.handler_of(number, checked, *lines))
        findings, _ = checked[-1]
        if findings.interrupted:
            break
    return checked


def checked_on(cluster: str, bots: Sequence[RunSettings], display: Display) -> list[Checked]:
    """Check each bot on one worker of a cluster. Prints a line when a bot is done. Raises UsageError."""
    from rich.text import Text

    from harness.check.phases.run import events_of
    from harness.check.verdict import verdict
    from harness.diagnosis.diagnose import diagnose
    from harness.gtp import printable_text
    from harness.remote.check import check_on
    from harness.report.numbers import amount

    def say(text: str) -> None:
        display.console.print(Text(printable_text(text)), soft_wrap=True)

    checked: dict[int, list[Checked]] = {}

    def take(number: int, found: Findings) -> None:
        handle = display.handler_of(number, checked.setdefault(number, []))
        for event in events_of(bots[number], found):
            handle(event)
        if not display.quiet:
            word = verdict(found, strict=display.strict)
            say(f"{found.command}: {word}, {len(checked)} of {amount(len(bots), 'bot')} checked")

    with cluster_workers(cluster, min(len(bots), os.cpu_count() or 1)) as pool:
        found = check_on(pool, bots, take, say)
    return [
        checked[number][0] if number in checked else (one, diagnose(one, strict=display.strict))
        for number, one in enumerate(found)
    ]
