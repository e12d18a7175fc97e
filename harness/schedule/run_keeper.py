"""Starts and resumes the runs of one config; at the end of a run updates link, history and old runs."""

from __future__ import annotations

import traceback
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from harness.arena.config.reach import first_beyond
from harness.arena.config.tables import MatchConfig
from harness.arena.errors import MatchError
from harness.arena.folder.errors import USER_ERRORS, describe_error
from harness.arena.folder.history import read_history
from harness.arena.folder.play import Events, MatchSettings, follow
from harness.arena.folder.scheduled_run import (
    ScheduledRun,
    begin_run,
    discard_run,
    end_run,
    point_latest,
    record_tries,
    remove_old_runs,
    scheduled_runs,
)
from harness.arena.run.events import Event, MatchEnded, NoticeGiven
from harness.arena.run.stop import Stop
from harness.arena.store.store import DATABASE, Store
from harness.arena.verdicts import AGAINST, FAILED, MatchVerdicts
from harness.report.files.run_folder import RunFolder
from harness.report.numbers import amount
from harness.schedule.history import add_to_history
from harness.schedule.hooks import Hooks, Log
from harness.schedule.timetable import Clock

PlayRun = Callable[[MatchSettings], Events]

MAX_TRIES = 3
"""Starts of a run that end in a problem, after which the scheduler gives the run up.
Chosen: a temporary problem, such as a full disk, is solved within two nights."""


class OtherProgramsError(MatchError):
    """A stored run starts a program, or reads a file, that the config of the user does not name."""


@dataclass(frozen=True)
class StartResult:
    """The end of one start of a run: the run was played, to its end or to a stop, or met a problem."""

    outcome: MatchEnded | None  # None after a problem
    problem: str = ""  # for the log; with the traceback of a bug
    bug: bool = False  # the problem is a bug of the harness

    @property
    def complete(self) -> bool:
        """All games of the run were played."""
        return self.outcome is not None and self.outcome.complete

    def __str__(self) -> str:
        if self.outcome is not None:
            return summary(self.outcome.verdicts)
        return (self.problem or "no reason is known").strip().splitlines()[-1]


def failed(error: Exception) -> StartResult:
    """The result of a start that raised `error`. It is a bug unless it is one of USER_ERRORS."""
    bug = not isinstance(error, USER_ERRORS)
    return StartResult(None, traceback.format_exc() if bug else describe_error(error), bug)


