"""Begins and continues the runs of one config, and does the work at their end."""

from __future__ import annotations

import traceback
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import USER_ERRORS, describe_error
from harness.arena.folder.history import read_history
from harness.arena.folder.play import Events, MatchSettings, follow, run_match
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
from harness.arena.run.coordinator import Stop
from harness.arena.run.events import Event, MatchEnded, NoticeGiven
from harness.arena.store.store import DATABASE, Store
from harness.arena.verdicts import DIFFERENT, MatchVerdicts
from harness.report.files.run_folder import RunFolder
from harness.report.numbers import amount
from harness.schedule.clock import Clock
from harness.schedule.history import add_to_history
from harness.schedule.hooks import Hooks
from harness.schedule.log import Log

PlayRun = Callable[[MatchSettings], Events]

MAX_TRIES = 3
"""Consecutive starts of a run that end in a problem, after which the scheduler gives the run up."""


@dataclass(frozen=True)
class StartResult:
    """How a start of a run ended: with an `outcome`, or with a `problem` in words. `bug`: of the harness."""

    name: str
    outcome: MatchEnded | None
    problem: str | None = None
    bug: bool = False

    @property
    def complete(self) -> bool:
        """All games of the run were played."""
        return self.outcome is not None and self.outcome.complete

    def __str__(self) -> str:
        if self.outcome is not None:
            return summary(self.outcome.verdicts)
        return (self.problem or "no reason is known").strip().splitlines()[-1]


class RunKeeper:
    """The runs in a config's folder. The caller holds the folder's lock."""

    def __init__(
        self,
        config: MatchConfig,
        folder: Path,
        clock: Clock,
        stop: Stop,
        log: Log,
        play: PlayRun = run_match,
        hooks: Hooks | None = None,
    ) -> None:
        """`play` plays a run. Tests pass a function that plays no games."""
        self._hooks = hooks or Hooks(config.run.name, folder, config.schedule, log)
        self._config = config
        self._name = config.run.name
        self._folder = folder
        self._clock = clock
        self._stop = stop
        self._log = log
        self._play = play

    def open_run(self) -> ScheduledRun | None:
        """The run that was begun and not ended."""
        return next((run for run in scheduled_runs(self._folder, self._important) if run.open), None)

    def begin(self, due: datetime | None, reason: str) -> ScheduledRun:
        """Create a run; the caller plays it. Raises OSError."""
        run = begin_run(self._folder, self._clock.now(), due)
        self._log.event(self._name, f"run {run.name} begins, {reason}")
        return run

    def resume(self, run: ScheduledRun) -> StartResult:
        """Play the rest of a run that was stopped."""
        self._log.event(self._name, f"run {run.name} continues where it was stopped, with its own config")
        return self.play(run)

    def play(self, run: ScheduledRun) -> StartResult:
        """Play a run from where it is. Every error is logged and becomes a result."""
        result = self._start(run)
        if result.complete:
            return self._finish(run, result)
        if result.outcome:
            self._important(f"run {run.name} stopped; the next start continues it")
        else:
            self._handle_failed_start(run, result)
        return result

    def _start(self, run: ScheduledRun) -> StartResult:
        try:
            settings = MatchSettings(self._config_of(run), run.folder, self._stop)
            outcome = follow(self._play(settings), RunFolder().handle, self._log_notice)
        except USER_ERRORS as error:
            return StartResult(self._name, None, describe_error(error))
        except Exception:
            return StartResult(self._name, None, traceback.format_exc(), bug=True)
        return StartResult(self._name, outcome)

    def _config_of(self, run: ScheduledRun) -> MatchConfig:
        """The config with which the run was begun: an edited config takes effect with the next run."""
        if not (run.folder / DATABASE).exists():
            return self._config
        with Store.open(run.folder, read_only=True) as store:
            stored = store.config()
        if stored is None:
            return self._config
        workers = {"workers": self._config.run.workers}  # does not change the games
        return stored.model_copy(update={"run": stored.run.model_copy(update=workers)})

    def _finish(self, run: ScheduledRun, result: StartResult) -> StartResult:
        """Set the link, write the history, remove old runs. A step that fails leaves the run finished."""
        self._important(f"run {run.name} complete: {result}")
        if result.outcome and not result.outcome.verdicts.sound:
            self._hooks.call("failure", self._clock.now(), str(result), run.name)
        finished = [other for other in scheduled_runs(self._folder) if other.finished]
        for step in (
            lambda: point_latest(run),
            lambda: add_to_history(self._folder, run, finished, self._important),
            lambda: self._report_changes(run),
            lambda: end_run(run, self._clock.now()),
            self._remove_old,
        ):
            try:
                step()
            except USER_ERRORS as error:
                self._important(f"problem: {describe_error(error)}")
            except Exception:
                self._important(f"internal error: {traceback.format_exc()}")
                result = replace(result, bug=True)
        return result

    def _report_changes(self, run: ScheduledRun) -> None:
        """Log the change points that were found with this run, and call `on_change` for any change in it."""
        history = read_history(self._folder)
        found = [point for point in history.changes if point.found == run.name]
        for point in found:
            self._important(f"changed: {point}")
        sentences = [
            f"{row.bot}: {row.changed}" for row in history.rows if row.run == run.name and row.changed
        ]
        sentences += [str(point) for point in found]
        if sentences:
            self._hooks.call("change", self._clock.now(), "; ".join(sentences), run.name, found)

    def _remove_old(self) -> None:
        keep = self._config.report.keep
        for old in remove_old_runs(self._folder, keep):
            self._log.event(self._name, f"run {old.name} removed, because keep = {keep}")

    def _handle_failed_start(self, run: ScheduledRun, result: StartResult) -> None:
        """A run without a store leaves no files. A run with a store is tried again up to MAX_TRIES times."""
        self._important(f"{'internal error' if result.bug else 'problem'}: {result.problem}")
        self._hooks.call("failure", self._clock.now(), str(result), run.name)
        try:
            if not (run.folder / DATABASE).exists():
                discard_run(run)
            elif run.tries + 1 < MAX_TRIES:
                record_tries(run, run.tries + 1)
                self._important(f"run {run.name} stays open and is tried again next time")
            else:
                end_run(run, self._clock.now(), given_up=str(result))
                self._important(f"run {run.name} is given up after {MAX_TRIES} tries; its games are kept")
        except OSError as error:
            self._important(f"problem: {describe_error(error)}")

    def _log_notice(self, event: Event) -> None:
        if isinstance(event, NoticeGiven):
            self._important(event.text)

    def _important(self, sentence: str) -> None:
        self._log.important(self._name, sentence)


def summary(verdicts: MatchVerdicts) -> str:
    """A run in half a sentence: its games, and which pairs and bots make it exit with 1."""
    different = [
        f"{row.bot_a} - {row.bot_b} ({100 * row.score_a:.1f} %)"
        for row in verdicts.parity
        if row.verdict == DIFFERENT
    ]
    failed = [bot for bot, ways in verdicts.failures.items() if any(ways.values())]
    phases: defaultdict[str, list[str]] = defaultdict(list)
    for row in verdicts.playouts:
        if row.differs:
            phases[row.bot].append(row.phase)
    deviate = [f"{bot} ({', '.join(differing)})" for bot, differing in phases.items()]
    found = {"different": different, "failed": failed, "playouts deviate": deviate}
    parts = [f"{what}: {', '.join(names)}" for what, names in found.items() if names]
    if not parts:
        parts = ["every pair equal" if verdicts.decided else "undecided"]
    return "; ".join([amount(verdicts.games, "game"), *parts])
