"""Shows a match while it is played: a live table on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from harness.arena.config.tables import MatchConfig
from harness.arena.folder.audit import AuditProgress
from harness.arena.folder.watcher import Watcher
from harness.arena.folder.writer import RunWriter
from harness.arena.run.coordinator import Progress
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.text.match_console import live_view, progress_line
from harness.report.text.progress_line import LINE_SECONDS, ProgressLine

LINES = 20
"""A line is printed each time that a run has become longer by one part of this number: a log stays short."""


class LiveWatcher(Watcher):
    """Shows the state of a run: a table on a terminal, a line now and then elsewhere."""

    def __init__(self, console: Console, *, quiet: bool) -> None:
        super().__init__(console.print)
        self._console = console
        self._quiet = quiet
        self._next_line = LINE_SECONDS
        shown = console.is_terminal and not quiet
        self._live = Live(console=console, auto_refresh=False, transient=True) if shown else None

    @contextmanager
    def over(self, store: Store, config: MatchConfig, folder: Path, writer: RunWriter) -> Iterator[None]:
        """Watch this run for the length of a `with` block."""
        if not self._quiet:
            self._console.print(f"run in {folder}")
        with super().over(store, config, folder, writer):
            yield

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Show the games for the length of a `with` block."""
        with super().playing(), self._live or nullcontext():
            yield

    def show(self, verdicts: MatchVerdicts, progress: Progress) -> None:
        """Draw the table again."""
        if self._live:
            self._live.update(live_view(verdicts, progress), refresh=True)
        elif not self._quiet and progress.seconds >= self._next_line:
            self._next_line = progress.seconds + max(LINE_SECONDS, progress.seconds / LINES)
            self._console.print(progress_line(progress), soft_wrap=True)


@contextmanager
def audit_progress(console: Console, *, quiet: bool) -> Iterator[AuditProgress]:
    """Shows how many of how many searches are audited, or searched for a diagnosis.

    A bar on a terminal, elsewhere a line now and then as for a check.
    """
    if not (quiet or console.is_terminal):
        with ProgressLine(console, "conform audit") as line:
            yield lambda done, planned, what="audit", /: line.show(f"{what}, {done} of {planned} searches")
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Bar(*columns, console=console, transient=True, disable=quiet) as bar:
        task = bar.add_task("audit", total=None)

        def show(done: int, planned: int, what: str = "audit", /) -> None:
            bar.update(task, completed=done, total=planned, description=what)

        yield show
