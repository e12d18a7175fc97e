"""The scheduler: plays the matches of several configs on their schedules, in a process that runs for weeks.

Runs are played one at a time, and a config that becomes due meanwhile waits. A match takes all cores: two
matches at once would slow each other's bots down, so that these exceed time limits and histories shift.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from harness.arena.run.stop import Stop
from harness.schedule.hooks import Log
from harness.schedule.job import Job
from harness.schedule.run_keeper import StartResult
from harness.schedule.timetable import Clock, format_time

GRACE = timedelta(minutes=1)
"""A wait that ends so much too late shows that the machine was suspended; times in between were missed.
Chosen: the unit of cron times, and longer than a busy machine delays a process."""


class Scheduler:
    """Runs jobs at their times."""

    def __init__(self, jobs: Sequence[Job], clock: Clock, stop: Stop, log: Log) -> None:
        self._jobs = jobs
        self._clock = clock
        self._stop = stop
        self._log = log

    def keep_running(self) -> bool:
        """Run until a stop is requested. False if a bug of the harness occurred. Raises as `Job.load`."""
        for job in self._jobs:
            job.load()
        sound = True
        for job in self._jobs:
            if not self._stop.asked:
                sound &= _sound(job.resume())
            self._log_next(job)
        while not self._stop.asked:
            job = min(self._jobs, key=Job.next_look)
            self._wait_for(job)
            if not self._stop.asked and job.next_look() <= self._clock.now():
                sound &= _sound(job.attend())
                self._log_next(job)
        self._log.event("schedule", "stopped")
        return sound

    def once(self) -> list[StartResult]:
        """Play one run of each job now, or the rest of its open run. Raises as `Job.load` does."""
        for job in self._jobs:
            job.load()
        results: list[StartResult] = []
        for job in self._jobs:
            if not self._stop.asked:
                results += job.run_now()
        return results

    def _wait_for(self, job: Job) -> None:
        until = job.next_look()
        if until <= self._clock.now():
            return  # it is due already: it waited for the run of another job
        self._clock.wait(until, self._stop)
        now = self._clock.now()
        if now > until + GRACE:
            for missing in self._jobs:
                missing.mark_missed(now)

    def _log_next(self, job: Job) -> None:
        if not self._stop.asked:
            self._log.event(job.name, f"next at {format_time(job.next_look())}")


def _sound(result: StartResult | None) -> bool:
    return result is None or not result.bug
