"""Runs of matches: one, or one after another at the times of their configs. Floor 4."""

from harness.schedule.clock import Clock, WallClock
from harness.schedule.durable import StateError
from harness.schedule.history import rebuild
from harness.schedule.job import Job
from harness.schedule.keeper import PROBLEMS, Player, Result, told
from harness.schedule.log import Log
from harness.schedule.overview import overview
from harness.schedule.playing import Ended, play_run
from harness.schedule.runs import Run, runs
from harness.schedule.scheduler import Scheduler
from harness.schedule.systemd import units
from harness.schedule.times import Timetable
from harness.schedule.watching import Watcher

__all__ = [
    "PROBLEMS",
    "Clock",
    "Ended",
    "Job",
    "Log",
    "Player",
    "Result",
    "Run",
    "Scheduler",
    "StateError",
    "Timetable",
    "WallClock",
    "Watcher",
    "overview",
    "play_run",
    "rebuild",
    "runs",
    "told",
    "units",
]
