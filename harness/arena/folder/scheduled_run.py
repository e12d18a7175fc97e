"""Manages the scheduled runs of a config: their folders, their records, and the link `latest`.

Each run has a folder named after the time of its start. A folder is a scheduled run only if it holds a record
with the folder's name. Only LEFTOVER folders are touched besides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness.arena.folder.errors import StateFileError
from harness.arena.folder.json_file import load_json, save_json
from harness.files import move, remove_folder, replace_link, sync_folder

RECORD = "scheduled.json"
FORMAT = "conform-scheduled-run/1"
LATEST = "latest"
NAME = re.compile(r"\d{8}T\d{6}Z(-\d+)?", re.ASCII)
"""A folder's name: the start of the run, in UTC. It does not give the order: the clock may be wrong."""
LEFTOVER = re.compile(rf"\.{NAME.pattern}\.(part|removed)", re.ASCII)
"""A run that a killed process has left behind: half created, or half removed."""
FIRST_YEAR, LAST_YEAR = 1970, 9000
"""Years of stored times. Chosen: far from the ends of what Python can calculate."""
REMEDY = "the run is ignored: put the file back to have the run counted again, or remove the run's folder"
"""The end of the message about a record that cannot be read."""


@dataclass(frozen=True)
class ScheduledRun:
    """The record of a scheduled run. Times are ISO 8601; the games are in the store of the folder.

    `number` counts the runs of the config. It gives their order, whatever the machine's clock showed. Runs of
    version 0.2 have none (0); they are ordered by `began`.
    """

    folder: Path
    due: str | None  # the time of the schedule that it is played for; None: started by hand
    began: str
    ended: str | None = None
    given_up: str | None = None  # the reason, if the scheduler gave up before the last game
    tries: int = 0  # consecutive starts that ended in a problem
    number: int = 0

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def open(self) -> bool:
        """True if the run has not ended and must be continued."""
        return self.ended is None

    @property
    def finished(self) -> bool:
        """True if all games were played."""
        return self.ended is not None and self.given_up is None

    @property
    def began_at(self) -> datetime:
        """`began` as a time in UTC."""
        return stored_time(self.began).astimezone(UTC)

    @property
    def due_at(self) -> datetime | None:
        """`due` as a time in UTC; None if the run was started by hand."""
        return stored_time(self.due).astimezone(UTC) if self.due else None

    @property
    def order(self) -> tuple[int, float, int]:
        """A key that sorts the runs of a config, the oldest first."""
        _, _, same_second = self.name.partition("-")
        return self.number, self.began_at.timestamp(), int(same_second or 0)


def scheduled_runs(folder: Path, notify: Callable[[str], object] = lambda _: None) -> list[ScheduledRun]:
    """The scheduled runs in a config's folder, oldest first. `notify` gets a sentence per damaged record.

    Raises OSError.
    """
    found = []
    for entry in folder.iterdir() if folder.is_dir() else []:
        if not NAME.fullmatch(entry.name) or entry.is_symlink():
            continue
        try:
            run = scheduled_run(entry)
        except StateFileError as error:
            notify(str(error))
            continue
        if run is not None:
            found.append(run)
    return sorted(found, key=lambda run: run.order)


def begin_run(folder: Path, now: datetime, due: datetime | None) -> ScheduledRun:
    """Create a run. Its folder appears only once the record is in it. Raises OSError."""
    stem = name = f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    same_second = 1
    while os.path.lexists(folder / name):
        same_second += 1
        name = f"{stem}-{same_second}"
    run = ScheduledRun(
        folder / name,
        due.isoformat() if due else None,
        now.isoformat(timespec="seconds"),
        number=1 + max((run.number for run in scheduled_runs(folder)), default=0),
    )
    beside = folder / f".{name}.part"
    remove_folder(beside)
    save_json(beside / RECORD, _data_of(run))
    move(beside, run.folder)
    sync_folder(folder)
    return run


