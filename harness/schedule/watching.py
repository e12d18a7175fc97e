"""Keeps the files of a run up to date while it is played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.match import GameRecord, Judgement, MatchConfig, Progress, Store, judge
from harness.report.match_run import write_progress

FIRST_LOOK = 1.0  # seconds after the start
SHARE = 20  # a look takes at most one part in so many of the time
LEAST_PAUSE, LONGEST_PAUSE = 2.0, 60.0  # seconds between two looks


class Watcher:
    """An observer of one run. Looks at it every few seconds, the more rarely the longer a look takes."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """`tell` is given the sentences that a user should know."""
        self._tell = tell
        self._judgement: Judgement | None = None
        self._next_look = 0.0
        self._unseen = 0

    @contextmanager
    def over(self, store: Store, config: MatchConfig, folder: Path) -> Iterator[None]:
        """Watch this run for the length of a `with` block."""
        self._store, self._config, self._folder = store, config, folder
        self._next_look = time.monotonic() + FIRST_LOOK
        yield

    def show(self, judgement: Judgement, progress: Progress) -> None:
        """Called after each look; here for those that show something."""

    def stored(self, record: GameRecord) -> None:
        """A game has been stored."""
        self._unseen += 1

    def told(self, sentence: str) -> None:
        """Something that a user should know."""
        self._tell(sentence)

    def tick(self, progress: Progress) -> None:
        """Look, if it is time to."""
        began = time.monotonic()
        if began < self._next_look:
            return
        if self._unseen or self._judgement is None:
            self._unseen = 0
            self._judgement = judge(self._store, self._config)
            write_progress(self._store, self._judgement, self._folder, self._config.report.formats)
        self.show(self._judgement, progress)
        took = time.monotonic() - began
        self._next_look = time.monotonic() + min(LONGEST_PAUSE, max(LEAST_PAUSE, SHARE * took))
