"""`conform schedule` as an operator meets it: real processes, stopped and killed, and bad input."""

import contextlib
import csv
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import psutil
import pytest

from harness.arena.folder.scheduled_run import scheduled_runs
from harness.arena.store.store import Store
from harness.schedule.state import State, write_state
from tests import command_line
from tests.command_line import Done
from tests.harness.arena.match_helpers import PATIENCE, PROGRAM
from tests.harness.schedule.scheduler_helpers import (
    ENGINES,
    HANGING,
    LONG,
    config,
    start,
    stored,
    wait_until,
)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Every test ends with the processes that it began with; what a killed one leaves ends by itself."""
    before = children()
    yield
    _, left = psutil.wait_procs(
        [process for process in children() if process not in before], timeout=PATIENCE
    )
    assert left == []


def children() -> list[psutil.Process]:
    """The processes below this one, except the helper of multiprocessing, which stays as long as this one."""
    mine = psutil.Process()
    helpers = [
        child for child in mine.children() if any("resource_tracker" in word for word in words_of(child))
    ]
    return [child for child in mine.children(recursive=True) if child not in helpers]


def words_of(process: psutil.Process) -> list[str]:
    """The command line of a process; empty if it has ended."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.cmdline()
    return []


def conform(*words: object, cwd: Path) -> Done:
    return command_line.conform("schedule", *words, cwd=cwd)


def test_once_plays_one_run_of_each_and_leaves_its_files(tmp_path: Path) -> None:
    paths = [config(tmp_path, name) for name in ("one", "two")]
    ended = conform(*paths, "--once", cwd=tmp_path)
    assert ended.returncode == 3, ended.stderr  # two games decide nothing
    assert ended.stdout == ""
    for name in ("one", "two"):
        folder = tmp_path / "reports" / name
        (run,) = scheduled_runs(folder)
        assert run.finished
        assert (folder / "latest").readlink() == Path(run.name)
        assert {file.name for file in run.folder.iterdir()} == {
            *("run.db", "run.lock", "scheduled.json", "status.json", "games.csv", "searches.csv"),
            *("standings.csv", "parity.csv", "playouts.csv", "audit.csv", "diagnosis.csv"),
        }
        with (folder / "history.csv").open(newline="") as file:
            assert [(row["run"], row["bot"], row["games"]) for row in csv.DictReader(file)] == [
                (run.name, "a", "2"),
                (run.name, "b", "2"),
            ]
    lines = ended.stderr.splitlines()
    assert len(lines) == 4  # begun and complete, of each
    for line in lines:
        assert datetime.fromisoformat(line.split()[0]).tzinfo is not None


def test_the_exit_code_is_that_of_the_run(tmp_path: Path) -> None:
    failing = shlex.join([sys.executable, "-S", "-E", str(ENGINES / "hostile.py"), "die", "--at", "8"])
    ended = conform(config(tmp_path, command=failing), "--once", "-q", cwd=tmp_path)
    assert ended.returncode == 1, ended.stderr
    assert re.search(r"complete: 2 games; failed: [ab]", ended.stderr)
    missing = conform(config(tmp_path, "other", command="./no-such-bot"), "--once", cwd=tmp_path)
    assert missing.returncode == 2
    assert missing.stderr.count("cannot start './no-such-bot'") == 2  # of both bots at once
    listed = conform(config(tmp_path, "other", command="./no-such-bot"), "--list", cwd=tmp_path)
    assert listed.returncode == 2
    assert "  problem  engine 'a': cannot start './no-such-bot'" in listed.stdout
    by_hand = command_line.conform("match", config(tmp_path), "--out", "reports/nightly", cwd=tmp_path)
    assert by_hand.returncode == 2
    assert "reports/nightly is the folder of a schedule: name another one" in by_hand.stderr
    assert scheduled_runs(tmp_path / "reports/other") == []


