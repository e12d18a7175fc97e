"""Starts and resumes the runs of one config.

At the end of a run the link `latest` and the history are updated, and old runs are removed.
"""

from __future__ import annotations

import traceback
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from harness.arena.config.tables import MatchConfig
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
from harness.arena.run.events import Event, MatchEnded, NoticeGiven, ProgressMade, SearchesAudited
from harness.arena.run.stop import Stop
from harness.arena.store.store import DATABASE
from harness.arena.verdicts import AGAINST, FAILED, MatchVerdicts
from harness.report.files.run_folder import RunFolder
from harness.report.numbers import amount, duration_text, of_total
from harness.schedule.history import add_to_history, complete_history
from harness.schedule.hooks import Hooks
from harness.schedule.log import Log
from harness.schedule.own_config import OtherProgramsError, changes_since, check_programs, own_config
from harness.schedule.timetable import Clock

PlayRun = Callable[[MatchSettings], Events]
"""Plays the games of a run, and yields the events of the match."""

MAX_TRIES = 3
"""Number of starts with a problem after which the scheduler gives a run up.
Chosen: a temporary problem, such as a full disk, is solved within two nights."""


@dataclass(frozen=True)
class StartResult:
    """The result of one start of a run: it was played to its end or to a stop, met a problem, or is held."""

    outcome: MatchEnded | None  # None after a problem, and for a run that is held
    problem: str = ""  # for the log; with the traceback of a bug
    bug: bool = False  # the problem is a bug of the harness
    held: bool = False  # the run is not continued with the present config; new runs are played

    @property
    def complete(self) -> bool:
        """True if all games of the run were played."""
        return self.outcome is not None and self.outcome.complete

    def __str__(self) -> str:
        """The result on one line: the summary of the games, or the problem."""
        if self.outcome is not None:
            return summary(self.outcome.verdicts)
        return (self.problem or "no reason is known").strip().splitlines()[-1]  # of a traceback, the error


