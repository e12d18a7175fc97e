"""The progress of a check: a live line on a terminal; elsewhere a line every half minute and at SIGUSR1."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from harness.check.model import Level
from harness.check.phases.events import CheckEnded, CheckRepeated, Event, FailureSeen
from harness.check.phases.progress import Progress, ProgressMeter
from harness.gtp import printable_text
from harness.report.numbers import amount

if TYPE_CHECKING:
    from harness.check.model import Result

LINE_SECONDS = 30.0
"""Seconds between two lines if the output is no terminal. Chosen: a log of a CI system stays short."""

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
        self._shown: set[str] = set()  # ids of the checks whose failure was seen
        self._suspected = False  # a check was repeated, to confirm its failure
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
        """Show an event: a failure, the first repetition of a check, or the new progress."""
        shows_progress = self._meter.handle(event)
        if isinstance(event, CheckEnded | FailureSeen):
            self.show_failure(event.result)
        elif shows_progress:
            progress = self._meter.progress
            if isinstance(event, CheckRepeated) and not self._suspected and not self._shown:
                self._suspected = True
                self._print(progress.doing)
            self.show(progress_text(progress))

    def show_failure(self, result: Result) -> None:
        """Print a failure of a MUST check when it is first seen."""
        must_failed = result.refuses and result.check.level is Level.MUST
        if must_failed and result.check.id not in self._shown:
            self._shown.add(result.check.id)
            if self._console.is_terminal or len(self._shown) == 1:
                line = f"{result.outcome} {result.check.id}: {result.check.title}"
                self._console.print(Text(line), soft_wrap=True)

    def show(self, text: str) -> None:
        """Show one line of progress: at once on a terminal, else if LINE_SECONDS have passed."""
        self._latest = text
        if self._status is not None:
            self._status.update(Text(text))
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + LINE_SECONDS
            self._print(text)

    def _print(self, text: str) -> None:
        self._console.print(Text(f"{self._command}: {text}"), soft_wrap=True)


def progress_text(progress: Progress) -> str:
    """Return one line: the activity, the checks decided, the failures, the time left."""
    parts = (
        progress.doing,
        f"{progress.decided} of {amount(progress.total, 'check')} decided",
        amount(progress.searches, "search") if progress.searches else "",
        f"{progress.failures} failed" if progress.failures else "",
        "" if progress.seconds_left is None else f"about {duration_text(progress.seconds_left)} left",
    )
    return ", ".join(filter(None, parts))


def duration_text(seconds: float) -> str:
    """A duration in words, rounded for a reader: 40 s, 3 min, 2 h."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"


def game_time(seconds: float) -> str:
    """The time of a game with two digits: 0.081 s, 4.2 s, 40 s, 3 min."""
    return f"{seconds:.2g} s" if seconds < 10.0 else duration_text(seconds)
