"""A folder has thousands of runs.

Before: `conform status` and the first page of `conform serve` read each of them, which took half a minute
for 10,000. After: they look at all directory entries, and read the runs that they show or that may run.
"""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.arena.store.store import DATABASE, Store
from harness.files import timestamp
from harness.report.status.record import this_process
from harness.report.status.run import FILE, RunStatus
from harness.report.status.stored import stored_status
from harness.serve.places import Finder, Place
from harness.serve.reading import CANDIDATES, Allowance, Reader, Reading
from tests.harness.serve.serve_helpers import stored

RUNS = CANDIDATES + 100
SHOWN = 20
YEAR_2026 = 1_770_000_000


class CountingReader(Reader):
    """A reader that counts the places that it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.read_places: list[Place] = []

    def read(self, place: Place, allowance: Allowance | None = None) -> Reading | None:
        self.read_places.append(place)
        return super().read(place, allowance)


@pytest.fixture
def complete(tmp_path: Path) -> RunStatus:
    """The status of a complete run, which is in the folder `run`."""
    stored(tmp_path / "run")
    with Store.open(tmp_path / "run", read_only=True) as store:
        status = stored_status(store)
    assert status is not None
    return status.model_copy(update={"state": "complete"})


def make_runs(folder: Path, fill: Callable[[Path], Path]) -> None:
    """Runs of which each is a minute older than the one before. `fill` makes the file of a run."""
    for number in range(RUNS):
        run = folder / f"{number:04}"
        run.mkdir(parents=True)
        os.utime(fill(run), (YEAR_2026 - 60 * number,) * 2)


def newest(folder: Path) -> tuple[list[str], int]:
    """The names of the runs that are shown, and how many were read."""
    reader = CountingReader()
    found = reader.newest(Finder(folder).find().values(), SHOWN)
    return [reading.place.title for reading in found], len(reader.read_places)


def test_the_newest_runs_are_read_and_those_that_run(tmp_path: Path, complete: RunStatus) -> None:
    def write_status(run: Path, status: RunStatus) -> Path:
        (run / FILE).write_text(status.model_dump_json())
        return run / FILE

    def fill(run: Path) -> Path:
        at = datetime.fromtimestamp(YEAR_2026 - 60 * int(run.name), UTC).isoformat()
        return write_status(run, complete.model_copy(update={"at": at}))

    make_runs(tmp_path / "runs", fill)
    names = [f"{number:04}" for number in range(SHOWN)]
    assert newest(tmp_path / "runs") == (names, CANDIDATES)
    working = {"state": "playing", "writer": this_process(), "monotonic": time.monotonic(), "at": timestamp()}
    file = write_status(tmp_path / "runs" / "0300", complete.model_copy(update=working))
    os.utime(file, (YEAR_2026 - 60 * 300,) * 2)
    assert newest(tmp_path / "runs") == (["0300", *names[:-1]], CANDIDATES)


def test_stores_are_opened_only_to_be_shown(tmp_path: Path) -> None:
    def fill(run: Path) -> Path:
        (run / DATABASE).write_bytes(b"no database")
        return run / DATABASE

    make_runs(tmp_path / "runs", fill)
    assert newest(tmp_path / "runs") == ([f"{number:04}" for number in range(SHOWN)], SHOWN)
