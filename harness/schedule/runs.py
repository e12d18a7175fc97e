"""The runs of one config, each in a folder `TIME` of its own; the link `latest`; which are removed.

A folder is a run of the scheduler only if it holds a record that names it. Nothing else is ever touched.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness.schedule.durable import StateError, load, save, settle

RECORD = "scheduled.json"
FORMAT = "conform-scheduled-run/1"
LATEST = "latest"
NAME = re.compile(r"\d{8}T\d{6}Z(-\d+)?")
"""When a run began, in UTC, so that names sort as times do."""
LEFTOVER = re.compile(rf"\.{NAME.pattern}\.(part|removed)")
REMEDY = "the run is passed over: to have it counted again, put the file back; else remove the run's folder"


@dataclass(frozen=True)
class Run:
    """What the scheduler knows of a run. Times are ISO 8601; the games are in the folder's store."""

    folder: Path
    due: str | None  # the time of the schedule that it is played for; None: begun by hand
    began: str
    ended: str | None = None
    given_up: str | None = None  # why, if it was ended before its end
    tries: int = 0  # starts in a row that ended in a problem

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def open(self) -> bool:
        """Begun, and to be gone on with."""
        return self.ended is None

    @property
    def finished(self) -> bool:
        """Played to its end."""
        return self.ended is not None and self.given_up is None


def runs(folder: Path, tell: Callable[[str], object] = lambda _: None) -> list[Run]:
    """All runs of the scheduler in a config's folder, the oldest first. `tell` hears of damaged records."""
    found = []
    for entry in sorted(folder.iterdir(), key=lambda entry: _order(entry.name)) if folder.is_dir() else []:
        if not NAME.fullmatch(entry.name) or entry.is_symlink():
            continue
        try:
            run = _read(entry)
        except StateError as error:
            tell(str(error))
            continue
        if run is not None:
            found.append(run)
    return found


def begin(folder: Path, now: datetime, due: datetime | None) -> Run:
    """A new run: its folder comes into being with its record in it, or not at all. Raises OSError."""
    stem = name = f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    number = 1
    while (folder / name).exists():
        number += 1
        name = f"{stem}-{number}"
    run = Run(folder / name, due.isoformat() if due else None, now.isoformat(timespec="seconds"))
    aside = folder / f".{name}.part"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    save(aside / RECORD, _data(run))
    aside.rename(run.folder)
    settle(folder)
    return run


def end(run: Run, now: datetime, given_up: str | None = None) -> Run:
    """The run is over. Raises OSError."""
    return _saved(replace(run, ended=now.isoformat(timespec="seconds"), given_up=given_up))


def count_try(run: Run, tries: int) -> Run:
    """So many starts in a row have failed. Raises OSError."""
    return run if run.tries == tries else _saved(replace(run, tries=tries))


def discard(run: Run) -> None:
    """Remove a run. First it gets another name: whenever we are killed, no half of it is taken for a run."""
    aside = run.folder.with_name(f".{run.name}.removed")
    run.folder.rename(aside)
    shutil.rmtree(aside)


def point_latest(run: Run) -> None:
    """`latest` leads to this run from now on. Raises StateError where something else has that name."""
    link = run.folder.with_name(LATEST)
    if link.exists() and not link.is_symlink():
        raise StateError(link, "is in the way of the link to the latest run; move it away")
    beside = run.folder.with_name(f".{LATEST}.part")
    beside.unlink(missing_ok=True)
    beside.symlink_to(run.name)
    os.replace(beside, link)


def remove_old(folder: Path, keep: int | None) -> list[Run]:
    """Remove the oldest finished runs beyond `keep` (None: all are kept), and what a kill left half done."""
    for entry in folder.iterdir():
        if LEFTOVER.fullmatch(entry.name):
            shutil.rmtree(entry)
    finished = [run for run in runs(folder) if run.finished]
    old = finished[: max(0, len(finished) - keep)] if keep is not None else []
    for run in old:
        discard(run)
    return old


def _order(name: str) -> tuple[str, int]:
    """`…Z-10` comes after `…Z-9`."""
    stem, _, number = name.partition("-")
    return stem, int(number) if number.isdigit() else 0


def _read(folder: Path) -> Run | None:
    data = load(folder / RECORD, FORMAT, REMEDY)
    if data is None or data.pop("run", None) != folder.name:
        return None  # no run of ours, or a copy of one
    data.pop("format")
    try:
        run = Run(folder, **data)
        datetime.fromisoformat(run.began)
    except (TypeError, ValueError):
        raise StateError(folder / RECORD, f"is damaged; {REMEDY}") from None
    return run


def _saved(run: Run) -> Run:
    save(run.folder / RECORD, _data(run))
    return run


def _data(run: Run) -> dict[str, Any]:
    values = asdict(run)
    del values["folder"]
    return {"format": FORMAT, "run": run.name, **values}
