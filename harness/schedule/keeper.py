"""Begins the runs of one config, goes on with them, and does what has to be done at their end."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from harness.match import DATABASE, Judgement, MatchConfig, MatchProblem, Stop, Store, StoreError
from harness.schedule import history, runs
from harness.schedule.clock import Clock
from harness.schedule.durable import StateError
from harness.schedule.log import Log
from harness.schedule.playing import Ended, play_run
from harness.schedule.runs import Run
from harness.schedule.watching import Watcher

Player = Callable[[MatchConfig, Path, Watcher, Stop], Ended]

TRIES = 3
"""Starts of a run in a row that may end in a problem until it is given up."""

PROBLEMS = (MatchProblem, StoreError, StateError, OSError)
"""What a user can mend; anything else is a bug of ours."""


@dataclass(frozen=True)
class Result:
    """How a start of a run ended: with `ended`, or by a `problem` in words. `bug`: some of it was ours."""

    name: str
    ended: Ended | None
    problem: str | None = None
    bug: bool = False

    @property
    def complete(self) -> bool:
        """The run was played to its end."""
        return self.ended is not None and self.ended.complete

    def __str__(self) -> str:
        if self.ended is not None:
            return summary(self.ended.judgement)
        return (self.problem or "no reason is known").strip().splitlines()[-1]


class RunKeeper:
    """The runs in a config's folder. Whoever calls holds the folder's lock."""

    def __init__(
        self, config: MatchConfig, folder: Path, clock: Clock, stop: Stop, log: Log, player: Player = play_run
    ) -> None:
        """`player` plays a run; tests have one that takes no time."""
        self._config = config
        self._name = config.run.name
        self._folder = folder
        self._clock = clock
        self._stop = stop
        self._log = log
        self._player = player

    def cut(self) -> Run | None:
        """The run that was begun and not ended."""
        return next((run for run in runs.runs(self._folder, self._important) if run.open), None)

    def begin(self, due: datetime | None, reason: str) -> Run:
        """A new run, which has to be played then. Raises OSError."""
        run = runs.begin(self._folder, self._clock.now(), due)
        self._log.event(self._name, f"run {run.name} begins, {reason}")
        return run

    def go_on(self, run: Run) -> Result:
        """Play a run that was cut."""
        self._log.event(self._name, f"run {run.name} goes on where it was cut")
        return self.play(run)

    def play(self, run: Run) -> Result:
        """Play a run from where it is. Whatever happens is told, and is a result."""
        result = self._start(run)
        if result.complete:
            return self._finish(run, result)
        if result.ended:
            self._important(f"run {run.name} stopped; the next start goes on with it")
        else:
            self._fail(run, result)
        return result

    def _start(self, run: Run) -> Result:
        try:
            ended = self._player(self._config_of(run), run.folder, Watcher(self._important), self._stop)
        except PROBLEMS as error:
            return Result(self._name, None, told(error))
        except Exception:
            return Result(self._name, None, traceback.format_exc(), bug=True)
        return Result(self._name, ended)

    def _config_of(self, run: Run) -> MatchConfig:
        """A run is played to its end as it was begun: an edited config holds from the next one on."""
        if not (run.folder / DATABASE).exists():
            return self._config
        with Store.open(run.folder, read_only=True) as store:
            stored = store.config()
        if stored is None:
            return self._config
        workers = {"workers": self._config.run.workers}  # how it is driven is no part of it
        return stored.model_copy(update={"run": stored.run.model_copy(update=workers)})

    def _finish(self, run: Run, result: Result) -> Result:
        """Link, history, and the old runs removed. What fails here leaves the run finished all the same."""
        self._important(f"run {run.name} complete: {result}")
        finished = [other for other in runs.runs(self._folder) if other.finished]
        for step in (
            lambda: runs.point_latest(run),
            lambda: history.add_run(self._folder, run, finished),
            lambda: runs.end(run, self._clock.now()),
            self._remove_old,
        ):
            try:
                step()
            except PROBLEMS as error:
                self._important(f"problem: {told(error)}")
            except Exception:
                self._important(f"internal error: {traceback.format_exc()}")
                result = replace(result, bug=True)
        return result

    def _remove_old(self) -> None:
        keep = self._config.report.keep
        for old in runs.remove_old(self._folder, keep):
            self._log.event(self._name, f"run {old.name} removed, as keep = {keep}")

    def _fail(self, run: Run, result: Result) -> None:
        """Of a run that could not be begun nothing stays; another one is tried again, a few times."""
        self._important(f"{'internal error' if result.bug else 'problem'}: {result.problem}")
        try:
            if not (run.folder / DATABASE).exists():
                runs.discard(run)
            elif run.tries + 1 < TRIES:
                runs.count_try(run, run.tries + 1)
                self._important(f"run {run.name} stays open and is tried again next time")
            else:
                runs.end(run, self._clock.now(), given_up=str(result))
                self._important(f"run {run.name} is given up after {TRIES} tries; what it has played is kept")
        except OSError as error:
            self._important(f"problem: {told(error)}")

    def _important(self, sentence: str) -> None:
        self._log.important(self._name, sentence)


def summary(judgement: Judgement) -> str:
    """A run in half a sentence."""
    games = f"{judgement.games} games"
    if not judgement.sound:
        return f"{games}; a pair is different, a bot failed, or its playouts deviate"
    return f"{games}; {'every pair equal' if judgement.decided else 'undecided'}"


def told(error: Exception) -> str:
    """A problem in a sentence, with the file that it is about."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {(error.strerror or str(error)).lower()}"
    return str(error)
