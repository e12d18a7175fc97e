"""Show the progress of a match or an audit on the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from harness.arena.run.events import (
    Event,
    MatchJudged,
    MatchStarted,
    NoticeGiven,
    PhaseStarted,
    ProgressMade,
    SearchesAudited,
)
from harness.arena.verdicts import MatchVerdicts
from harness.report.terminal import LINE_SECONDS
from harness.report.text.match_console import live_view, progress_line

LINE_SHARE = 20
"""If the output is no terminal, the next line comes after 1/20 of the time so far, or after LINE_SECONDS if
that is longer. Chosen: a match of a day prints about 120 lines."""
REDRAW_SECONDS = 2.0
"""Seconds between two drawings of the table on a terminal. Chosen: long enough to read it; a drawing costs
10 ms."""


class MatchDisplay:
    """A handler of the events of a match. It shows a table on a terminal; elsewhere it prints some lines.

    `quiet`: print notices only. The table is removed when the games end, or at the end of the `with` block.
    """

    def __init__(self, console: Console, *, quiet: bool) -> None:
        self._console = console
        self._quiet = quiet
        self._next_line = LINE_SECONDS
        self._next_drawing = 0.0
        self._verdicts: MatchVerdicts | None = None
        shown = console.is_terminal and not quiet
        self._live = Live(console=console, auto_refresh=False, transient=True) if shown else None

    def __enter__(self) -> MatchDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def handle(self, event: Event) -> None:
        """Show the event."""
        match event:
            case MatchStarted(folder=folder) if not self._quiet:
                self._console.print(f"run in {folder}")
            case NoticeGiven(text=text):
                self._console.print(text)
            case MatchJudged(verdicts=verdicts):
                self._verdicts = verdicts
            case ProgressMade():
                self._show(event)
            case PhaseStarted(name=name) if self._live:
                if name == "games":
                    self._live.start()
                else:
                    self._live.stop()

    def _show(self, progress: ProgressMade) -> None:
        """Draw the table, or print a line without a terminal, if it is time for the next one."""
        if self._live:
            if self._verdicts is not None and progress.seconds >= self._next_drawing:
                self._next_drawing = progress.seconds + REDRAW_SECONDS
                self._live.update(live_view(self._verdicts, progress), refresh=True)
        elif not self._quiet and progress.seconds >= self._next_line:
            self._next_line = progress.seconds + max(LINE_SECONDS, progress.seconds / LINE_SHARE)
            self._console.print(progress_line(progress), soft_wrap=True)


@contextmanager
def audit_progress(console: Console, *, quiet: bool) -> Iterator[Callable[[SearchesAudited], None]]:
    """Yield a handler that shows how many searches the audit, or its diagnosis of a fault, has made.

    A terminal gets a bar that is removed at the end. Elsewhere, a line is printed at most every LINE_SECONDS.
    `quiet`: show nothing.
    """
    if not (quiet or console.is_terminal):
        # Imported here, because it loads the registry of checks, which takes half a second.
        from harness.report.text.progress_line import ProgressLine

        with ProgressLine(console, "conform audit") as line:
            yield lambda event: line.show(f"{event.activity}, {event.done} of {event.planned} searches")
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Bar(*columns, console=console, transient=True, disable=quiet) as bar:
        task = bar.add_task("audit", total=None)
        yield lambda event: bar.update(
            task, completed=event.done, total=event.planned, description=event.activity
        )
