"""A job: one config on its schedule. It decides which times are due and which were missed, and plays runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import USER_ERRORS, FolderInUseError, describe_error
from harness.arena.folder.lock import locked
from harness.arena.folder.play import run_match
from harness.arena.folder.scheduled_run import ScheduledRun, scheduled_runs
from harness.arena.run.stop import Stop
from harness.schedule.hooks import Hooks, Log
from harness.schedule.run_keeper import PlayRun, RunKeeper, StartResult, failed
from harness.schedule.state import State, read_state, write_state
from harness.schedule.timetable import Clock, Timetable, format_time

BUSY_PAUSE = timedelta(seconds=30)
"""Pause before the next try while another process plays this config. Chosen: short compared with a match."""
PROBLEM_PAUSE = timedelta(minutes=10)
"""Pause before the next try after a problem with the folder. Chosen: six lines an hour in the log."""
MAX_COUNTED = 1000
"""Missed times are counted up to this number. Chosen: nobody needs a larger number."""
CLOCK_ERROR = timedelta(days=1)
"""A stored time so far in the future was written with a wrong clock. Chosen: no time zone shifts by more."""


class Job:
    """A config, its folder and its timetable. A time is *handled* once its run has started or it is skipped.

    The job writes to the folder only while it holds the lock of the folder.
    """

    def __init__(
        self,
        config: MatchConfig,
        reports: Path,
        clock: Clock,
        stop: Stop,
        log: Log,
        play: PlayRun = run_match,
    ) -> None:
        self.name = config.run.name
        self.folder = reports / self.name
        self.timetable = Timetable(config.schedule) if config.schedule else None
        self._make_up = config.schedule is None or config.schedule.misfire == "run"
        self._clock = clock
        self._log = log
        self._hooks = Hooks(self.name, self.folder, config.schedule, log)
        self._keeper = RunKeeper(config, self.folder, clock, stop, log, play, self._hooks)
        self._last_problem = ""
        self._reported: datetime | None = None  # the last missed time that was passed to the hook
        self._state = State(clock.now())
        self._away_until = clock.now()  # times up to this that are not handled were missed
        self._not_before = clock.now()  # the end of a pause after a problem

    def load(self) -> None:
        """Read the stored state and check the hooks.

        Calls the hook for failures, then raises MatchError or OSError, which end the command.
        """
        self._hooks.check()
        try:
            with suppress(FolderInUseError), locked(self.folder):
                self._reload()
                write_state(self.folder, self._state)
        except USER_ERRORS as error:
            self._hooks.call("failure", self._clock.now(), describe_error(error))
            raise

    def next_look(self) -> datetime:
        """The time at which to call `attend`, in the time zone of the config."""
        time = self._next_time()
        return max(time, self._not_before).astimezone(time.tzinfo)

    def mark_missed(self, until: datetime) -> None:
        """Count times up to `until` as missed: the machine was suspended, or its clock was set."""
        self._away_until = until

    def resume(self) -> StartResult | None:
        """Play the rest of a run that was stopped, if there is one."""
        return self._guarded(self._resume)

    def attend(self) -> StartResult | None:
        """Play the rest of an open run, then a new run, if a time is due. None if no run was played."""
        return self._guarded(self._attend)

    def run_now(self) -> list[StartResult]:
        """Play the rest of an open run; then a new run, if there was no open run or a time is due."""
        results = []
        if resumed := self.resume():
            results.append(resumed)
            if not resumed.complete or not self.timetable or self._next_time() > self._clock.now():
                return results
        begun = self._guarded(lambda: self._begin(None, "on request"))
        return [*results, begun] if begun else results

    def _next_time(self) -> datetime:
        assert self.timetable is not None
        return self.timetable.next(self._state.handled)

    def _attend(self) -> StartResult | None:
        now = self._clock.now()
        if self._next_time() > now:
            return None  # another process has handled it
        self._handle_missed(now)
        due = self._next_time()
        if due > now:
            return None
        if resumed := self._resume():
            if not resumed.outcome:
                self._save(replace(self._state, handled=now))  # tried again at the next time
            if not resumed.complete:
                return resumed
        return self._begin(due, f"due {format_time(due)}")

    def _handle_missed(self, now: datetime) -> None:
        """Log missed times and call the hook. With misfire = "skip", mark them as handled."""
        assert self.timetable is not None
        until = min(now, self._away_until)
        missed = list(islice(self.timetable.within(self._state.handled, until), MAX_COUNTED))
        if not missed:
            return
        many = f"{'at least ' * (len(missed) == MAX_COUNTED)}{len(missed)} time{'s' * (len(missed) > 1)}"
        since = f"{many} missed since {format_time(missed[0])}"
        if self._reported is None or missed[-1] > self._reported:
            self._reported = missed[-1]
            self._hooks.call("missed", now, since)
        if self._make_up:
            self._log.event(self.name, f"{since}; one run makes up for it")
            return
        self._save(replace(self._state, handled=until))
        self._log.event(self.name, f"{since}; skipped")

    def _resume(self) -> StartResult | None:
        run = self._keeper.open_run()
        return self._ended(run, self._keeper.resume(run)) if run else None

    def _begin(self, due: datetime | None, reason: str) -> StartResult:
        now = self._clock.now()
        run = self._keeper.begin(due, reason)
        self._save(replace(self._state, handled=now))
        return self._ended(run, self._keeper.play(run))

    def _ended(self, run: ScheduledRun, result: StartResult) -> StartResult:
        self._away_until = self._clock.now()
        at = self._away_until.isoformat(timespec="seconds")
        summary = "stopped" if result.outcome and not result.complete else str(result)
        self._save(replace(self._state, run=run.name, at=at, result=summary))
        return result

    def _reload(self) -> None:
        """Read the stored state and the runs in the folder, which another process may have changed."""
        now = self._clock.now()
        self._state = read_state(self.folder) or self._state
        if self._state.handled > now + CLOCK_ERROR:
            self._log.important(
                self.name, f"the clock was set back: it was {format_time(self._state.handled)} before"
            )
            self._state = replace(self._state, handled=now)
        begun = [datetime.fromisoformat(run.began) for run in scheduled_runs(self.folder)]
        latest = max((time for time in begun if time <= now), default=self._state.handled)
        self._state = replace(self._state, handled=max(self._state.handled, latest))

    def _save(self, state: State) -> None:
        self._state = state
        write_state(self.folder, state)

    def _guarded(self, work: Callable[[], StartResult | None]) -> StartResult | None:
        """Do `work` with the lock of the folder. Every error becomes a result, so the scheduler continues."""
        try:
            with locked(self.folder):
                self._reload()
                result = work()
                self._last_problem = ""
                return result
        except Exception as error:
            result = failed(error)
            busy = isinstance(error, FolderInUseError)
        self._not_before = self._clock.now() + (BUSY_PAUSE if busy else PROBLEM_PAUSE)
        self._keeper.log_problem(result)
        if not busy and result.problem != self._last_problem:  # once, not at every try
            self._last_problem = result.problem
            self._hooks.call("failure", self._clock.now(), result.problem)
        return result
