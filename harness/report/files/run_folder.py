"""Keeps the files in the folder of a run up to date while it is played, from the events of the match."""

from __future__ import annotations

import time
from collections import Counter, deque
from contextlib import suppress

from harness.arena.judge.live import NewGames
from harness.arena.records import GameSummary
from harness.arena.run.events import (
    Event,
    GameEnded,
    MatchEnded,
    MatchFailed,
    MatchJudged,
    MatchStarted,
    PhaseStarted,
    ProgressMade,
    SearchesAudited,
)
from harness.arena.store.errors import StoreError
from harness.arena.verdicts import MatchVerdicts
from harness.files import remove_leftovers, timestamp
from harness.report.files.bundles import write_bundles
from harness.report.files.csv_columns import Run
from harness.report.files.format_csv import add_games, write_verdicts
from harness.report.files.match_run import write_run
from harness.report.status.moment import RECENT, RunMoment, RunState, Trails
from harness.report.status.run import write_status

STATUS_PAUSE = 1.0
"""Least seconds between two writes of the status. Chosen: `conform serve` reads it once a second."""


class RunFolder:
    """Writes the files of one match: `handle` is a handler of its events."""

    def __init__(self, *, pause: float = STATUS_PAUSE) -> None:
        """`pause`: least seconds between two writes of the status."""
        self._pause = pause
        self._verdicts: MatchVerdicts | None = None
        self._recent: deque[GameSummary] = deque(maxlen=RECENT)
        self._trails = Trails()
        self._doing = "starting"
        self._next_status = 0.0
        self._judged: Counter[str] = Counter()  # by pair: number of judged games
        self._files_missed = False  # a file is missing or lacks games: the next update writes all games

    def handle(self, event: Event) -> None:
        """Update the files after an event. The first event must be MatchStarted.

        Raises OSError if the folder cannot be opened or the final files cannot be written; and StoreError.
        """
        match event:
            case MatchStarted():
                self._run, self._started = event, timestamp()
                self._progress = ProgressMade(event.total, event.stored)
                remove_leftovers(event.folder)
                self._write_status("playing")
            case GameEnded(summary=summary):
                self._recent.appendleft(summary)
            case MatchJudged(verdicts=verdicts, new=new):
                self._take(verdicts)
                self._add_to_files(verdicts, new)
            case ProgressMade():
                self._progress = event
                self._note_work("")
            case PhaseStarted(name="audit"):
                self._note_work("audit", at_once=True)
            case PhaseStarted(name="verdicts"):
                self._note_work("writing files", at_once=True)
            case SearchesAudited():
                if event.planned:
                    self._note_work(f"{event.activity}: {event.done:,} of {event.planned:,} searches")
            case MatchEnded(verdicts=verdicts, complete=complete, benched=benched):
                self._take(verdicts)
                run = self._run
                write_run(run.store, verdicts, run.folder, run.config.report.formats)
                self._write_status("complete" if complete and not benched else "stopped")
            case MatchFailed():
                self._write_status("stopped")

    def _take(self, verdicts: MatchVerdicts) -> None:
        self._verdicts = verdicts
        self._trails.add(verdicts.parity)

    def _add_to_files(self, verdicts: MatchVerdicts, new: NewGames) -> None:
        """Write new failures and the tables. Those that could not be written are written the next time.

        Nothing is written if the folder was moved or deleted. An error with a file is ignored here: the end
        of the run writes all files again, and raises an error that is still there.
        """
        if new.complete:
            self._judged.clear()
        self._judged.update(map(_pair_of, new.ids))
        store, config, folder = self._run.store, self._run.config, self._run.folder
        missed, self._files_missed = self._files_missed, True  # until they are written without an error
        if not store.is_in_place():
            return
        run, has_tables = Run(store, config, verdicts), "csv" in config.report.formats
        if missed:
            new = self._all_judged()
        with suppress(OSError):
            write_bundles(store.failures_of(new.failed), store, config, folder)
            if has_tables:
                write_verdicts(run, folder)
            self._files_missed = has_tables and not add_games(run, new, folder)

    def _all_judged(self) -> NewGames:
        """All judged games, as if they had just been judged."""
        judged = [
            result
            for result in self._run.store.results()
            if result.number <= self._judged[_pair_of(result.game_id)]  # games are judged in their order
        ]
        failed = tuple(result.game_id for result in judged if result.void)
        return NewGames(tuple(result.game_id for result in judged), failed, complete=True)

    def _note_work(self, doing: str, *, at_once: bool = False) -> None:
        """Record what the process does. Write the status if the last one is old enough, or `at_once`."""
        self._doing = doing
        if at_once or time.monotonic() >= self._next_status:
            self._write_status("playing")

    def _write_status(self, state: RunState) -> None:
        """Write the status. An error is ignored: the status is only for readers, and must not end a run.

        Nothing is written where the folder was moved or deleted: a new folder would have no run.
        """
        self._next_status = time.monotonic() + self._pause
        run = self._run
        if not run.store.is_in_place():
            return
        with suppress(OSError, StoreError):
            write_status(
                RunMoment(
                    state=state,
                    started=self._started,
                    config=run.config,
                    engines=run.store.engines(),
                    progress=self._progress,
                    verdicts=self._verdicts,
                    recent=tuple(self._recent),
                    events=run.store.events(),
                    trails=self._trails.points,
                    doing=self._doing if state == "playing" else "",
                ),
                run.folder,
            )


def _pair_of(game_id: str) -> str:
    """The part of the id of a game that names its pair."""
    return game_id.partition("-")[0]
