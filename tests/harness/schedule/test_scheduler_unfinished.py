"""An operator finishes a run that was stopped, plays a new one first, or gives the run up."""

import csv
import errno
import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from harness.arena.folder.scheduled_run import scheduled_runs
from harness.schedule import drop_open_runs
from harness.schedule.state import overview
from tests.command_line import conform
from tests.harness.arena.match_helpers import PROGRAM
from tests.harness.schedule.scheduler_helpers import (
    HANGING,
    INSTANT,
    LONG,
    SCHEDULE,
    Setting,
    at,
    config,
    make_config,
    start,
    stored,
    wait_until,
)

HOURLY = make_config()
FIRST, SECOND = "20260105T130000Z", "20260105T133000Z"


@pytest.fixture
def stopped(tmp_path: Path) -> Setting:
    """A scheduler that was stopped in the run of 13:00; it is 13:30 now."""
    setting = Setting(tmp_path / "reports")
    setting.fails = lambda config: setting.stop.ask()
    setting.keep_running(HOURLY, until=at(23))
    setting.fails = lambda config: None
    setting.clock.time = at(13, 30)
    return setting


def states(setting: Setting) -> list[tuple[str, str]]:
    """Each run with its state, oldest first."""
    return [
        (run.name, "open" if run.open else "given up" if run.given_up else "finished")
        for run in scheduled_runs(setting.reports / "nightly")
    ]


def test_a_new_run_comes_first_and_the_stopped_one_is_finished_after_it(stopped: Setting) -> None:
    seen: list[int] = []
    stopped.fails = lambda config: seen.append(config.run.games)
    stopped.keep_running(make_config(games=8), until=at(13, 50), new=True)
    assert seen == [8, 2]
    assert states(stopped) == [(FIRST, "finished"), (SECOND, "finished")]
    folder = stopped.reports / "nightly"
    assert (folder / "latest").readlink() == Path(SECOND)  # the newest run, though another ended later
    with (folder / "history.csv").open(newline="") as file:
        assert [row["run"] for row in csv.DictReader(file)] == [FIRST, FIRST, SECOND, SECOND]


def test_of_two_stopped_runs_the_newer_one_is_finished_first_and_then_the_older(stopped: Setting) -> None:
    stopped.fails = lambda config: stopped.stop.ask()
    stopped.keep_running(make_config(games=8), until=at(23), new=True)
    assert states(stopped) == [(FIRST, "open"), (SECOND, "open")]
    seen: list[int] = []
    stopped.fails = lambda config: seen.append(config.run.games)
    stopped.clock.time = at(13, 40)
    stopped.keep_running(HOURLY, until=at(13, 55))
    assert seen == [8, 2]
    assert states(stopped) == [(FIRST, "finished"), (SECOND, "finished")]


def test_an_edited_config_is_named_with_what_can_be_done(stopped: Setting) -> None:
    edited = make_config(games=8, cron="30 * * * *")
    assert "; changed since then: [run] games: 2 became 8" in "\n".join(
        overview(edited, stopped.reports / "nightly", 1)
    )
    stopped.keep_running(edited, until=at(13, 50))
    (line,) = [line for line in stopped.log.lines if "the config has changed" in line]
    assert f"since run {FIRST} began: [run] games: 2 became 8." in line
    assert "cron" not in line  # new times hold at once
    assert "--new" in line
    assert "--drop" in line


def test_a_config_that_is_the_same_is_not_reported_as_edited(stopped: Setting) -> None:
    stopped.keep_running(make_config(workers=3), until=at(13, 50))
    assert stopped.log.count("the config has changed") == 0
    assert states(stopped) == [(FIRST, "finished")]


def test_a_run_with_another_command_waits_until_the_command_is_back(stopped: Setting) -> None:
    stopped.keep_running(make_config(command=f"{INSTANT} --other"), until=at(15, 30))
    assert stopped.times() == ["05 13:00", "05 14:00", "05 15:00"]  # new runs are played
    assert stopped.log.count(f"run {FIRST} is not continued, because in the config no [[engine]]") == 1
    assert states(stopped)[0] == (FIRST, "open")
    stopped.keep_running(HOURLY, until=at(15, 40))
    assert stopped.log.count(f"run {FIRST} continues where it was stopped") == 1
    assert states(stopped)[0] == (FIRST, "finished")


def test_a_run_that_was_given_up_is_not_continued_and_keeps_its_store(stopped: Setting) -> None:
    folder = stopped.reports / "nightly"
    assert [run.name for run in drop_open_runs(folder, at(13, 30))] == [FIRST]
    assert states(stopped) == [(FIRST, "given up")]
    assert (folder / FIRST / "run.db").is_file()
    lines = "\n".join(overview(HOURLY, folder, 1))
    assert f"last  {FIRST}, 2026-01-05T13:30:00+00:00: given up on request" in lines
    assert "  open  " not in lines
    stopped.keep_running(make_config(keep=1), until=at(15, 30))
    assert stopped.times() == ["05 13:00", "05 14:00", "05 15:00"]
    assert states(stopped) == [(FIRST, "given up"), ("20260105T150000Z", "finished")]
    assert drop_open_runs(folder, at(15, 30)) == []