def end_run(run: ScheduledRun, now: datetime, given_up: str | None = None) -> ScheduledRun:
    """Record the end of a run in its folder. Return the run with its end. Raises OSError."""
    return _save(replace(run, ended=now.isoformat(timespec="seconds"), given_up=given_up))


def record_tries(run: ScheduledRun, tries: int) -> ScheduledRun:
    """Record the number of consecutive failed starts, unless it is the same. Return the run with it.

    Raises OSError.
    """
    return run if run.tries == tries else _save(replace(run, tries=tries))


def discard_run(run: ScheduledRun) -> None:
    """Remove a run. Its folder is renamed first, so a half-removed run is no run. Raises OSError."""
    beside = run.folder.with_name(f".{run.name}.removed")
    move(run.folder, beside)
    remove_folder(beside)


def point_latest(run: ScheduledRun) -> None:
    """Make the link `latest` lead to this run.

    Raises StateFileError if there is another file with the name of the link, and OSError.
    """
    link = run.folder.with_name(LATEST)
    if link.exists() and not link.is_symlink():
        raise StateFileError(link, "is in the way of the link to the latest run; move it away")
    replace_link(link, run.name)


def remove_old_runs(
    folder: Path,
    keep: int | None,
    prepare: Callable[[list[ScheduledRun], list[ScheduledRun]], object] | None = None,
) -> list[ScheduledRun]:
    """Remove leftovers of killed processes, and all finished runs but the newest `keep`; return the latter.

    keep      None: keep all runs
    prepare   gets the runs that are about to be removed, and all finished runs, both oldest first; if it
              raises an error, no run is removed

    Links are left alone, whatever their names. Raises OSError.
    """
    for entry in folder.iterdir():
        if LEFTOVER.fullmatch(entry.name) and entry.is_dir() and not entry.is_symlink():
            remove_folder(entry)
    finished = [run for run in scheduled_runs(folder) if run.finished]
    old = finished[: max(0, len(finished) - keep)] if keep is not None else []
    if prepare is not None:
        prepare(old, finished)
    for run in old:
        discard_run(run)
    return old


def scheduled_run(folder: Path) -> ScheduledRun | None:
    """The scheduled run in a folder; None if there is none. Raises StateFileError."""
    data = load_json(folder / RECORD, FORMAT, REMEDY)
    if data is None or data.pop("run", None) != folder.name:
        return None  # not a scheduled run, or a copy of a run
    data.pop("format")
    try:
        run = ScheduledRun(folder, **data)
        _check_fields(run)
    except (TypeError, ValueError):
        raise StateFileError(folder / RECORD, f"is damaged; {REMEDY}") from None
    return run


def _check_fields(run: ScheduledRun) -> None:
    """Raise TypeError or ValueError unless each field is a value that conform writes."""
    stored_time(run.began)
    for time in (run.due, run.ended):
        if time is not None:
            stored_time(time)
    if run.given_up is not None and not isinstance(run.given_up, str):
        raise TypeError(run.given_up)
    for number in (run.tries, run.number):
        if type(number) is not int or number < 0:
            raise ValueError(number)


def stored_time(text: str) -> datetime:
    """Read a time in a file of a schedule, in ISO 8601 with a zone.

    Raises TypeError or ValueError for anything else, and for a year outside FIRST_YEAR to LAST_YEAR.
    """
    time = datetime.fromisoformat(text)
    if time.tzinfo is None or not FIRST_YEAR <= time.year <= LAST_YEAR:
        raise ValueError(text)
    return time


def _save(run: ScheduledRun) -> ScheduledRun:
    """Write the record of a run into its folder; return the run."""
    save_json(run.folder / RECORD, _data_of(run))
    return run


def _data_of(run: ScheduledRun) -> dict[str, Any]:
    values = asdict(run)
    del values["folder"]
    return {"format": FORMAT, "run": run.name, **values}
