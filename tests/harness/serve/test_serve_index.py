"""Runs without a status file: each store is read once, and again only when it has changed."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.arena.folder.scheduled_run import RECORD, begin_run, end_run
from harness.arena.store.store import DATABASE, Store
from harness.report.status.record import this_process
from harness.report.status.run import FILE, RunStatus
from harness.serve import places
from harness.serve.index import MOST_IN_FOLDER, RunIndex, files_of
from harness.serve.places import Finder, Kind, Place
from harness.serve.reading import UNREAD, Reader, Reading
from tests.harness.schedule.scheduler_helpers import START
from tests.harness.serve.serve_helpers import stored

MARK = "from the index"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stored run; tests change nothing in it."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    stored(folder)
    return folder


def reading_of(folder: Path, index: RunIndex | None = None) -> Reading:
    """Read a run as a new process does."""
    reading = Reader(index).read(Place(Kind.MATCH, folder, folder.name))
    assert reading is not None
    return reading


def read(folder: Path, index: RunIndex) -> RunStatus:
    """The status of a run that a new process reads."""
    reading = reading_of(folder, index)
    assert reading.run is not None, reading.problem
    return reading.run


def entry_of(folder: Path) -> Path:
    (entry,) = folder.glob("*/*.json")
    return entry


def test_a_second_process_reads_the_index_and_no_store(run: Path, tmp_path: Path) -> None:
    first = read(run, RunIndex(tmp_path))
    assert read(run, RunIndex(tmp_path)) == first
    RunIndex(tmp_path).keep(run, files_of(run), first.model_copy(update={"name": MARK}))
    assert read(run, RunIndex(tmp_path)).name == MARK


def test_a_run_that_has_changed_is_read_from_its_store(tmp_path: Path) -> None:
    folder, index = tmp_path / "run", RunIndex(tmp_path / "index")
    stored(folder)
    index.keep(folder, files_of(folder), read(folder, index).model_copy(update={"name": MARK}))
    before = (folder / DATABASE).stat()
    with Store.open(folder) as store:
        store.note("stop", "a note", "2026-01-01T00:00:00+00:00")
    os.utime(folder / DATABASE, ns=(before.st_atime_ns, before.st_mtime_ns))  # as a copy with its old time
    seen = read(folder, index)
    assert seen.name != MARK
    assert [event.text for event in seen.events][-1] == "a note"


SPOILS: dict[str, Callable[[dict[str, object]], object]] = {
    "of another version": lambda entry: entry["status_of"].update(version="0"),  # type: ignore[attr-defined]
    "of another run": lambda entry: entry["status_of"].update(run="/other"),  # type: ignore[attr-defined]
    "without a status": lambda entry: entry.pop("status"),
    "of another form": lambda entry: entry.update(status={"name": MARK}),
}


@pytest.mark.parametrize("spoil", SPOILS)
def test_an_entry_that_does_not_fit_is_not_used(run: Path, tmp_path: Path, spoil: str) -> None:
    index = RunIndex(tmp_path)
    index.keep(run, files_of(run), read(run, index).model_copy(update={"name": MARK}))
    entry = json.loads(entry_of(tmp_path).read_text())
    SPOILS[spoil](entry)
    entry_of(tmp_path).write_text(json.dumps(entry))
    assert read(run, index).name != MARK


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "\0", '{"status_of": null}'])
def test_a_damaged_entry_costs_a_reading(run: Path, tmp_path: Path, text: str) -> None:
    index = RunIndex(tmp_path)
    first = read(run, index)
    entry_of(tmp_path).write_text(text)
    assert read(run, index) == first
    assert read(run, index) == first
    assert json.loads(entry_of(tmp_path).read_text())["status"]["name"] == first.name  # written again


def test_a_cache_that_cannot_be_written_is_no_error(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert read(run, RunIndex(tmp_path / "file")) == read(run, RunIndex(tmp_path / "file" / "below"))


def test_the_oldest_entries_go(run: Path, tmp_path: Path) -> None:
    index = RunIndex(tmp_path / "index")
    status = read(run, index)
    runs = (tmp_path / str(number) for number in range(100_000))
    in_one_folder = (path for path in runs if index._path(path).parent.name == "00")
    paths = [next(in_one_folder) for _ in range(MOST_IN_FOLDER + 1)]
    for number, path in enumerate(paths):
        index.keep(path, [], status)
        os.utime(index._path(path), (number, number))
    index.keep(paths[-1], [], status)
    assert [index.find(path, []) is None for path in paths] == [True] + [False] * MOST_IN_FOLDER


def phases(reader: Reader, folder: Path) -> list[bool]:
    """Read the runs once. Return True for each run whose store was read, the newest first."""
    readings = reader.newest(Finder(folder).find().values(), 3, seconds=0.0)
    assert len(readings) == 3
    return [reading.phase is not UNREAD for reading in sorted(readings, key=lambda one: one.place.name)]


def test_each_update_reads_a_part_of_the_stores_until_all_are_read(tmp_path: Path) -> None:
    for number in range(3):
        stored(tmp_path / f"run{number}")
        os.utime(tmp_path / f"run{number}" / DATABASE, (2000 - number,) * 2)
    reader = Reader()
    assert phases(reader, tmp_path) == [True, False, False]
    assert phases(reader, tmp_path) == [True, True, False]
    assert phases(reader, tmp_path) == [True, True, True]


def test_a_run_that_the_scheduler_gave_up_is_not_said_to_continue(tmp_path: Path) -> None:
    scheduled = begin_run(tmp_path, START, None)
    stored(scheduled.folder)
    status = read(scheduled.folder, RunIndex(tmp_path / "index")).model_copy(update={"state": "stopped"})
    (scheduled.folder / FILE).write_text(
        status.model_copy(update={"writer": this_process()}).model_dump_json()
    )
    assert reading_of(scheduled.folder).phase.word == "stopped"
    end_run(scheduled, START, given_up="on request")
    assert reading_of(scheduled.folder).phase.word == "given up"
    (scheduled.folder / RECORD).write_text("{" + " " * 10_000_000)
    assert reading_of(scheduled.folder).phase.word == "stopped"


def test_the_record_of_a_scheduled_run_is_opened_when_it_has_changed(tmp_path: Path) -> None:
    scheduled = begin_run(tmp_path, START, None)
    stored(scheduled.folder)
    reader, place = Reader(), Place(Kind.MATCH, scheduled.folder, scheduled.folder.name)
    record = scheduled.folder / RECORD

    def is_given_up() -> bool:
        reading = reader.read(place)
        assert reading is not None
        return reading.given_up

    assert not is_given_up()
    end_run(scheduled, START, given_up="on request")
    assert is_given_up()
    written = record.stat()
    record.write_bytes(b"x" * written.st_size)
    os.utime(record, ns=(written.st_atime_ns, written.st_mtime_ns))
    assert is_given_up()
    os.utime(record)
    assert not is_given_up()


def test_a_json_file_that_is_no_report_is_opened_again_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    head = places._head

    def open_head(path: Path) -> str:
        opened.append(path.name)
        return head(path)

    monkeypatch.setattr(places, "_head", open_head)
    (tmp_path / "other.json").write_text("{}")
    finder = Finder(tmp_path)
    assert finder.find() == finder.find() == {}
    assert opened == ["other.json"]
    (tmp_path / "other.json").write_text('{"changed": true}')
    finder.find()
    assert opened == ["other.json"] * 2