def test_a_run_in_play_cannot_be_given_up_and_a_stopped_one_can(tmp_path: Path) -> None:
    path, folder = config(tmp_path, command=HANGING), tmp_path / "reports/nightly"
    nothing = conform("schedule", path, "--drop", cwd=tmp_path)
    assert (nothing.returncode, nothing.stderr) == (0, "")
    assert "nightly: no run is unfinished" in nothing.stdout
    assert not folder.exists()
    process = start(path, "--once", cwd=tmp_path)
    wait_until(process, lambda: any(folder.glob("2*Z/run.db")))
    refused = conform("schedule", path, "--drop", cwd=tmp_path)
    assert refused.returncode == 2
    assert f"another conform uses this folder (process {process.pid})" in refused.stderr
    process.send_signal(signal.SIGTERM)
    process.communicate()
    (run,) = scheduled_runs(folder)
    assert run.open
    dropped = conform("schedule", path, "--drop", cwd=tmp_path)
    assert (dropped.returncode, dropped.stderr) == (0, "")
    assert f"run {run.name} is given up; its games are kept in " in dropped.stdout
    assert [(run.open, run.given_up) for run in scheduled_runs(folder)] == [(False, "on request")]


@pytest.mark.parametrize("other", ["--once", "--new", "--list", "--history", "--print-systemd"])
def test_to_give_up_is_all_that_a_command_does(tmp_path: Path, other: str) -> None:
    ended = conform("schedule", config(tmp_path), "--drop", other, cwd=tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert not (tmp_path / "reports").exists()


@pytest.mark.slow  # it plays some thousand games; the order of the runs is tested above
def test_a_new_run_beside_one_that_was_killed_loses_no_game_of_either(tmp_path: Path) -> None:
    path, folder = config(tmp_path, games=LONG), tmp_path / "reports/nightly"
    process = start(path, "--once", cwd=tmp_path)
    wait_until(process, lambda: len(stored(folder)) > 20)
    process.kill()
    process.communicate()
    path = config(tmp_path, games=4)
    assert conform("schedule", path, "--once", "--new", "-q", cwd=tmp_path).returncode == 3
    first, second = scheduled_runs(folder)
    assert (first.open, second.finished) == (True, True)
    ended = conform("schedule", path, "--once", cwd=tmp_path)
    assert ended.returncode in (0, 1, 3), ended.stderr
    assert f"since run {first.name} began: [run] games: {LONG} became 4." in ended.stderr
    assert [run.finished for run in scheduled_runs(folder)] == [True, True]
    games = [f"p001-g{number:05d}" for number in range(1, LONG + 1)]
    assert sorted(stored(folder)) == sorted([*games, *games[:4]])


def read_until(terminal: int, part: bytes) -> bytes:
    """Read the output on a terminal, up to this part or to the end of the process."""
    shown = b""
    while part not in shown:
        try:
            data = os.read(terminal, 4096)
        except OSError as error:
            if error.errno == errno.EIO:  # no process has it open any more
                break
            raise
        if not data:
            break
        shown += data
    return shown


def test_a_terminal_has_a_line_with_the_progress_and_a_log_file_has_none(tmp_path: Path) -> None:
    path = config(tmp_path, command=HANGING, rest=SCHEDULE)
    terminal, other_end = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 70, 0, 0))
    process = subprocess.Popen([*PROGRAM, "schedule", str(path), "--new"], stderr=other_end, cwd=tmp_path)
    os.close(other_end)
    shown = read_until(terminal, b"of 2 games").decode()
    process.send_signal(signal.SIGTERM)
    shown += read_until(terminal, b"never shown").decode()
    os.close(terminal)
    assert process.wait() == 130
    lines = [line.removeprefix("\x1b[K") for line in shown.replace("\n", "\r").split("\r")]
    progress = [line for line in lines if "of 2 games" in line]
    assert progress[0].startswith("nightly: 0 of 2 games; next nightly 20")
    assert all(len(line) < 70 for line in progress)
    assert lines[-1] == ""  # it is erased at the end

    with (tmp_path / "log").open("wb") as log:
        words = [*PROGRAM, "schedule", str(path), "--once"]
        logged = subprocess.Popen(words, stderr=log, cwd=tmp_path, text=True)
        wait_until(logged, lambda: b"continues" in (tmp_path / "log").read_bytes())
        logged.send_signal(signal.SIGTERM)
        assert logged.wait() == 130
    assert not {*b"\r\x1b"} & {*(tmp_path / "log").read_bytes()}