@pytest.mark.slow
def test_sigterm_ends_it_and_the_next_start_goes_on_with_every_game_once(tmp_path: Path) -> None:
    path, folder = config(tmp_path, games=LONG), tmp_path / "reports/nightly"
    folder.mkdir(parents=True)
    write_state(folder, State(datetime.now(UTC) - timedelta(days=400)))
    process = start(path, cwd=tmp_path)  # a year was missed: a run makes up for it at once
    wait_until(process, lambda: len(stored(folder)) > 10)
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate()
    assert process.returncode == 130, log
    assert "one run makes up for it" in log
    assert "stopped; the next start continues it" in log
    open_run = next(run for run in scheduled_runs(folder) if run.open)
    before = len(stored(folder))
    assert before < LONG
    listed = conform(path, "--list", cwd=tmp_path)
    assert f"open  {open_run.name}" in listed.stdout
    again = start(path, cwd=tmp_path)
    wait_until(again, lambda: not any(run.open for run in scheduled_runs(folder)))
    again.send_signal(signal.SIGTERM)
    _, log = again.communicate()
    assert again.returncode == 130, log
    assert f"run {open_run.name} continues where it was stopped" in log
    with Store.open(open_run.folder, read_only=True) as store:
        games = [game.game_id for game in store.games()]
    assert games == [f"p001-g{number:05d}" for number in range(1, LONG + 1)]


def more_games_than(games: int, folder: Path) -> bool:
    return len(stored(folder)) > games


@pytest.mark.slow  # test_match_runner kills matches, which is the same code
def test_sigkill_in_mid_run_and_the_next_start_goes_on_with_every_game_once(tmp_path: Path) -> None:
    path, folder = config(tmp_path, games=LONG), tmp_path / "reports/nightly"
    for kill in range(3):
        process = start(path, "--once", cwd=tmp_path)
        seen = len(stored(folder))
        wait_until(process, partial(more_games_than, seen + 20, folder))
        process.kill()
        process.communicate()
        assert len(stored(folder)) < LONG, f"too late to kill it, {kill}"
    ended = conform(path, "--once", cwd=tmp_path)
    assert ended.returncode in (0, 1, 3), ended.stderr
    (run,) = scheduled_runs(folder)
    assert run.finished
    assert stored(folder) == [f"p001-g{number:05d}" for number in range(1, LONG + 1)]
    assert len((run.folder / "games.csv").read_text().splitlines()) == LONG + 1


def test_ctrl_c_while_it_waits_ends_it_at_once(tmp_path: Path) -> None:
    process = start(config(tmp_path), cwd=tmp_path)
    assert process.stderr is not None
    assert "next at" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 130


def test_sigterm_drops_a_game_that_would_take_long(tmp_path: Path) -> None:
    path = config(tmp_path, command=HANGING)
    process = start(path, "--once", cwd=tmp_path)
    me = psutil.Process(process.pid)
    wait_until(process, lambda: any("hostile.py" in line for line in command_lines(me)))
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == 130
    assert [run.open for run in scheduled_runs(tmp_path / "reports/nightly")] == [True]


def living(process: psutil.Process) -> Iterator[psutil.Process]:
    for child in process.children(recursive=True):
        if child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
            yield child


def command_lines(process: psutil.Process) -> Iterator[str]:
    for child in living(process):
        yield " ".join(words_of(child))


def test_a_second_process_is_reported_that_one_runs_the_config(tmp_path: Path) -> None:
    path = config(tmp_path, command=HANGING)
    process = start(path, "--once", cwd=tmp_path)
    wait_until(process, lambda: any((tmp_path / "reports/nightly").glob("2*Z/run.db")))
    second = conform(path, "--once", cwd=tmp_path)
    assert second.returncode == 2
    assert f"another conform uses this folder (process {process.pid})" in second.stderr
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert len(scheduled_runs(tmp_path / "reports/nightly")) == 1


