"""Keeps the files of a run up to date while it is played."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from harness.arena.config.tables import MatchConfig
from harness.arena.folder.writer import RunWriter
from harness.arena.judge.live import LiveJudge, NewGames
from harness.arena.records import GameSummary
from harness.arena.run.coordinator import Progress
from harness.arena.run.moment import RunMoment, RunState, Trails
from harness.arena.store.errors import StoreError
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import timestamp

FIRST_UPDATE = 1.0  # seconds after the start
SHARE = 20  # updates take at most one part in 20 of the time
MIN_PAUSE = 2.0  # seconds between two updates, at least
STATUS_PAUSE = 1.0  # seconds between two writes of the status, which is a small file
RECENT = 12  # games in the status


class Watcher:
    """An observer of one run. Updates its files every few seconds; less often the longer an update takes."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        """`notify` is called with each sentence that a user should read."""
        self._notify = notify
        self._verdicts: MatchVerdicts | None = None
        self._next_update = 0.0
        self._next_status = 0.0
        self._new_games = 0
        self._recent: deque[GameSummary] = deque(maxlen=RECENT)
        self._trails = Trails()
        self._doing = ""

        self.progress = Progress(total=0, done=0)

    @contextmanager
    def over(self, store: Store, config: MatchConfig, folder: Path, writer: RunWriter) -> Iterator[None]:
        """Watch this run for the length of a `with` block: from its start until its files are written."""
        self._store, self._config, self._folder, self._writer = store, config, folder, writer
        self._started = timestamp()
        self._judge = LiveJudge(store, config)
        self.progress = Progress.load(store, config)
        self._work("starting")
        try:
            yield
        except BaseException:
            self._write_status("stopped")
            raise

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Watch the games for the length of a `with` block."""
        self._next_update = time.monotonic() + FIRST_UPDATE
        yield

    def auditing(self, done: int, planned: int, what: str = "audit", /) -> None:
        """Show how far the audit is; nothing is planned before it has read the games."""
        if not planned:
            self._next_status = 0.0
        self._work(f"{what}: {done:,} of {planned:,} searches" if planned else what)

    def writing(self) -> None:
        """Show that the files are being written."""
        self._next_status = 0.0
        self._work("writing files")

    def on_end(self, verdicts: MatchVerdicts, *, complete: bool) -> None:
        """Called with the verdicts on all games, at the end of the block and while the store is open."""
        self._take(verdicts)
        self._write_status("complete" if complete else "stopped")

    def show(self, verdicts: MatchVerdicts, progress: Progress) -> None:
        """Called after each update. Subclasses show the verdicts here."""

    def on_game_stored(self, summary: GameSummary) -> None:
        """Count a game that has been stored."""
        self._new_games += 1
        self._recent.appendleft(summary)

    def message(self, sentence: str) -> None:
        """Pass on a sentence that a user should read."""
        self._notify(sentence)

    def tick(self, progress: Progress) -> None:
        """Update the files if it is time to."""
        self.progress = progress
        if time.monotonic() >= self._next_update:
            self._update(progress)
        self._work("")

    def _update(self, progress: Progress) -> None:
        """Judge the new games, and add what follows to the files."""
        import harness.stats  # noqa: F401  # imported first, because the import is not part of judging

        began = time.monotonic()
        if self._new_games or self._verdicts is None:
            self._new_games = 0
            new = self._judge.look()
            self._take(self._judge.verdicts())
            if not self._add_to_files(new):
                self._judge.restart()
                self._new_games = 1
        assert self._verdicts is not None
        self.show(self._verdicts, progress)
        took = time.monotonic() - began
        self._next_update = time.monotonic() + max(MIN_PAUSE, SHARE * took)

    def _add_to_files(self, new: NewGames) -> bool:
        """Bring the files up to date. False if everything must be written again.

        A problem with a file ends no run here: the files at its end name it, and the store a full disk.
        """
        assert self._verdicts is not None
        formats = self._config.report.formats
        try:
            return self._writer.write_progress(self._store, self._verdicts, new, self._folder, formats)
        except OSError:
            return False

    def _take(self, verdicts: MatchVerdicts) -> None:
        self._verdicts = verdicts
        self._trails.add(verdicts.parity)

    def _work(self, doing: str) -> None:
        """Write that the process works, if the status is old enough."""
        self._doing = doing
        if time.monotonic() >= self._next_status:
            self._write_status("playing")
            self._next_status = time.monotonic() + STATUS_PAUSE

    def _write_status(self, state: RunState) -> None:
        """Write the status. It is for onlookers, so that a problem with it never ends a run."""
        with suppress(OSError, StoreError):
            self._writer.write_status(
                RunMoment(
                    state=state,
                    started=self._started,
                    config=self._config,
                    engines=self._store.engines(),
                    progress=self.progress,
                    verdicts=self._verdicts,
                    recent=tuple(self._recent),
                    events=self._store.events(),
                    trails=self._trails.points,
                    doing=self._doing if state == "playing" else "",
                ),
                self._folder,
            )
