"""Plays matches at the times of their configs, unattended."""

from harness.schedule.clock import Clock, WallClock
from harness.schedule.history import rebuild_history
from harness.schedule.job import Job
from harness.schedule.log import Log
from harness.schedule.overview import overview
from harness.schedule.run_keeper import PlayRun, StartResult
from harness.schedule.scheduler import Scheduler
from harness.schedule.systemd import units
from harness.schedule.timetable import Timetable

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
