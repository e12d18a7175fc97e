"""`conform status` on runs that run, were stopped or killed, and on files that others wrote."""

import json
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from harness.arena.folder.scheduled_run import begin_run
from harness.arena.store.store import Store
from harness.cli.status import _json_data, _lines, read_newest
from harness.report.status.phase import STORED
from harness.report.status.record import this_process
from harness.report.status.run import FILE, parse_run_status
from harness.report.status.stored import stored_status
from harness.serve.places import Finder, Kind, Place
from harness.serve.reading import Reader, Reading
from tests.command_line import conform
from tests.harness.arena.match_helpers import count
from tests.harness.report.hostile_status import run_status
from tests.harness.schedule.scheduler_helpers import START
from tests.harness.serve.serve_helpers import hostile_run, start_match, stored, until


def status(*words: object) -> str:
    ended = conform("status", *words)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    return ended.stdout


def entries(folder: Path) -> list[dict[str, Any]]:
    """What --json prints, without a process."""
    data = _json_data(folder, read_newest(folder)[0])
    found: list[dict[str, Any]] = json.loads(json.dumps(data))["entries"]
    return found


def one(folder: Path) -> Any:
    """The only entry below the folder, None while there is none."""
    found = entries(folder)
    assert len(found) < 2
    return found[0] if found else None


@pytest.mark.slow
def test_a_run_is_seen_running_with_boards_then_killed_then_continued_to_its_end(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "slow"
    match = start_match(run)
    try:
        first = until(lambda: (seen := one(run.parent)) and seen["run"] and seen["run"]["boards"] and seen)
        assert first["state"] == "running"
        assert first["run"]["total"] == 200
        board = first["run"]["boards"][0]
        assert len(board["stones"]) == 25
        assert {board["black"], board["white"]} == {"one", "two"}
        until(lambda: (seen := one(run.parent))["run"]["done"] > first["run"]["done"] and seen)
        assert "running     slow" in status(run.parent)
        assert json.loads(status(run.parent, "--json"))["entries"][0]["state"] == "running"
    finally:
        os.killpg(match.pid, signal.SIGKILL)
        match.wait()
    assert one(run.parent)["state"] == "broken off"
    games = count(run)
    again = start_match(run, games=games + 2 + games % 2, workers=1)
    assert again.wait() == 3  # so few games decide nothing
    ended = one(run.parent)
    assert (ended["state"], ended["run"]["boards"]) == ("complete", [])
    assert ended["run"]["done"] == ended["run"]["judged"] == count(run)
    assert "complete    slow" in status(run)


@pytest.mark.slow
def test_a_stopped_run_says_that_it_can_be_continued(tmp_path: Path) -> None:
    run = tmp_path / "slow"
    match = start_match(run)
    until(lambda: count(run) > 1)
    os.killpg(match.pid, signal.SIGINT)
    assert match.wait() == 130
    assert one(run)["state"] == "stopped"
    assert "The same command continues it." in status(run)


def test_a_run_without_a_status_is_read_from_its_store(tmp_path: Path) -> None:
    stored(tmp_path / "old")
    text = status(tmp_path)
    assert "12 of 12 games" in text
    assert "one - two" in text
    assert "failed: 1 × crash" in text
    assert not (tmp_path / "old" / FILE).exists()


@pytest.mark.parametrize("length", [0, 1, 50, 700])
def test_a_status_that_is_cut_anywhere_is_read_from_the_store(tmp_path: Path, length: int) -> None:
    stored(tmp_path / "run")
    with Store.open(tmp_path / "run", read_only=True) as store:
        whole = stored_status(store)
    assert whole is not None
    text = whole.model_dump_json()
    assert parse_run_status(text.encode()) == whole
    (tmp_path / "run" / FILE).write_text(text[:length])
    entry = one(tmp_path)
    assert entry["run"]["done"] == 12
    assert "is damaged" in entry["problem"]


@pytest.mark.parametrize(
    "text",
    [b"\x00" * 1000, b"[" * 100_000, b'{"format":"conform-status/1"}', b"NaN", b'"\xff"', b"9" * 10_000],
)
def test_files_of_others_are_reported_and_end_nothing(tmp_path: Path, text: bytes) -> None:
    stored(tmp_path / "good")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / FILE).write_bytes(text)
    (tmp_path / "b" / "run.db").write_bytes(text)
    (tmp_path / "report.json").write_bytes(b'{"format": "conform-check/1", ' + text)
    (tmp_path / "late.json.live").write_bytes(text)
    states = sorted(entry["state"] for entry in entries(tmp_path))
    assert states == ["complete", "unreadable", "unreadable", "unreadable", "unreadable"]


