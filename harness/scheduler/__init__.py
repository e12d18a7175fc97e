"""Plays matches at the times of their configs, unattended."""

from harness.scheduler.clock import Clock, WallClock
from harness.scheduler.history import rebuild_history
from harness.scheduler.job import Job
from harness.scheduler.log import Log
from harness.scheduler.overview import overview
from harness.scheduler.run_keeper import PlayRun, StartResult
from harness.scheduler.scheduler import Scheduler
from harness.scheduler.systemd import units
from harness.scheduler.timetable import Timetable

__all__ = [
    "Clock",
    "Job",
    "Log",
    "PlayRun",
    "Scheduler",
    "StartResult",
    "Timetable",
    "WallClock",
    "overview",
    "rebuild_history",
    "units",
]
