"""The folders of scheduled runs: their records, the link `latest`, and the removal of old runs."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harness.arena.folder.errors import StateFileError
from harness.arena.folder.scheduled_run import (
    ScheduledRun,
    begin_run,
    discard_run,
    end_run,
    point_latest,
    record_tries,
    remove_old_runs,
    scheduled_runs,
)

RECORD = '{"format": "conform-scheduled-run/1", "run": "NAME"%s}'
NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


def finished(folder: Path, count: int) -> list[ScheduledRun]:
    return [end_run(begin_run(folder, NOW + timedelta(hours=hour), None), NOW) for hour in range(count)]


def test_a_run_is_open_until_it_is_ended(tmp_path: Path) -> None:
    run = begin_run(tmp_path, NOW, NOW - timedelta(minutes=1))
    assert run.name == "20260105T120000Z"
    assert scheduled_runs(tmp_path) == [run]
    assert run.open
    tried = record_tries(run, 1)
    done = end_run(tried, NOW)
    assert scheduled_runs(tmp_path) == [done]
    assert (done.open, done.finished, done.tries) == (False, True, 1)
    assert not end_run(run, NOW, given_up="why").finished


def test_two_runs_of_one_second_have_two_folders_in_order(tmp_path: Path) -> None:
    made = [begin_run(tmp_path, NOW, None) for _ in range(11)]
    assert [run.name for run in scheduled_runs(tmp_path)] == [run.name for run in made]
    assert made[10].name.endswith("Z-11")


def test_the_oldest_finished_runs_are_removed_and_nothing_else(tmp_path: Path) -> None:
    old = finished(tmp_path, 4)
    still_open = begin_run(tmp_path, NOW - timedelta(days=2), None)
    given_up = end_run(begin_run(tmp_path, NOW - timedelta(days=1), None), NOW, given_up="why")
    outside = tmp_path / "outside"
    outside.mkdir()
    for other in ("20200101T000000Z", "notes"):  # made by somebody else
        (tmp_path / other).mkdir()
    shutil.copytree(old[0].folder, tmp_path / "20200102T000000Z")
    (tmp_path / "20200103T000000Z").symlink_to(old[0].folder)
    (tmp_path / ".20200104T000000Z.removed").symlink_to(outside)
    assert remove_old_runs(tmp_path, None) == []
    assert remove_old_runs(tmp_path, 2) == old[:2]
    left = {entry.name for entry in tmp_path.iterdir()}
    assert left == {
        *(run.name for run in (*old[2:], still_open, given_up)),
        *("20200101T000000Z", "20200102T000000Z", "20200103T000000Z", "notes"),
        *(".20200104T000000Z.removed", "outside"),
    }


def test_a_clock_that_was_wrong_for_one_run_does_not_change_which_runs_are_old(tmp_path: Path) -> None:
    years = (2026, 2036, 2026, 2016, 2026)
    made = [end_run(begin_run(tmp_path, NOW.replace(year=year), None), NOW) for year in years]
    assert scheduled_runs(tmp_path) == made
    point_latest(made[-1])
    assert remove_old_runs(tmp_path, 1) == made[:-1]
    assert (tmp_path / "latest").resolve() == made[-1].folder.resolve()


def test_runs_of_an_earlier_version_have_no_number_and_come_first(tmp_path: Path) -> None:
    made = finished(tmp_path, 11)
    for run in made[:10]:
        record = json.loads((run.folder / "scheduled.json").read_text())
        del record["number"]
        (run.folder / "scheduled.json").write_text(json.dumps(record))
    assert [run.name for run in scheduled_runs(tmp_path)] == [run.name for run in made]


def test_what_a_kill_left_half_done_is_removed_and_is_no_run(tmp_path: Path) -> None:
    (run,) = finished(tmp_path, 1)
    run.folder.rename(tmp_path / f".{run.name}.removed")
    (tmp_path / ".20260105T130000Z.part").mkdir()
    assert scheduled_runs(tmp_path) == []
    remove_old_runs(tmp_path, 5)
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_discarded_is_gone(tmp_path: Path) -> None:
    discard_run(begin_run(tmp_path, NOW, None))
    assert list(tmp_path.iterdir()) == []


def test_latest_is_a_link_that_moves_on_and_replaces_nothing_of_others(tmp_path: Path) -> None:
    first, second = finished(tmp_path, 2)
    for run in (first, second):
        point_latest(run)
        assert (tmp_path / "latest").resolve() == run.folder.resolve()
    assert (tmp_path / "latest").readlink() == Path(second.name)  # the folder may be moved as a whole
    (tmp_path / "latest").unlink()
    (tmp_path / "latest").mkdir()
    with pytest.raises(StateFileError, match="in the way"):
        point_latest(first)
    assert (tmp_path / "latest").is_dir()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "\x00" * 40),
        RECORD % "",
        RECORD % ', "due": null, "began": "yesterday"',
        RECORD % ', "due": null, "began": "2026-01-05T12:00:00"',
        RECORD % ', "due": null, "began": "2026-01-05T12:00:00+00:00", "number": "7"',
        RECORD % ', "due": null, "began": "2026-01-05T12:00:00+00:00", "tries": -1',
        RECORD % ', "due": null, "began": "2026-01-05T12:00:00+00:00", "ended": 5',
    ],
)
def test_a_damaged_record_is_reported_and_its_run_is_ignored(tmp_path: Path, text: str) -> None:
    damaged, whole = finished(tmp_path, 2)
    record = damaged.folder / "scheduled.json"
    record.write_text(text.replace("NAME", damaged.name))
    messages: list[str] = []
    assert scheduled_runs(tmp_path, messages.append) == [whole]
    assert len(messages) == 1
    assert str(record) in messages[0]
    assert remove_old_runs(tmp_path, 1) == []
    assert damaged.folder.is_dir()