def test_the_problems_of_a_folder_are_printed_alone_and_counted(tmp_path: Path) -> None:
    for name in ("good", "halted", "bad"):
        stored(tmp_path / name)
    assert status(tmp_path, "--problems") == "no problem, of 3 entries\n"
    with Store.open(tmp_path / "halted", read_only=True) as store:
        whole = stored_status(store)
    assert whole is not None
    halted = whole.model_copy(update={"state": "stopped", "writer": this_process()})
    (tmp_path / "halted" / FILE).write_text(halted.model_dump_json())
    (tmp_path / "bad" / "run.db").write_bytes(b"not a database" * 100)
    lines = status(tmp_path, "--problems").splitlines()
    assert [line.split()[:2] for line in lines if not line.startswith(" ")] == [
        ["stopped", "halted"],
        ["unreadable", "bad"],
        ["1", "stopped,"],
    ]
    assert lines[-1] == "1 stopped, 1 unreadable, of 3 entries"
    (tmp_path / "good" / FILE).write_text("{")
    last = status(tmp_path, "--problems").splitlines()[-1]
    assert last == "1 with a damaged status.json, 1 stopped, 1 unreadable, of 3 entries"
    (tmp_path / "good" / FILE).unlink()
    found = json.loads(status(tmp_path, "--problems", "--json"))["entries"]
    assert [entry["state"] for entry in found] == ["stopped", "unreadable"]


def test_names_act_nowhere_and_lines_fit(tmp_path: Path) -> None:
    stored(tmp_path / "run")
    hostile_run(tmp_path / "run")
    text = status(tmp_path)
    assert "<script>" in text
    assert all(line.isprintable() for line in text.splitlines())
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("width", [60, 80, 200])
def test_lines_fit_the_terminal(tmp_path: Path, width: int) -> None:
    stored(tmp_path / "a folder with a long name that goes on and on" / "run", ["o" * 60, "two", "t" * 59])
    lines = list(_lines(tmp_path, read_newest(tmp_path)[0], width))
    assert max(map(len, lines)) <= width
    assert any("o" * 30 in line for line in lines)


def test_links_hidden_folders_and_games_are_not_searched(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    stored(outside / "run")
    stored(inside / "deep" / "er" / "run")
    shutil.copytree(inside / "deep" / "er" / "run", inside / ".removed")
    shutil.copytree(inside / "deep" / "er" / "run", inside / "sgf" / "run")
    (inside / "latest").symlink_to(inside / "deep" / "er" / "run")
    (inside / "elsewhere").symlink_to(outside)
    (inside / "file.json").symlink_to(outside / "run" / "run.db")
    places = list(Finder(inside).find().values())
    assert [(place.kind, place.name) for place in places] == [(Kind.MATCH, "deep/er/run")]


def test_a_run_that_is_deleted_is_gone(tmp_path: Path) -> None:
    stored(tmp_path / "run")
    (place,) = Finder(tmp_path).find().values()
    reader = Reader()
    assert reader.read(place) is not None
    shutil.rmtree(tmp_path / "run")
    assert reader.read(place) is None
    assert Finder(tmp_path).find() == {}


def test_the_result_without_pairs_begins_with_the_failures(tmp_path: Path) -> None:
    status = run_status("bot").model_copy(update={"pairs": ()})
    reading = Reading(Place(Kind.MATCH, tmp_path, "run"), STORED, run=status)
    assert reading.result == "2 games failed"


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    ended = conform("status", tmp_path / "none")
    assert ended.returncode == 2
    assert "is not a folder" in ended.stderr
    assert "nothing has run below" in status(tmp_path)


def test_the_runs_of_a_schedule_are_found_also_in_the_folder_of_a_match(tmp_path: Path) -> None:
    for name in ("nightly", "nightly/20260105T130000Z", "other", "other/sgf-of-mine"):
        stored(tmp_path / name)
    (tmp_path / "nightly" / "history.csv").write_text("")
    found = {(place.kind, place.name) for place in Finder(tmp_path).find().values()}
    assert found == {
        (Kind.MATCH, "nightly"),
        (Kind.HISTORY, "nightly"),
        (Kind.MATCH, "nightly/20260105T130000Z"),
        (Kind.MATCH, "other"),
    }


@pytest.mark.parametrize("command", ["report", "verify", "audit"])
def test_a_command_about_a_run_names_one_for_the_folder_of_a_schedule(tmp_path: Path, command: str) -> None:
    begin_run(tmp_path, START, None)
    ended = conform(command, tmp_path)
    assert ended.returncode == 2
    assert f"is the folder of a schedule: name one of its runs, such as {tmp_path}/20260105" in ended.stderr


def test_a_report_names_what_it_wrote_and_where(tmp_path: Path) -> None:
    stored(tmp_path / "run")
    ended = conform("report", tmp_path / "run", "--format", "csv", "--out", tmp_path / "out")
    assert ended.stdout.splitlines()[-1] == f"wrote csv into {tmp_path / 'out'}"
    assert (tmp_path / "out" / "games.csv").is_file()
