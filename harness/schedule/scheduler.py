"""The scheduler: plays the matches of several configs on their schedules, in a process that runs for weeks.

Runs are played one at a time, and a config that becomes due meanwhile waits. A match takes all cores: two
matches at once would slow each other's bots down, so that these exceed time limits and histories shift.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from operator import itemgetter
from typing import TypeVar

from harness.arena.run.stop import Stop
from harness.schedule.job import GRACE, PROBLEM_PAUSE, Job
from harness.schedule.log import Log
from harness.schedule.run_keeper import StartResult
from harness.schedule.timetable import Clock, format_time

T = TypeVar("T")


class Scheduler:
    """Runs jobs at their times. An error of one job, also a bug of the harness, does not end the others."""

    def __init__(self, jobs: Sequence[Job], clock: Clock, stop: Stop, log: Log) -> None:
        self._jobs = jobs
        self._clock = clock
        self._stop = stop
        self._log = log
        self._sound = True  # no bug of the harness occurred

    def keep_running(self, *, new: bool = False) -> bool:
        """Run until a stop is requested. Return False if a bug of the harness occurred.

        new   begin with a new run of each job; runs that were stopped are continued after these

        Raises the error of the first job if no job can be loaded.
        """
        self._load()
        self._play_at_start(new=new)
        late = False
        while not self._stop.asked:
            for job in self._jobs:
                self._attempt(job, partial(job.follow_clock, late=late))
            late = False
            # A job is looked at when a run of it is due or to be tried again.
            next_looks = [(self._time(job, job.next_look), job) for job in self._jobs]
            until, job = min(next_looks, key=itemgetter(0))
            if until <= self._clock.now():
                self._do(job, job.attend)
                self._log_next(job)
            else:
                self._announce_next()
                self._log.show("waiting")
                self._clock.wait(until, self._stop)
                self._log.show("")
                late = self._clock.now() > until + GRACE  # the machine was suspended, or its clock was set
        self._log.event("schedule", "stopped")
        return self._sound

    def _play_at_start(self, *, new: bool) -> None:
        """Play a new run of each job if `new`; then the rest of the runs that were stopped."""
        for job in self._jobs if new else ():
            if not self._stop.asked:
                self._do(job, job.begin_now)
        for job in self._jobs:
            if not self._stop.asked:
                self._do(job, job.resume)
                self._log_next(job)

    def play_once(self, *, new: bool = False) -> list[StartResult]:
        """Play each job once, now: its open runs or else a new run (see `Job.run_now`).

        new   play a new run in any case, and no open one

        Raises the error of the first job if no job can be loaded.
        """
        self._load()
        results: list[StartResult] = []
        for job in self._jobs:
            if not self._stop.asked:
                results += job.begin_now() if new else job.run_now()
        return results

    def _load(self) -> None:
        """Load all jobs. Report an error; raise the first one if no job can be loaded."""
        errors: list[tuple[Job, Exception]] = []
        for job in self._jobs:
            try:
                job.load()
            except Exception as problem:
                errors.append((job, problem))
        if len(errors) == len(self._jobs):
            raise errors[0][1]
        for job, error in errors:
            self._note(job.report(error))  # the scheduler tries again later

    def _do(self, job: Job, step: Callable[[], list[StartResult]]) -> None:
        """Do a step of a job that may play runs."""
        self._announce_next(playing=job)
        for result in step():  # it raises nothing
            self._note(result)

    def _log_next(self, job: Job) -> None:
        if not self._stop.asked:
            self._attempt(job, lambda: self._log.event(job.name, f"next at {format_time(job.next_look())}"))

    def _announce_next(self, playing: Job | None = None) -> None:
        """Name the next start. A job that plays now is due again at its next time in the future."""
        starts = [
            (self._time(job, job.next_start if job is playing else job.next_look), job.name)
            for job in self._jobs
        ]
        time, name = min(starts)
        self._log.announce(f"next {name} {format_time(time)}")

    def _time(self, job: Job, step: Callable[[], datetime]) -> datetime:
        """The time that a step returns; after a bug, the time at which the job is tried again."""
        return self._attempt(job, step) or self._clock.now() + PROBLEM_PAUSE

    def _attempt(self, job: Job, step: Callable[[], T]) -> T | None:
        """Do a step of a job. Report any exception, and return None."""
        try:
            return step()
        except Exception as error:
            self._note(job.report(error))
            return None

    def _note(self, result: StartResult) -> None:
        """Note if the result is a bug of the harness."""
        self._sound &= not result.bug
