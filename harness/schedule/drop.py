"""Gives up the runs of a config that are not finished, so that no start continues them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from harness.arena.folder.lock import locked
from harness.arena.folder.scheduled_run import ScheduledRun, discard_run, end_run, scheduled_runs
from harness.arena.store.store import DATABASE
from harness.schedule.state import State, read_state, write_state

REASON = "on request"


def drop_open_runs(folder: Path, now: datetime) -> list[ScheduledRun]:
    """Give up every open run in the folder of a config, and return the runs whose games are kept.

    A run that was stopped before its store was made is removed. Raises FolderInUseError while a process plays
    there, StateFileError and OSError.
    """
    with locked(folder):
        state = read_state(folder) or State(now)
        kept = []
        for run in scheduled_runs(folder):
            if not run.open:
                continue
            if (run.folder / DATABASE).exists():
                kept.append(end_run(run, now, given_up=REASON))
            else:
                discard_run(run)
        if kept:
            at = now.isoformat(timespec="seconds")
            write_state(folder, replace(state, run=kept[-1].name, at=at, result=f"given up {REASON}"))
    return kept