@pytest.mark.parametrize("option", ["", "--list", "--print-systemd"])
def test_a_config_without_times_is_refused(tmp_path: Path, option: str) -> None:
    ended = conform(config(tmp_path, rest=""), *option.split(), cwd=tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "nightly.toml: has no [schedule]; add one" in ended.stderr
    assert not (tmp_path / "reports").exists()


def test_mistakes_of_several_configs_are_reported_at_once(tmp_path: Path) -> None:
    one = config(tmp_path, "one")
    (tmp_path / "two").mkdir()
    two = config(tmp_path / "two", "one")
    wrong = config(tmp_path, "wrong", rest='[schedule]\ncron = "99 * * * *"\n')
    ended = conform(one, two, wrong, tmp_path / "none.toml", cwd=tmp_path)
    assert ended.returncode == 2
    assert "two/one.toml: [run] name: 'one' is also the name of another config here" in ended.stderr
    assert "[schedule] cron: is not a cron time: minute: '99' is not valid: expected 0 to 59" in ended.stderr
    assert "none.toml: cannot be read" in ended.stderr
    assert ended.stderr.count("\n") == 3
    assert not (tmp_path / "reports").exists()


def test_two_ways_at_once_are_refused(tmp_path: Path) -> None:
    ended = conform(config(tmp_path), "--once", "--list", cwd=tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)


def test_a_damaged_state_is_one_line(tmp_path: Path) -> None:
    path, folder = config(tmp_path), tmp_path / "reports/nightly"
    conform(path, "--once", "-q", cwd=tmp_path)
    (folder / "schedule.json").write_text("{")
    for words in ([path], [path, "--once"], [path, "--list"]):
        ended = conform(*words, cwd=tmp_path)
        assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
        assert "schedule.json: is damaged; remove it to start afresh" in ended.stderr
    assert (folder / "schedule.json").read_text() == "{"


def test_reports_that_cannot_be_written_are_one_line(tmp_path: Path) -> None:
    path = config(tmp_path)
    (tmp_path / "file").write_text("")
    ended = conform(path, "--reports", tmp_path / "file", cwd=tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "file/nightly: cannot be written: not a directory" in ended.stderr
    if os.geteuid() == 0:
        target = tmp_path / "read-only"
        target.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", "ro,size=64k", "conform-test", str(target)]
        if subprocess.run(words, capture_output=True, check=False).returncode:
            return
    else:
        (target := tmp_path / "read-only").mkdir(mode=0o555)
    try:
        ended = conform(path, "--reports", target, cwd=tmp_path)
    finally:
        subprocess.run(["umount", target], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "read-only/nightly: cannot be written" in ended.stderr


@pytest.mark.slow
def test_a_disk_that_fills_up_costs_nothing_that_is_stored(tmp_path: Path) -> None:
    path, folder = config(tmp_path, games=LONG), tmp_path / "reports/nightly"
    full = subprocess.run(
        [*PROGRAM, "schedule", str(path), "--once"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if "COVERAGE" not in name},  # it needs room
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
    )
    assert full.returncode == 2, full.stderr
    assert "run.db: " in full.stderr
    assert "stays open and is tried again" in full.stderr
    assert "Traceback" not in full.stderr
    games = len(stored(folder))
    assert 0 < games < LONG
    assert conform(path, "--once", "-q", cwd=tmp_path).returncode in (0, 1, 3)
    assert stored(folder) == [f"p001-g{number:05d}" for number in range(1, LONG + 1)]


def test_the_history_is_written_again_on_demand(tmp_path: Path) -> None:
    path, history = config(tmp_path), tmp_path / "reports/nightly/history.csv"
    for _ in range(2):
        conform(path, "--once", "-q", cwd=tmp_path)
    before = history.read_bytes()
    history.unlink()
    ended = conform(path, "--history", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "written from 2 runs" in ended.stdout
    # Seconds a move come from the same stored figures: the file is the same to the byte.
    assert history.read_bytes() == before
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("harness.report.text.progress_line.LINE_SECONDS", 0.0)
        lines = conform(path, "--history", cwd=tmp_path).stderr.splitlines()
    assert lines == ["nightly: 0 of 2 runs read", "nightly: 1 of 2 runs read"]
    nowhere = conform(path, "--history", "--reports", tmp_path / "no", cwd=tmp_path)
    assert (nowhere.returncode, nowhere.stderr.count("\n")) == (2, 1)


def test_the_list_has_times_in_the_zone_of_the_config(tmp_path: Path) -> None:
    path = config(tmp_path, rest='[schedule]\ncron = "0 12 * * *"\ntimezone = "Asia/Tokyo"\n')
    ended = conform(path, "--list", cwd=tmp_path)
    assert ended.returncode == 0
    assert ended.stdout.count(" 12:00 JST") == 5
    assert not (tmp_path / "reports").exists()


def test_units_name_the_program_and_the_files_by_their_whole_paths(tmp_path: Path) -> None:
    path = config(tmp_path, rest='[schedule]\ncron = "0 12 * * *"\n')
    program = Path(sys.executable).with_name("conform")
    printed = subprocess.run(
        [program, "schedule", path.name, "--print-systemd", "--workers", "3"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    ).stdout
    (line,) = [line for line in printed.splitlines() if line.startswith("ExecStart=")]
    words = shlex.split(line.removeprefix("ExecStart="))
    assert words[0] == str(program.resolve())
    assert words[1:] == [
        *("schedule", str(path), "--reports", str(tmp_path / "reports"), "--workers", "3", "--once")
    ]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "bots"), [("gauntlet", 3), ("nightly", 3), ("quick", 2)])
def test_the_configs_that_come_with_the_package_run_once(name: str, bots: int, tmp_path: Path) -> None:
    subprocess.run([*PROGRAM, "init", str(tmp_path)], check=True, capture_output=True)
    path = tmp_path / f"{name}.toml"
    text = path.read_text()
    # The limits leave time to compile kernels on a busy machine.
    for key, value in (("playouts", 2), ("games", 2), ("size", 5), ("timeout", 3000)):
        text = re.sub(rf"^{key} = \d+", f"{key} = {value}", text, flags=re.MULTILINE)
    text = re.sub(r"^startup = .*\n", "", text, flags=re.MULTILINE)
    text = text.replace("[[engine]]\n", "[[engine]]\nstartup = 3000\n")
    path.write_text(text.replace("refbot gtp", "refbot gtp --seed 1"))  # no verdict by chance
    listed = conform(path, "--list", cwd=tmp_path)
    assert listed.stdout.count("  next  ") == (0 if name == "quick" else 5)  # quick has no [schedule]
    ended = conform(path, "--once", "--workers", "1", cwd=tmp_path)
    assert ended.returncode == 3, ended.stderr
    with (tmp_path / "reports" / name / "history.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == bots


def test_a_config_without_times_can_be_played_once(tmp_path: Path) -> None:
    ended = conform(config(tmp_path, rest=""), "--once", "-q", cwd=tmp_path)
    assert ended.returncode == 3, ended.stderr
    assert [run.finished for run in scheduled_runs(tmp_path / "reports/nightly")] == [True]


@pytest.mark.slow  # three starts, two of them with a local cluster
def test_a_schedule_on_a_cluster_plays_its_runs_there(tmp_path: Path) -> None:
    path = config(tmp_path)
    ended = conform(path, "--once", "--cluster", "local", cwd=tmp_path)
    assert ended.returncode == 3, ended.stderr
    assert len(stored(tmp_path / "reports" / "nightly")) == 2
    missing = conform(
        config(tmp_path, "other", command="./no-such-bot"), "--once", "--cluster", "local", cwd=tmp_path
    )
    assert missing.returncode == 2
    assert re.search(r"problem: worker tls://.* engine 'a': cannot start './no-such-bot'", missing.stderr)
    units = conform(path, "--print-systemd", "--cluster", "tcp://host:8786", cwd=tmp_path)
    assert "--cluster tcp://host:8786" in units.stdout
