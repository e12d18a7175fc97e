"""`BotChecker`: checks the bots of `conform check`, here or on a cluster, and shows the progress."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.cli.options import cluster_workers
from harness.cli.printing import print_plain

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.phases.events import Event
    from harness.check.phases.findings import Findings
    from harness.check.phases.settings import RunSettings
    from harness.cli.event_file import EventFile
    from harness.diagnosis.diagnose import Diagnosis
    from harness.diagnosis.diagnose_run import Handler
    from harness.report.status.check import CheckStatusFile

Checked = tuple["Findings", "Diagnosis"]  # of one bot


@dataclass(frozen=True, kw_only=True)
class BotChecker:
    """Checks bots. The events of each bot go to the status file, to the file of --events, and to the console.

    quiet        print no progress
    verbose      print each check as it ends, even if quiet
    strict       a failed SHOULD refuses a bot too
    stop_first   end the run of a bot as soon as a cause is suspected; only on this machine
    """

    status: CheckStatusFile
    events: EventFile
    console: Console
    quiet: bool
    verbose: bool
    strict: bool
    stop_first: bool

    def check_here(self, bots: Sequence[RunSettings]) -> list[Checked]:
        """Check one bot after the other on this machine. After Ctrl-C, the bots that follow are left out.

        Raises KeyboardInterrupt if Ctrl-C comes before a bot is identified (see `run_check`).
        """
        from harness.check.phases.run import run_check
        from harness.diagnosis.diagnose_run import diagnose_run
        from harness.gtp import protection
        from harness.report.text.progress_line import ProgressLine

        checked: list[Checked] = []
        for number, settings in enumerate(bots):
            if self.verbose:
                print_plain(self.console, protection([settings.launch]))
            shown = not self.verbose and not self.quiet
            with ProgressLine(self.console, settings.launch.command) if shown else nullcontext() as line:
                handlers = self._handlers_of(number)
                if line is not None:
                    handlers.append(line.handle)
                if self.stop_first:
                    handlers.append(self._stop_at_cause)
                checked.append(diagnose_run(run_check(settings), handlers, strict=self.strict))
            findings, _ = checked[-1]
            if findings.interrupted:
                break
        return checked

    def check_on_cluster(self, cluster: str, bots: Sequence[RunSettings]) -> list[Checked]:
        """Check each bot on one worker of a cluster. Once a bot is checked, the events of its results come.

        After Ctrl-C, the results of unfinished bots are inconclusive, and they have no events. Raises
        UsageError. `cluster`: address of a dask scheduler, or `local`.
        """
        from harness.check.phases.run import events_of
        from harness.check.verdict import verdict
        from harness.diagnosis.diagnose import diagnose
        from harness.diagnosis.diagnose_run import diagnose_run
        from harness.gtp import printable_text
        from harness.remote.check import check_on
        from harness.report.numbers import amount

        checked: dict[int, Checked] = {}

        def say(text: str) -> None:
            print_plain(self.console, printable_text(text))

        def on_bot(number: int, findings: Findings) -> None:
            events = events_of(bots[number], findings)
            checked[number] = diagnose_run(events, self._handlers_of(number), strict=self.strict)
            if not self.quiet:
                word = verdict(findings, strict=self.strict)
                say(f"{findings.command}: {word}, {len(checked)} of {amount(len(bots), 'bot')} checked")

        with cluster_workers(cluster, min(len(bots), os.cpu_count() or 1)) as pool:
            found = check_on(pool, bots, on_bot, say)
        return [
            checked.get(number) or (findings, diagnose(findings, strict=self.strict))
            for number, findings in enumerate(found)
        ]

    def _handlers_of(self, number: int) -> list[Handler]:
        """Return the handlers of a bot's events, here or on a cluster. `number`: its index among the bots."""
        handlers: list[Handler] = [
            self.status.handler_of_bot(number),
            self.events.handler_of_bot(number, strict=self.strict),
        ]
        if self.verbose:
            handlers.append(self._print_result)
        return handlers

    def _print_result(self, event: Event) -> None:
        """Print one line if the event is the end of a check, or a failure before its end."""
        from harness.check.phases.events import CheckEnded, FailureSeen
        from harness.report.text.console import show_result

        if isinstance(event, CheckEnded | FailureSeen):
            show_result(self.console, event.result, strict=self.strict)

    def _stop_at_cause(self, event: Event) -> None:
        """If the event is a suspected cause, say so and end the run of the bot."""
        from harness.check.phases.run import StopRun
        from harness.diagnosis.cause import CauseSuspected

        if isinstance(event, CauseSuspected):
            print_plain(self.console, "stopped at the first cause (-x)")
            raise StopRun
