"""The progress of a check: a live line on a terminal, elsewhere a line every half minute; more at SIGUSR1."""

from __future__ import annotations

import signal
import threading
import time
from dataclasses import replace
from types import FrameType, TracebackType

from rich.console import Console
from rich.text import Text

from harness.check.model import Level, Outcome, Result
from harness.check.phases.events import CheckEnded, CheckRepeated, Event, FailureSeen, TimeForecast
from harness.check.phases.progress import Progress, ProgressMeter
from harness.diagnosis.cause import CauseKind, CauseSuspected
from harness.gtp import printable_text
from harness.report.numbers import amount, check_progress, duration_text, left_text
from harness.report.terminal import LINE_SECONDS
from harness.report.text.budget import SPARE_FACTOR, budget_text, rounded_down
from harness.report.text.cause_text import cause_statement
from harness.report.visible import safe

STARTING = "waiting for the first answer (--startup is its time limit)"
"""The text until the bot has answered."""


class ProgressLine:
    """Shows the progress of the check of one bot while it is entered as a context manager.

    Each MUST failure gets a line when it is first seen; if the output is no terminal, only the first one.
    SIGUSR1 prints the latest line at once, if the system has the signal and this is the main thread.
    """

    def __init__(self, console: Console, command: str) -> None:
        self._console = console
        self._command = printable_text(command)
        self._status = console.status(Text(f"{self._command}: {STARTING}")) if console.is_terminal else None
        self._next_line = time.monotonic() + LINE_SECONDS
        self._shown: set[str] = set()  # ids of the checks whose failure was printed
        self._repeated = ""  # id of the first check that was repeated, to confirm its failure
        self._causes: set[str] = set()  # the lines of the causes so far
        self._latest = STARTING
        self._meter = ProgressMeter()
        self._answers_signal = (
            hasattr(signal, "SIGUSR1") and threading.current_thread() is threading.main_thread()
        )

    def __enter__(self) -> ProgressLine:
        if self._answers_signal:
            self._handler_before = signal.signal(signal.SIGUSR1, self._on_signal)
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()
        if self._answers_signal:
            signal.signal(signal.SIGUSR1, self._handler_before)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._print(self._latest)

    def handle(self, event: Event) -> None:
        """Show a failure, a suspected cause, a forecast, the first repetition of a check, or the progress.

        A repetition is shown only if no failure was: the reader does not know yet that something failed.
        """
        shows_progress = self._meter.handle(event)
        if isinstance(event, CheckEnded | FailureSeen):
            self.show_result(event.result)
        elif isinstance(event, CauseSuspected):
            self._show_suspected(event)
        elif isinstance(event, TimeForecast):
            self._print(forecast_text(event))
        elif shows_progress:
            progress = self._meter.progress
            if isinstance(event, CheckRepeated) and not self._repeated and not self._shown:
                self._repeated = event.check.id
                self._print(progress.doing)
            self.show(progress_text(progress))

    def _show_suspected(self, event: CauseSuspected) -> None:
        """Print the requirement that was not met, once. Faults are named at the end, by all that was seen."""
        cause = event.cause
        if cause.kind is CauseKind.FAULT:
            cause = replace(cause, kind=CauseKind.CLAUSE, name=cause.clause)
        line = f"so far: {safe(cause_statement(cause, event.evidence))}"
        if line in self._causes:
            return
        self._print(line)
        if self._status is not None and not self._causes:
            self._print("Ctrl-C ends the run with the report of what is known")
        self._causes.add(line)

    def show_result(self, result: Result) -> None:
        """Print a MUST failure when it is first seen, and the end of a repeated check that fails no more."""
        if result.check.id == self._repeated and not result.refuses:
            observed = result.judgement.observed.partition("\n")[0]
            reason = f": {observed}" if result.outcome is Outcome.SKIP else ""
            self._print(safe(f"{result.check.id} ended with {result.outcome}{reason}"))
        must_failed = result.refuses and result.check.level is Level.MUST
        if must_failed and result.check.id not in self._shown:
            self._shown.add(result.check.id)
            if self._console.is_terminal or len(self._shown) == 1:
                line = f"{result.outcome} {result.check.id}, required: {result.check.title}"
                self._console.print(Text(line), soft_wrap=not self._console.is_terminal)

    def show(self, text: str) -> None:
        """Show one line of progress: at once on a terminal, else if LINE_SECONDS have passed."""
        self._latest = text
        if self._status is not None:
            self._status.update(Text(text))
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + LINE_SECONDS
            self._print(text)

    def _print(self, text: str) -> None:
        self._console.print(Text(f"{self._command}: {text}"), soft_wrap=not self._console.is_terminal)


def progress_text(progress: Progress) -> str:
    """Return one line: the activity, the checks decided, the failures, the time left."""
    return check_progress(
        progress.doing,
        progress.decided,
        progress.total,
        amount(progress.searches, "search") if progress.searches else "",
        f"{progress.failures} failed" if progress.failures else "",
        _time_left(progress),
    )


def _time_left(progress: Progress) -> str:
    """Return the time left, or how much more is needed than the time limit allows; empty if not known."""
    left, allowed = progress.seconds_left, progress.seconds_allowed
    if left is None or allowed is None or left <= allowed:
        return left_text(left)
    return f"about {duration_text(left)} needed, {duration_text(allowed)} allowed (--budget)"


def forecast_text(forecast: TimeForecast) -> str:
    """Return one line: the time of a search, how many fit, and the playouts or the budget that fit."""
    search_seconds = forecast.search_seconds
    of_playouts = "" if forecast.playouts is None else f" with {amount(forecast.playouts, 'playout')}"
    fitting = int(forecast.seconds / search_seconds) or "none"
    fewer = ""
    if forecast.playouts is not None:
        # `budget_text` multiplies by the factor, too.
        share = forecast.seconds / (SPARE_FACTOR * search_seconds * forecast.wanted)
        fewer = f"let the bot make about {rounded_down(share * forecast.playouts)} playouts a search, or "
    return (
        f"a search takes about {duration_text(search_seconds)}{of_playouts}: "
        f"{duration_text(forecast.seconds)} are enough for {fitting} of about {forecast.wanted:.0f}; "
        f"{fewer}give --budget {budget_text(search_seconds * forecast.wanted)}"
    )
