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
    from harness.cli.event_file import EventFile
    from harness.diagnosis.diagnose import Diagnosis
    from harness.report.status.check import CheckStatusFile

Handler = Callable[["Event"], object]


@dataclass(frozen=True, kw_only=True)
class Display:
    """Where to show how far the checks are.

    status    a small file for onlookers
    events    a file of all events
    quiet     the console gets nothing before the verdict
    verbose   the console gets each check
    strict    a failed SHOULD refuses a bot too
    """

    console: Console
    status: CheckStatusFile
    events: EventFile
    quiet: bool
    verbose: bool
    strict: bool

    def handlers_of(self, number: int) -> list[Handler]:
        """The handlers of the events of one bot, by its place among the commands."""
        handlers: list[Handler] = [self.status.of_bot(number), self.events.of_bot(number, strict=self.strict)]
        return [*handlers, _result_printer(self)] if self.verbose else handlers


@dataclass(frozen=True)
class Checked:
    """What was found out about one bot, and its diagnosis."""

    findings: Findings
    diagnosis: Diagnosis


def checked_here(bots: Sequence[RunSettings], display: Display) -> list[Checked]:
    """Check one bot after the other, up to an interrupt."""
    checked: list[Checked] = []
    for number, settings in enumerate(bots):
        checked.append(_watched(settings, number, display))
        if checked[-1].findings.interrupted:
            break
    return checked


def checked_on(cluster: str, bots: Sequence[RunSettings], display: Display) -> list[Checked]:
    """Check each bot on one worker of a cluster. A line says when a bot is done. Raises UsageError."""
    from rich.text import Text

    from harness.check.phases.run import events_of
    from harness.check.verdict import verdict
    from harness.gtp import printable_text
    from harness.remote.check import check_on
    from harness.report.numbers import amount

    def say(text: str) -> None:
        display.console.print(Text(printable_text(text)), soft_wrap=True)

    checked: dict[int, Checked] = {}

    def take(number: int, found: Findings) -> None:
        follower = _Follower(display.handlers_of(number), strict=display.strict)
        for event in events_of(bots[number], found):
            follower.handle(event)
        checked[number] = follower.checked()
        if not display.quiet:
            word = verdict(found, strict=display.strict)
            say(f"{found.command}: {word}, {len(checked)} of {amount(len(bots), 'bot')} checked")

    with cluster_workers(cluster, min(len(bots), os.cpu_count() or 1)) as pool:
        found = check_on(pool, bots, take, say)
    return [checked.get(number) or _diagnosed(one, display) for number, one in enumerate(found)]


def _watched(settings: RunSettings, number: int, display: Display) -> Checked:
    """Run the checks on one bot. A line on a terminal and the files say how far it is."""
    from rich.text import Text

    from harness.check.phases.run import follow, run_check
    from harness.gtp import protection
    from harness.report.text.progress_line import ProgressLine

    console = display.console
    if display.verbose:
        console.print(Text(protection([settings.launch])), soft_wrap=True)
    shown = not display.verbose and not display.quiet
    with ProgressLine(console, settings.launch.command) if shown else nullcontext() as line:
        lines: list[Handler] = [line.handle] if line is not None else []
        follower = _Follower([*lines, *display.handlers_of(number)], strict=display.strict)
        follow(run_check(settings), follower.handle)
    return follower.checked()


class _Follower:
    """Passes the events of one bot to handlers. The causes come before the last event."""

    def __init__(self, handlers: Sequence[Handler], *, strict: bool) -> None:
        self._handlers = handlers
        self._strict = strict
        self._checked: Checked | None = None

    def handle(self, event: Event) -> None:
        """Take the next event."""
        from harness.check.phases.events import RunEnded
        from harness.diagnosis.diagnose import diagnose
        from harness.diagnosis.events import CauseFound

        if isinstance(event, RunEnded):
            diagnosis = diagnose(event.findings, strict=self._strict)
            self._checked = Checked(event.findings, diagnosis)
            for cause in diagnosis.causes:
                self._pass_on(CauseFound(cause))
        self._pass_on(event)

    def checked(self) -> Checked:
        """What was found out, once the last event was handled."""
        assert self._checked is not None, "every run ends with RunEnded"
        return self._checked

    def _pass_on(self, event: Event) -> None:
        for handle in self._handlers:
            handle(event)


def _diagnosed(findings: Findings, display: Display) -> Checked:
    """A bot that was not finished, with its diagnosis."""
    from harness.diagnosis.diagnose import diagnose

    return Checked(findings, diagnose(findings, strict=display.strict))


def _result_printer(display: Display) -> Handler:
    """A handler that prints the result of every check as it ends."""
    from harness.check.phases.events import CheckEnded, FailureSeen
    from harness.report.text.console import show_result

    def handle(event: Event) -> None:
        if isinstance(event, CheckEnded | FailureSeen):
            show_result(display.console, event.result, strict=display.strict)

    return handle
