"""Keeps the files of a run up to date while it is played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.match import GameRecord, MatchConfig, MatchVerdicts, Progress, Store, judge
from harness.runs.writer import RunWriter

FIRST_UPDATE = 1.0  # seconds after the start
SHARE = 20  # updates take at most one part in 20 of the time
MIN_PAUSE, MAX_PAUSE = 2.0, 60.0  # seconds between two updates


class Watcher:
    """An observer of one run. Updates its files every few seconds; less often the longer an update takes."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        """`notify` is called with each sentence that a user should read."""
        self._notify = notify
        self._verdicts: MatchVerdicts | None = None
        self._next_update = 0.0
        self._new_games = 0

    @contextmanager
    def over(self, store: Store, config: MatchConfig, folder: Path, writer: RunWriter) -> Iterator[None]:
        """Watch this run for the length of a `with` block."""
        self._store, self._config, self._folder, self._writer = store, config, folder, writer
        self._next_update = time.monotonic() + FIRST_UPDATE
        yield

    def show(self, verdicts: MatchVerdicts, progress: Progress) -> None:
        """Called after each update. Subclasses show the verdicts here."""

    def stored(self, record: GameRecord) -> None:
        """Count a game that has been stored."""
        self._new_games += 1

    def message(self, sentence: str) -> None:
        """Pass on a sentence that a user should read."""
        self._notify(sentence)

    def tick(self, progress: Progress) -> None:
        """Update the files if it is time to."""
        began = time.monotonic()
        if began < self._next_update:
            return
        if self._new_games or self._verdicts is None:
            self._new_games = 0
            self._verdicts = judge(self._store, self._config)
            self._writer.write_progress(
                self._store, self._verdicts, self._folder, self._config.report.formats
            )
        self.show(self._verdicts, progress)
        took = time.monotonic() - began
        self._next_update = time.monotonic() + min(MAX_PAUSE, max(MIN_PAUSE, SHARE * took))
