"""`--cluster` of commands other than match: the results of one machine, and one line if it fails."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from harness.check.model import Outcome
from harness.check.phases.settings import RunSettings
from harness.cli import bot_checker, seeds
from harness.gtp import Launch
from harness.remote.check import check_on
from harness.remote.packing import pack, unpack
from harness.suite.registry import CHECKS, checks_on, select
from tests.command_line import conform
from tests.harness.arena.match_helpers import ENGINES, PROGRAM, wait_for_no_engines
from tests.harness.tasks.cluster_helpers import scheduler, workers_of
from tests.interpreter import PYTHON

TIMES = ("started", "seconds")
RIGHT = shlex.join([sys.executable, str(ENGINES / "pure_bot.py"), "--playouts", "20", "--seed", "3"])
DOCILE = shlex.join([sys.executable, str(ENGINES / "instant.py")])
"""A bot that takes every move for legal."""
WRONG = shlex.join(
    [sys.executable, str(ENGINES / "wrong_bots.py"), "own-stones-first", "--playouts", "20", "--seed", "3"]
)
FEW = ("--only", "gtp.setup.komi", "--only", "game.suicide.*", "--jobs", "1")


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def report(path: Path) -> Any:
    return without_times(json.loads(path.read_text()))


def gated(folder: Path, name: str) -> str:
    """A right bot that answers as soon as there is a file `go`, and says before that it was started."""
    script = folder / f"{name}.sh"
    script.write_text(
        f"touch {folder}/{name}.begun\nwhile ! test -e {folder}/go; do sleep 0.05; done\nexec {RIGHT}\n"
    )
    return f"/bin/sh {script}"


def started(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PROGRAM, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def wait_for(process: subprocess.Popen[str], *paths: Path) -> None:
    while not all(path.exists() for path in paths):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


class PoolHere:
    """Stands in for the workers of a cluster; test_tasks.py has real ones in every run."""

    def each(
        self, job: Callable[[bytes], bytes], tasks: list[bytes], _: object
    ) -> Iterator[tuple[int, bytes]]:
        for place in reversed(range(len(tasks))):
            yield place, job(tasks[place])


@pytest.mark.parametrize("real", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_check_on_a_cluster_reports_what_it_does_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, real: bool
) -> None:
    if not real:
        monkeypatch.setattr(bot_checker, "cluster_workers", lambda *_: nullcontext(PoolHere()))
    here, there, logs = tmp_path / "here.json", tmp_path / "there.json", tmp_path / "logs"
    alone = conform("check", RIGHT, DOCILE, *FEW, "--json", here)
    on_cluster = conform(
        *("check", RIGHT, DOCILE, *FEW, "--json", there, "--cluster", "local", "--transcript", logs)
    )
    assert alone.returncode == on_cluster.returncode, on_cluster.stderr
    assert report(here) == report(there)
    assert f"{RIGHT}: conforms, " in on_cluster.stdout
    assert "2 of 2 bots checked" in on_cluster.stdout
    assert list(logs.rglob("*"))


@pytest.mark.slow  # test_tasks.py has the tasks of a lost worker
def test_a_bot_whose_worker_is_lost_is_checked_again(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    process = started(
        *("check", gated(tmp_path, "a"), gated(tmp_path, "b"), "--only", "gtp.setup.*", "--startup", "1h"),
        *("--cluster", "local", "--json", path),
    )
    wait_for(process, tmp_path / "a.begun", tmp_path / "b.begun")
    workers_of(process.pid)[0].send_signal(signal.SIGKILL)
    (tmp_path / "go").touch()
    text, _ = process.communicate()
    assert process.returncode == 0, text
    assert "was lost; its work is done again" in text
    assert [bot["verdict"] for bot in report(path)["bots"]] == ["conforms", "conforms"]


@pytest.mark.slow  # test_an_interrupt_keeps_the_bots_that_are_checked stops the same code
def test_ctrl_c_keeps_the_bots_that_are_checked(tmp_path: Path) -> None:
    path, waiting = tmp_path / "report.json", gated(tmp_path, "waiting")
    live = tmp_path / "report.json.live"
    process = started(
        *("check", RIGHT, waiting, "--only", "gtp.setup.*", "--startup", "1h"),
        *("--cluster", "local", "--json", path),
    )
    wait_for(process, tmp_path / "waiting.begun", live)
    while not any(bot["ended"] for bot in json.loads(live.read_text())["bots"]):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    text, _ = process.communicate()
    assert process.returncode == 130, text
    finished, interrupted = report(path)["bots"]
    assert (finished["verdict"], interrupted["verdict"]) == ("conforms", "inconclusive")
    assert interrupted["interrupted"]
    assert not finished["interrupted"]
    wait_for_no_engines(tmp_path / "waiting.sh")


@pytest.mark.slow
def test_an_exploration_on_a_cluster_finds_what_it_finds_here(tmp_path: Path) -> None:
    here, there, saved = tmp_path / "here.json", tmp_path / "there.json", tmp_path / "cases"
    words = ("explore", WRONG, "--sessions", "40", "--for", "1h", "--jobs")
    assert conform(*words, "1", "--json", here, "--save", tmp_path / "saved").returncode == 1
    done = conform(*words, "2", "--json", there, "--save", saved, "--cluster", "local")
    assert done.returncode == 1, done.stderr
    found, expected = report(there), report(here)
    for deviation in (*found["deviations"], *expected["deviations"]):
        del deviation["transcript"]  # it has times
    assert found == expected
    assert found["deviations"]
    assert saved.read_text() == (tmp_path / "saved").read_text()


@pytest.mark.slow
def test_what_a_deviation_needs_is_left_out_on_a_cluster_too(tmp_path: Path) -> None:
    bot = f"{PYTHON} -m refbot.cli gtp --playouts 50 --fault undo-listed-only"
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    words = ("explore", bot, "--sessions", "90", "--for", "1h", "--jobs")
    assert conform(*words, "1", "--json", here).returncode == 1
    assert conform(*words, "2", "--json", there, "--cluster", "local").returncode == 1
    found, expected = report(there), report(here)
    deviations = [
        [(one["check"], one["clause"], one["observed"]) for one in data["deviations"]]
        for data in (found, expected)
    ]
    assert deviations[0] == deviations[1]
    assert found["coverage"]["sessions"] == 90


class InterruptedPool:
    """A pool of one worker that is interrupted after the first bot."""

    def each(
        self, job: Callable[[bytes], bytes], tasks: list[bytes], _: object
    ) -> Iterator[tuple[int, bytes]]:
        yield 0, job(tasks[0])
        raise KeyboardInterrupt


def test_an_interrupt_keeps_the_bots_that_are_checked() -> None:
    bots = [RunSettings(Launch(RIGHT), select(["gtp.setup.komi"]), instances=1)] * 2
    seen: list[int] = []
    found = check_on(InterruptedPool(), bots, lambda place, _: seen.append(place), print)  # type: ignore[arg-type]
    assert seen == [0]
    assert [one.interrupted for one in found] == [False, True]
    assert found[0].results[0].outcome is Outcome.PASS


COMMANDS = {
    "check": ("check", RIGHT),
    "explore": ("explore", RIGHT),
    "selftest": ("selftest", "--refusals", "0"),
    "seeds": ("seeds", "dailey-2008"),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_2_and_one_line_without_a_cluster(command: tuple[str, ...]) -> None:
    done = conform(*command, "--cluster", "nonsense")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("conform: no dask scheduler answers at 'nonsense': give --cluster its")


def test_2_and_one_line_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = conform(*COMMANDS["check"], "--cluster", "local")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("conform: --cluster needs dask.distributed, which is not installed")


@pytest.mark.slow  # it waits for the first worker as long as a user would
def test_2_and_one_line_without_workers() -> None:
    with scheduler(workers=0) as address:
        done = conform(*COMMANDS["check"], "--cluster", address)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith(f"conform: the cluster at {address} has no workers: start some")


@pytest.mark.slow
def test_a_cluster_that_was_there_before_checks_two_bots_of_one_worker(tmp_path: Path) -> None:
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    with scheduler(workers=1, threads=2) as address:
        done = conform("check", RIGHT, DOCILE, *FEW, "--json", there, "--cluster", address, "-q")
    alone = conform("check", RIGHT, DOCILE, *FEW, "--json", here)
    assert (done.returncode, done.stderr) == (alone.returncode, "")
    assert report(here) == report(there)


@pytest.mark.slow
def test_a_selftest_and_tables_on_a_cluster_are_those_of_here(tmp_path: Path) -> None:
    fault = ("selftest", "--only", "nodes-one-pass", "--budget", "quick", "--in-process", "--refusals", "0")
    table = ("seeds", "dailey-2008", "--playouts", "3000")
    for words in (fault, table):
        here, there = conform(*words), conform(*words, "--cluster", "local")
        assert (here.returncode, here.stdout) == (there.returncode, there.stdout), there.stderr


@pytest.mark.parametrize("quiet", [False, True])
def test_quiet_tables_on_a_cluster_print_no_progress(monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    monkeypatch.setattr(seeds, "cluster_workers", lambda *_: nullcontext(PoolHere()))
    words = ("seeds", "dailey-2008", "--playouts", "100", "--cluster", "local")
    assert conform(*words, *["--quiet"] * quiet).stderr.count("played, 1 of 1 table") == (not quiet)


def test_every_check_is_sent_by_its_name() -> None:
    for size in (9, 19):
        checks = checks_on(size)
        assert all(one is other for one, other in zip(unpack(pack(checks)), checks, strict=True))
    assert len(pack(CHECKS)) < 100 * len(CHECKS)