def result_of_error(error: Exception) -> StartResult:
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
    _held: set[str] = field(default_factory=set)  # the runs that this process has reported as held

    def open_runs(self) -> list[ScheduledRun]:
        """The runs that were started and have not ended, the newest first."""
        return [run for run in reversed(scheduled_runs(self.folder, self._important)) if run.open]

    def begin(self, due: datetime | None, reason: str) -> ScheduledRun:
        """Create a run; the caller plays it. Raises OSError."""
        run = begin_run(self.folder, self.clock.now(), due)
        self.log.event(self.config.run.name, f"run {run.name} begins, {reason}")
        return run

    def play(self, run: ScheduledRun) -> StartResult:
        """Play the games that a run does not have yet. An error of the match becomes a logged result."""
        try:
            settings = MatchSettings(self._config_of(run), run.folder, self.stop)
            outcome = follow(self.play_run(settings), RunFolder().handle, self._log_notice, self._show)
        except OtherProgramsError as error:
            return self._hold(run, error)
        except Exception as error:
            result = result_of_error(error)
            self._handle_failed_start(run, result)
            return result
        finally:
            self.log.show("")
        if outcome.complete:
            return self._finish(run, outcome)
        self._important(f"run {run.name} stopped; the next start continues it")
        return StartResult(outcome)

    def _config_of(self, run: ScheduledRun) -> MatchConfig:
        """The config that a run began with: an edited config takes effect with the next run.

        Raises OtherProgramsError and StoreError.
        """
        own = own_config(run)
        if own is None:
            return self.config
        check_programs(run, own, self.config)
        name = self.config.run.name
        self.log.event(name, f"run {run.name} continues where it was stopped, with its own config")
        if changes := changes_since(own, self.config):
            self._important(
                f"the config has changed since run {run.name} began: {changes}. The next run has the "
                "changes; --new plays it first, and --drop gives this one up"
            )
        workers = {"workers": self.config.run.workers}  # as edited: it does not change the games
        return own.model_copy(update={"run": own.run.model_copy(update=workers)})

    def _finish(self, run: ScheduledRun, outcome: MatchEnded) -> StartResult:
        """Set the link `latest`, write the history, report changes, end the run, and remove old runs.

        Each step is tried, whether or not an earlier one failed.
        """
        result = StartResult(outcome)
        self._important(f"run {run.name} complete: {result}")
        if not outcome.verdicts.sound:
            self.hooks.call("failure", self.clock.now(), str(result), run.name)
        finished = [other for other in scheduled_runs(self.folder) if other.finished]
        for step in (
            lambda: point_latest(max([run, *finished], key=lambda one: one.order)),
            lambda: add_to_history(self.folder, run, finished, self._important, outcome.verdicts),
            lambda: self._report_changes(run),
            lambda: end_run(run, self.clock.now()),
            self._remove_old,
        ):
            try:
                step()
            except Exception as error:
                problem = result_of_error(error)
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
        """Remove old runs, once their rows are in the history."""
        keep = self.config.report.keep

        def prepare(old: list[ScheduledRun], finished: list[ScheduledRun]) -> None:
            complete_history(self.folder, old, finished, self._important)

        for old in remove_old_runs(self.folder, keep, prepare):
            self.log.event(self.config.run.name, f"run {old.name} removed, because keep = {keep}")

    def _hold(self, run: ScheduledRun, error: OtherProgramsError) -> StartResult:
        """Leave a run open without playing it. It is reported once in the life of this process."""
        result = StartResult(None, describe_error(error), held=True)
        if run.name not in self._held:
            self._held.add(run.name)
            self.log_problem(result)
            self.hooks.call("failure", self.clock.now(), result.problem, run.name)
        return result

    def _handle_failed_start(self, run: ScheduledRun, result: StartResult) -> None:
        """Log a problem. Delete a run without a store; give up any other after MAX_TRIES problems."""
        self.log_problem(result)
        self.hooks.call("failure", self.clock.now(), str(result), run.name)
        try:
            if not (run.folder / DATABASE).exists():
                discard_run(run)
            elif run.tries + 1 < MAX_TRIES:
                record_tries(run, run.tries + 1)
                self._important(f"run {run.name} stays open and is tried again next time")
            else:
                end_run(run, self.clock.now(), given_up=str(result))
                self._important(f"run {run.name} is given up after {MAX_TRIES} tries; its games are kept")
        except OSError as error:
            self.log_problem(result_of_error(error))

    def log_problem(self, result: StartResult) -> None:
        """Log the problem of a result."""
        self._important(f"{'internal error' if result.bug else 'problem'}: {result.problem}")

    def _log_notice(self, event: Event) -> None:
        if isinstance(event, NoticeGiven):
            self._important(event.text)

    def _show(self, event: Event) -> None:
        """Show the progress of the match in the last line of a terminal."""
        match event:
            case ProgressMade():
                self.log.show(f"{self.config.run.name}: {_progress_text(event)}")
            case SearchesAudited(activity=activity, done=done, planned=planned):
                self.log.show(f"{self.config.run.name}: {activity}, {of_total(done, planned, 'search')}")

    def _important(self, sentence: str) -> None:
        self.log.important(self.config.run.name, sentence)


def _progress_text(progress: ProgressMade) -> str:
    """The games of a run so far, their rate and the remaining time, on half a line."""
    parts = [of_total(progress.done, progress.total, "game")]
    if progress.rate:
        parts.append(f"{progress.rate:.3g} a second")
    if progress.seconds_left:
        parts.append(f"{duration_text(progress.seconds_left)} left")
    return ", ".join(parts)


def summary(verdicts: MatchVerdicts) -> str:
    """One line about a run: its games, then the pairs and bots with a verdict against them.

    For example: "400 games; different: a - b (41.3 %); failed: b". With nothing against them: "400 games;
    every pair equal", or "400 games; undecided".
    """
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
    # "failed" alone is the label of pairs that failed an SPRT, if there are any.
    in_games = "bots that failed" if FAILED in against else "failed"
    found = {**against, in_games: failed, "playouts deviate": deviate}
    parts = [f"{label}: {', '.join(names)}" for label, names in found.items() if names]
    if not parts:
        words = " or ".join(sorted({pair.verdict for pair in verdicts.parity}))
        parts = [f"every pair {words}" if verdicts.decided else "undecided"]
    return "; ".join([amount(verdicts.games, "game"), *parts])
