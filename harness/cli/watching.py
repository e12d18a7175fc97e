"""What is seen of a match while it runs: a live table on a terminal, and the files, kept up to date."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.live import Live

from harness.match import GameRecord, Judgement, MatchConfig, Progress, Store, judge
from harness.report.match_console import live_view
from harness.report.match_run import write_progress

FIRST_LOOK = 1.0  # seconds after the start
SHARE = 20  # a look takes at most one part in so many of the time
LEAST_PAUSE, LONGEST_PAUSE = 2.0, 60.0  # seconds between two looks


class Watcher:
    """An observer of a run. Looks at the store every few seconds, the more rarely the longer a look takes."""

    def __init__(
        self, console: Console, store: Store, config: MatchConfig, folder: Path, *, quiet: bool
    ) -> None:
        self._console = console
        self._store = store
        self._config = config
        self._folder = folder
        shown = console.is_terminal and not quiet
        self._live = Live(console=console, auto_refresh=False, transient=True) if shown else None
        self._judgement: Judgement | None = None
        self._next_look = time.monotonic() + FIRST_LOOK
        self._unseen = 0

    def __enter__(self) -> Watcher:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def stored(self, record: GameRecord) -> None:
        """A game has been stored."""
        self._unseen += 1

    def told(self, sentence: str) -> None:
        """Something that a user should know."""
        self._console.print(sentence, markup=False)

    def tick(self, progress: Progress) -> None:
        """Look, if it is time to."""
        began = time.monotonic()
        if began < self._next_look:
            return
        if self._unseen or self._judgement is None:
            self._unseen = 0
            self._judgement = judge(self._store, self._config)
            write_progress(self._store, self._judgement, self._folder, self._config.report.formats)
        if self._live:
            self._live.update(live_view(self._judgement, progress), refresh=True)
        took = time.monotonic() - began
        self._next_look = time.monotonic() + min(LONGEST_PAUSE, max(LEAST_PAUSE, SHARE * took))
