"""Runs of matches: one, or one after another at the times of their configs. Above report, below cli."""

from harness.schedule.playing import Ended, play_run
from harness.schedule.watching import Watcher

__all__ = ["Ended", "Watcher", "play_run"]
