"""The folders of runs: what is one, `latest`, and what is removed."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from harness.schedule import StateError, runs
from harness.schedule.runs import Run, begin, count_try, discard, end, point_latest, remove_old
from harness.schedule.state import State, read_state, write_state

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


def finished(folder: Path, count: int) -> list[Run]:
    return [end(begin(folder, NOW + timedelta(hours=hour), None), NOW) for hour in range(count)]


def test_a_run_is_open_until_it_is_ended(tmp_path: Path) -> None:
    run = begin(tmp_path, NOW, NOW - timedelta(minutes=1))
    assert run.name == "20260105T120000Z"
    assert runs(tmp_path) == [run]
    assert run.open
    tried = count_try(run, 1)
    done = end(tried, NOW)
    assert runs(tmp_path) == [done]
    assert (done.open, done.finished, done.tries) == (False, True, 1)
    assert not end(run, NOW, given_up="why").finished


def test_two_runs_of_one_second_have_two_folders_in_order(tmp_path: Path) -> None:
    made = [begin(tmp_path, NOW, None) for _ in range(11)]
    assert [run.name for run in runs(tmp_path)] == [run.name for run in made]
    assert made[10].name.endswith("Z-11")


def test_the_oldest_finished_runs_are_removed_and_nothing_else(tmp_path: Path) -> None:
    old = finished(tmp_path, 4)
    still_open = begin(tmp_path, NOW - timedelta(days=2), None)
    given_up = end(begin(tmp_path, NOW - timedelta(days=1), None), NOW, given_up="why")
    for other in ("20200101T000000Z", "notes"):  # made by somebody else
        (tmp_path / other).mkdir()
    shutil.copytree(old[0].folder, tmp_path / "20200102T000000Z")
    (tmp_path / "20200103T000000Z").symlink_to(old[0].folder)
    assert remove_old(tmp_path, None) == []
    assert remove_old(tmp_path, 2) == old[:2]
    left = {entry.name for entry in tmp_path.iterdir()}
    assert left == {
        *(run.name for run in (*old[2:], still_open, given_up)),
        *("20200101T000000Z", "20200102T000000Z", "20200103T000000Z", "notes"),
    }


def test_what_a_kill_left_half_done_is_removed_and_is_no_run(tmp_path: Path) -> None:
    (run,) = finished(tmp_path, 1)
    run.folder.rename(tmp_path / f".{run.name}.removed")
    (tmp_path / ".20260105T130000Z.part").mkdir()
    assert runs(tmp_path) == []
    remove_old(tmp_path, 5)
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_discarded_is_gone(tmp_path: Path) -> None:
    discard(begin(tmp_path, NOW, None))
    assert list(tmp_path.iterdir()) == []


def test_latest_is_a_link_that_moves_on_and_replaces_nothing_of_others(tmp_path: Path) -> None:
    first, second = finished(tmp_path, 2)
    for run in (first, second):
        point_latest(run)
        assert (tmp_path / "latest").resolve() == run.folder.resolve()
    assert (tmp_path / "latest").readlink() == Path(second.name)  # the folder may be moved as a whole
    (tmp_path / "latest").unlink()
    (tmp_path / "latest").mkdir()
    with pytest.raises(StateError, match="in the way"):
        point_latest(first)
    assert (tmp_path / "latest").is_dir()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": "conform-scheduled-run/1", "run": "%s"}', "\x00" * 40]
)
def test_a_damaged_record_is_told_and_its_run_passed_over(tmp_path: Path, text: str) -> None:
    damaged, whole = finished(tmp_path, 2)
    record = damaged.folder / "scheduled.json"
    record.write_text(text.replace("%s", damaged.name))
    told: list[str] = []
    assert runs(tmp_path, told.append) == [whole]
    assert len(told) == 1
    assert str(record) in told[0]
    assert remove_old(tmp_path, 1) == []
    assert damaged.folder.is_dir()


def test_the_state_is_what_was_written(tmp_path: Path) -> None:
    assert read_state(tmp_path) is None
    state = State(NOW, "20260105T120000Z", "then", "undecided")
    write_state(tmp_path, state)
    assert read_state(tmp_path) == state
    assert [file.name for file in tmp_path.iterdir()] == ["schedule.json"]


@pytest.mark.parametrize(
    "change", [{"handled": "soon"}, {"handled": "2026-01-05T12:00:00"}, {"extra": 1}, {"format": "x/2"}]
)
def test_a_damaged_state_says_what_to_do(tmp_path: Path, change: dict[str, object]) -> None:
    write_state(tmp_path, State(NOW))
    path = tmp_path / "schedule.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(StateError, match=r"schedule\.json: is .*; remove it to begin anew"):
        read_state(tmp_path)
