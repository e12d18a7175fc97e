"""`conform schedule`: plays matches unattended, at the times in the `[schedule]` table of their configs.

A run is one match, in a folder of its own below the config's folder.
"""

from harness.schedule.history import rebuild_history
from harness.schedule.hooks import Log
from harness.schedule.job import Job
from harness.schedule.run_keeper import StartResult
from harness.schedule.scheduler import Scheduler
from harness.schedule.state import overview
from harness.schedule.systemd import units
from harness.schedule.timetable import Clock, Timetable

__all__ = [
    "Clock",
    "Job",
    "Log",
    "Scheduler",
    "StartResult",
    "Timetable",
    "overview",
    "rebuild_history",
    "units",
]
