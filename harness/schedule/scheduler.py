"""Several configs on their schedules, in one process that runs for weeks.

One run at a time: a match takes all cores, so that two side by side would slow each other's bots down, and
times would be exceeded and histories shift for no fault of a bot. A config that comes due meanwhile waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from harness.match import Stop
from harness.schedule.clock import Clock
from harness.schedule.job import Job, shown
from harness.schedule.keeper import Result
from harness.schedule.log import Log

GRACE = timedelta(minutes=1)
"""Whoever comes back later than this from waiting has slept, and missed what came meanwhile."""


class Scheduler:
    """Keeps jobs to their times."""

    def __init__(self, jobs: Sequence[Job], clock: Clock, stop: Stop, log: Log) -> None:
        self._jobs = jobs
        self._clock = clock
        self._stop = stop
        self._log = log

    def keep_running(self) -> bool:
        """Go on until a stop is asked for; False if a bug of ours was met. Raises as `Job.wake` does."""
        for job in self._jobs:
            job.wake()
        sound = True
        for job in self._jobs:
            if not self._stop.asked:
                sound &= _sound(job.go_on())
            self._tell_next(job)
        while not self._stop.asked:
            job = min(self._jobs, key=Job.next_look)
            self._wait_for(job)
            if not self._stop.asked and job.next_look() <= self._clock.now():
                sound &= _sound(job.attend())
                self._tell_next(job)
        self._log.event("schedule", "stopped")
        return sound

    def once(self) -> list[Result]:
        """One run of each job now, or what is left of one; the results. Raises as `Job.wake` does."""
        for job in self._jobs:
            job.wake()
        results: list[Result] = []
        for job in self._jobs:
            if not self._stop.asked:
                results += job.run_now()
        return results

    def _wait_for(self, job: Job) -> None:
        until = job.next_look()
        if until <= self._clock.now():
            return  # it had to wait for another one's run
        self._clock.wait(until, self._stop)
        now = self._clock.now()
        if now > until + GRACE:
            for sleeper in self._jobs:
                sleeper.slept(now)

    def _tell_next(self, job: Job) -> None:
        if not self._stop.asked:
            self._log.event(job.name, f"next at {shown(job.next_look())}")


def _sound(result: Result | None) -> bool:
    return result is None or not result.bug
