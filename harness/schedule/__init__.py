"""`conform schedule`: plays matches unattended, at the times in the `[schedule]` table of their configs.

A run is one match, in a folder of its own below the config's folder.
"""

from harness.schedule.drop import drop_open_runs
from harness.schedule.history import rebuild_history
from harness.schedule.job import Job
from harness.schedule.log import Log
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
    "drop_open_runs",
    "overview",
    "rebuild_history",
    "units",
]
