"""A job: one config on its schedule. It decides which times are due and which were missed, and plays runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from harness.arena.config.tables import MatchConfig
from harness.arena.folder.errors import USER_ERRORS, FolderInUseError
from harness.arena.folder.lock import locked
from harness.arena.folder.play import run_match
from harness.arena.folder.scheduled_run import ScheduledRun, scheduled_runs
from harness.arena.run.stop import Stop
from harness.schedule.hooks import Hooks
from harness.schedule.log import Log
from harness.schedule.run_keeper import PlayRun, RunKeeper, StartResult, result_of_error
from harness.schedule.state import MAX_COUNTED, State, missed_times, read_state, write_state
from harness.schedule.timetable import Clock, Timetable, format_time

BUSY_PAUSE = timedelta(seconds=30)
"""Pause before the next try while another process plays this config. Chosen: short compared with a match."""
PROBLEM_PAUSE = timedelta(minutes=10)
"""Pause before the next try after a problem with the folder. Chosen: six lines an hour in the log."""
GRACE = timedelta(minutes=1)
"""Delay of the scheduler after which a time of the schedule was missed.
Chosen: the unit of cron times, and longer than a busy machine delays a process."""
SET_BACK = timedelta(minutes=1)
"""A clock that was set back by more is logged. Chosen: the unit of cron times."""


class Job:
    """A config, its folder and its timetable.

    A time of the schedule is *handled* once its run has started or it is skipped. A time that has passed and
    is not handled is *due*; it was *missed* if the scheduler did not run then, or played another run. With
    runs daily at 1:00, a scheduler that starts on Monday at 9:00 after a weekend has missed three times: one
    run, for Saturday 1:00, makes up for all three, or with misfire = "skip" no run does.

    The clock of the machine may be set, also by days. After the clock was set back, the times after the new
    time are due, even if they are handled: the job may have handled them while the clock was wrong. No time
    gets two runs.

    The job writes to the folder only while it holds the lock of the folder. `next_look`, `next_start` and
    `attend` need a schedule in the config.
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
        self._makes_up = config.schedule is None or config.schedule.misfire == "run"
        self._clock = clock
        self._log = log
        self._hooks = Hooks(self.name, self.folder, config.schedule, log)
        self._keeper = RunKeeper(config, self.folder, clock, stop, log, play, self._hooks)
        self._last_problem = ""  # the problem that was passed to the hook for failures last
        self._reported: datetime | None = None  # the last missed time that was passed to the hook
        self._state = State(clock.now())
        # Times after `_since` are due. It is `_state.handled`, or earlier after the clock was set back.
        self._since = self._state.handled
        self._begun: frozenset[datetime] = frozenset()  # the times, in UTC, for which a run was begun
        self._away_until = clock.now()  # due times up to this were missed
        self._not_before = clock.now()  # the end of a pause after a problem

    def load(self) -> None:
        """Read the stored state and check the hooks. While another process plays this config, read nothing.

        On a problem with the folder, calls the hook for failures and raises MatchError or OSError.
        """
        self._hooks.check()
        try:
            with suppress(FolderInUseError), locked(self.folder):
                self._reload()
                write_state(self.folder, self._state)
        except USER_ERRORS as error:
            self._report_failure(result_of_error(error))
            raise

    def next_look(self) -> datetime:
        """The time at which to call `attend`, in the time zone of the config."""
        time = self._next_time()
        return max(time, self._not_before).astimezone(time.tzinfo)

    def next_start(self) -> datetime:
        """The next time of the schedule in the future, whether or not a run still plays then."""
        assert self.timetable is not None
        return self.timetable.next(self._clock.now())

    def follow_clock(self, *, late: bool) -> None:
        """Adapt to the clock of the machine, which may have been set.

        late   the clock jumped over a time that the scheduler waited for, or the machine was suspended: the
               times up to now that are not handled were missed
        """
        now = self._clock.now()
        if late:
            self._away_until = now
            if self._state.handled <= now:  # the clock was wrong after it was set back, and is right again
                self._since = self._state.handled
        if self._since > now + SET_BACK:
            self._log.important(
                self.name, f"the clock was set back: it was {format_time(self._since)} before"
            )
        # No moment that the job remembers may lie in the future: the clock was set back since then.
        self._since = min(self._since, now)
        self._away_until = min(self._away_until, now)
        self._not_before = min(self._not_before, now + PROBLEM_PAUSE)
        self._reported = min(self._reported, now) if self._reported else None

    def report(self, error: Exception) -> StartResult:
        """Log an error, store it for `--list`, call the hook for failures, and pause. Never raises.

        If another process uses the folder, the error is only logged, and the pause is shorter.
        """
        result = result_of_error(error)
        busy = isinstance(error, FolderInUseError)
        self._not_before = self._clock.now() + (BUSY_PAUSE if busy else PROBLEM_PAUSE)
        self._keeper.log_problem(result)
        if not busy:
            self._report_failure(result)
            self._store_problem(result)
        return result

    def resume(self) -> list[StartResult]:
        """Play the rest of each open run, the newest first, up to one that is not completed."""
        return self._do_locked(self._resume)

    def attend(self) -> list[StartResult]:
        """If a time is due, play the rest of each open run and, if all were completed, a new run."""
        return self._do_locked(self._attend)

    def begin_now(self) -> list[StartResult]:
        """Play a new run, also beside an open one."""
        return self._do_locked(lambda: [self._begin(None, "on request")])

    def run_now(self) -> list[StartResult]:
        """Play the rest of each open run; without an open run, play a new one.

        A new run also follows open runs that were all completed, if a time is due. A run that is held does
        not count as open.
        """
        results = self.resume()
        if results and not (results[-1].complete and self._is_due()):
            return results
        return [*results, *self._do_locked(self._begin_on_request)]

    def _is_due(self) -> bool:
        """Return True if a time of the schedule is due."""
        return self.timetable is not None and self._next_time() <= self._clock.now()

    def _next_time(self) -> datetime:
        """The earliest time that is due, or else the next time in the future."""
        assert self.timetable is not None
        return next(filter(self._has_no_run, self.timetable.after(self._since)))

    def _has_no_run(self, time: datetime) -> bool:
        """Return True if no run was begun for this time."""
        return time.astimezone(UTC) not in self._begun

    def _attend(self) -> list[StartResult]:
        """Do the work of `attend`. The caller holds the lock of the folder."""
        now = self._clock.now()
        if self._next_time() > now:
            return []  # another process has handled it
        self._handle_missed(now)
        due = self._next_time()
        if due > now:
            return []
        results = self._resume()
        if results and not results[-1].complete:
            if not results[-1].outcome:  # a problem: the run is tried again at the next time
                self._mark_handled(now)
            return results
        return [*results, self._begin(due, f"due {format_time(due)}")]

    def _handle_missed(self, now: datetime) -> None:
        """Log missed times and call the hook. With misfire = "skip", mark them as handled."""
        assert self.timetable is not None
        until = min(now, self._away_until)
        sentence = self._report_missed(until)
        if not sentence:
            return
        if self._makes_up:
            self._log.event(self.name, f"{sentence}; one run makes up for it")
            return
        self._mark_handled(until)
        self._log.event(self.name, f"{sentence}; skipped")

    def _report_missed(self, until: datetime) -> str:
        """Call the hook for the times up to `until` without a run, unless it knows the last of them.

        Return a sentence about all these times; empty if there are none.
        """
        assert self.timetable is not None
        past = filter(self._has_no_run, self.timetable.within(self._since, until))
        missed = list(islice(past, MAX_COUNTED))
        if not missed:
            return ""
        sentence = missed_times(missed)
        if self._reported is None or missed[-1] > self._reported:
            self._reported = missed[-1]
            self._hooks.call("missed", self._clock.now(), sentence)
        return sentence

    def _resume(self) -> list[StartResult]:
        """Play the rest of each open run, up to the first that is not completed.

        A run that is held (`StartResult.held`) is passed over.
        """
        results: list[StartResult] = []
        for run in self._keeper.open_runs():
            result = self._keeper.play(run)
            if result.held:
                continue
            results.append(self._save_result(run, result))
            if not result.complete:
                break
        return results

    def _begin_on_request(self) -> list[StartResult]:
        """Play a new run. It makes up for the times that were missed."""
        # A time of the last minute was not missed: this run is on time for it.
        if self.timetable and (sentence := self._report_missed(self._away_until - GRACE)):
            self._log.event(self.name, f"{sentence}; one run makes up for it")
        return [self._begin(None, "on request")]

    def _begin(self, due: datetime | None, reason: str) -> StartResult:
        """Play a new run for the time `due` (None: for no time). All times up to now are then handled."""
        now = self._clock.now()
        run = self._keeper.begin(due, reason)
        self._mark_handled(now)
        return self._save_result(run, self._keeper.play(run))

    def _save_result(self, run: ScheduledRun, result: StartResult) -> StartResult:
        """Store the result of a run that was just played, for `--list`. The times that passed were missed."""
        self._away_until = self._clock.now()
        at = self._away_until.isoformat(timespec="seconds")
        summary = "stopped" if result.outcome and not result.complete else str(result)
        self._save(replace(self._state, run=run.name, at=at, result=summary))
        return result

    def _reload(self) -> None:
        """Read the stored state and the runs in the folder, which another process may have changed."""
        known, now = self._state.handled, self._clock.now()
        self._state = read_state(self.folder) or self._state
        runs = scheduled_runs(self.folder)
        self._begun = frozenset(run.due_at for run in runs if run.due_at)
        # A process that was killed may have begun a run without storing that the times up to it are handled.
        latest = max((run.began_at for run in runs if run.began_at <= now), default=self._state.handled)
        self._state = replace(self._state, handled=max(self._state.handled, latest))
        if self._state.handled != known:
            self._since = self._state.handled
        self.follow_clock(late=False)

    def _mark_handled(self, until: datetime) -> None:
        """Store that all times up to `until` are handled."""
        self._save(replace(self._state, handled=until))
        self._since = until

    def _report_failure(self, result: StartResult) -> None:
        """Call the hook for failures, once for a problem and not at every try."""
        if result.problem != self._last_problem:
            self._last_problem = result.problem
            self._hooks.call("failure", self._clock.now(), result.problem)

    def _store_problem(self, result: StartResult) -> None:
        """Store a problem for `--list`, unless the problem is that nothing can be stored."""
        with suppress(*USER_ERRORS), locked(self.folder):
            at = self._clock.now().isoformat(timespec="seconds")
            self._save(replace(read_state(self.folder) or self._state, at=at, result=str(result)))

    def _save(self, state: State) -> None:
        self._state = state
        write_state(self.folder, state)

    def _do_locked(self, work: Callable[[], list[StartResult]]) -> list[StartResult]:
        """Do `work` with the lock of the folder. Every error becomes a result, so the scheduler continues."""
        try:
            with locked(self.folder):
                self._reload()
                results = work()
                self._last_problem = ""
                return results
        except Exception as error:
            return [self.report(error)]