@dataclass(frozen=True)
class RunKeeper:
    """The runs in the folder of a config. The caller holds the lock of the folder."""

    config: MatchConfig
    folder: Path
    clock: Clock
    stop: Stop
    log: Log
    play_run: PlayRun  # plays the games; tests pass another
    hooks: Hooks

    def open_run(self) -> ScheduledRun | None:
        """The run that was started and has not ended; None if there is none."""
        return next((run for run in scheduled_runs(self.folder, self._important) if run.open), None)

    def begin(self, due: datetime | None, reason: str) -> ScheduledRun:
        """Create a run; the caller plays it. Raises OSError."""
        run = begin_run(self.folder, self.clock.now(), due)
        self.log.event(self.config.run.name, f"run {run.name} begins, {reason}")
        return run

    def resume(self, run: ScheduledRun) -> StartResult:
        """Play the rest of a run that was stopped."""
        self.log.event(
            self.config.run.name, f"run {run.name} continues where it was stopped, with its own config"
        )
        return self.play(run)

    def play(self, run: ScheduledRun) -> StartResult:
        """Play the games of a run that it does not have yet. Every error is logged and becomes a result."""
        try:
            settings = MatchSettings(self._config_of(run), run.folder, self.stop)
            outcome = follow(self.play_run(settings), RunFolder().handle, self._log_notice)
        except Exception as error:
            result = failed(error)
            self._handle_failed_start(run, result, again=not isinstance(error, OtherProgramsError))
            return result
        if outcome.complete:
            return self._finish(run, outcome)
        self._important(f"run {run.name} stopped; the next start continues it")
        return StartResult(outcome)

    def _config_of(self, run: ScheduledRun) -> MatchConfig:
        """The config stored in the run, so that an edited config takes effect with the next run.

        The folder may come from a stranger, who wrote the stored config. Raises OtherProgramsError if the
        stored config starts a program, or reads a file, that the config of the user does not name.
        """
        if not (run.folder / DATABASE).exists():
            return self.config
        with Store.open(run.folder, read_only=True) as store:
            stored = store.config()
        if stored is None:
            return self.config
        if beyond := first_beyond(stored, self.config):
            raise OtherProgramsError(
                f"the run is not continued, because in the config {beyond}; the next start begins a new run"
            )
        workers = {"workers": self.config.run.workers}  # as edited: it does not change the games
        return stored.model_copy(update={"run": stored.run.model_copy(update=workers)})

    def _finish(self, run: ScheduledRun, outcome: MatchEnded) -> StartResult:
        """Set the link `latest`, write the history, remove old runs. Every step is tried."""
        result = StartResult(outcome)
        self._important(f"run {run.name} complete: {result}")
        if not outcome.verdicts.sound:
            self.hooks.call("failure", self.clock.now(), str(result), run.name)
        finished = [other for other in scheduled_runs(self.folder) if other.finished]
        for step in (
            lambda: point_latest(run),
            lambda: add_to_history(self.folder, run, finished, self._important, outcome.verdicts),
            lambda: self._report_changes(run),
            lambda: end_run(run, self.clock.now()),
            self._remove_old,
        ):
            try:
                step()
            except Exception as error:
                problem = failed(error)
                self.log_problem(problem)
                result = replace(result, bug=result.bug or problem.bug)
        return result

    def _report_changes(self, run: ScheduledRun) -> None:
        """Log the change points that were found with this run, and call `on_change` for any change in it."""
        history = read_history(self.folder)
        found = [point for point in history.changes if point.found == run.name]
        for point in found:
            self._important(f"changed: {point}")
        changed = [row for row in history.rows if row.run == run.name and row.changed]
        if sentences := [*(f"{row.bot}: {row.changed}" for row in changed), *map(str, found)]:
            self.hooks.call("change", self.clock.now(), "; ".join(sentences), run.name, found)

    def _remove_old(self) -> None:
        keep = self.config.report.keep
        for old in remove_old_runs(self.folder, keep):
            self.log.event(self.config.run.name, f"run {old.name} removed, because keep = {keep}")

    def _handle_failed_start(self, run: ScheduledRun, result: StartResult, *, again: bool) -> None:
        """Log a problem. Delete a run without a store; retry any other up to MAX_TRIES times, if `again`."""
        self.log_problem(result)
        self.hooks.call("failure", self.clock.now(), str(result), run.name)
        try:
            if not (run.folder / DATABASE).exists():
                discard_run(run)
            elif again and run.tries + 1 < MAX_TRIES:
                record_tries(run, run.tries + 1)
                self._important(f"run {run.name} stays open and is tried again next time")
            else:
                end_run(run, self.clock.now(), given_up=str(result))
                tries = f" after {MAX_TRIES} tries" if again else ""
                self._important(f"run {run.name} is given up{tries}; its games are kept")
        except OSError as error:
            self.log_problem(failed(error))

    def log_problem(self, result: StartResult) -> None:
        """Log the problem of a result."""
        self._important(f"{'internal error' if result.bug else 'problem'}: {result.problem}")

    def _log_notice(self, event: Event) -> None:
        if isinstance(event, NoticeGiven):
            self._important(event.text)

    def _important(self, sentence: str) -> None:
        self.log.important(self.config.run.name, sentence)


def summary(verdicts: MatchVerdicts) -> str:
    """One line about a run: its games, then the pairs and bots that make it exit with 1."""
    against: defaultdict[str, list[str]] = defaultdict(list)
    for pair in verdicts.parity:
        if pair.verdict in AGAINST:
            against[pair.verdict].append(f"{pair.bot_a} - {pair.bot_b} ({100 * pair.score_a:.1f} %)")
    failed = [bot for bot, ways in verdicts.failures.items() if any(ways.values())]
    phases: defaultdict[str, list[str]] = defaultdict(list)
    for row in verdicts.playouts:
        if row.differs:
            phases[row.bot].append(row.phase)
    deviate = [f"{bot} ({', '.join(differing)})" for bot, differing in phases.items()]
    in_games = "bots that failed" if FAILED in against else "failed"
    found = {**against, in_games: failed, "playouts deviate": deviate}
    parts = [f"{label}: {', '.join(names)}" for label, names in found.items() if names]
    if not parts:
        words = " or ".join(sorted({pair.verdict for pair in verdicts.parity}))
        parts = [f"every pair {words}" if verdicts.decided else "undecided"]
    return "; ".join([amount(verdicts.games, "game"), *parts])
