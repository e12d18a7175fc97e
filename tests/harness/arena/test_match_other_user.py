"""Another user of this machine tries the run folder and the processes of a match: nothing is his."""

import fcntl
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.command_line import conform
from tests.harness.arena.match_helpers import PROGRAM, count, engine_command, wait_for_games
from tests.harness.tasks.cluster_helpers import speak
from tests.other_user import as_nobody, needs_root, open_folder

pytestmark = needs_root

GAMES = 100_000  # more than are played before the match is stopped


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user can enter."""
    with open_folder() as folder:
        yield folder


def lock(path: Path) -> None:
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x")


def attempts_on(run: Path, family: list[psutil.Process]) -> dict[str, Callable[[], object]]:
    """What another user can try on the files of a run and on its processes."""
    tries: dict[str, Callable[[], object]] = {
        "new file": (run / "new").touch,
        "new folder": (run / "folder").mkdir,
        "link": lambda: (run / "link").symlink_to("/etc/passwd"),
        "rename": lambda: (run / "run.db").rename(run / "gone"),
        "remove": (run / "run.db").unlink,
        "replace folder": lambda: run.rename(run.with_name("other")),
    }
    for path in run.rglob("*"):
        tries[f"append to {path.name}"] = lambda path=path: append(path)  # type: ignore[misc]
    for process in family:
        tries[f"signal {process.pid}"] = lambda pid=process.pid: os.kill(pid, 0)  # type: ignore[misc]
        for what in ("mem", "environ", "fd/0", "fd/1"):
            place = Path(f"/proc/{process.pid}/{what}")
            tries[f"open {place}"] = lambda place=place: place.open("rb").close()  # type: ignore[misc]
    return tries


def ports_of(family: list[psutil.Process]) -> set[int]:
    return {
        connection.laddr.port
        for process in family
        for connection in process.net_connections()
        if connection.status == psutil.CONN_LISTEN
    }


@pytest.mark.parametrize(
    "cluster",
    [
        pytest.param([], id="workers"),
        # test_match_cluster.py speaks to each port of a local cluster in every run
        pytest.param(["--cluster", "local"], id="cluster", marks=pytest.mark.slow),
    ],
)
def test_nothing_of_a_match_is_another_users(place: Path, cluster: list[str]) -> None:
    run = place / "run"
    command = [*PROGRAM, "match", "--out", str(run), "--size", "5", "--games", str(GAMES), "-q", *cluster]
    for name in "ab":
        command += ["--engine", f"{name}={engine_command('pure_bot.py', playouts=1, think=0.02)}"]
    command += ["--workers", "1"]
    match = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        wait_for_games(match, run, 1)
        main = psutil.Process(match.pid)
        family = [main, *main.children(recursive=True)]
        ports = ports_of(family)
        assert bool(ports) == bool(cluster)
        tries = attempts_on(run, family)
        tries |= {
            f"port {port}, tls {tls}": lambda port=port, tls=tls: speak(port, tls=tls)  # type: ignore[misc]
            for port in ports
            for tls in (False, True)
        }
        assert as_nobody(tries) == []
        assert match.poll() is None
        match.send_signal(signal.SIGINT)
        text, _ = match.communicate()
        assert match.returncode == 130, text
    finally:
        match.kill()
        with match:  # closes its pipe
            pass
    assert count(run) >= 1


def test_another_user_cannot_hold_the_lock_of_a_run(place: Path) -> None:
    run = place / "run"
    engines = [word for name in "ab" for word in ("--engine", f"{name}={engine_command('instant.py')}")]
    done = conform("match", *engines, "--out", run, "--size", 5, "--games", 2, "-q", "--workers", 1)
    assert done.returncode == 3
    assert as_nobody({"lock": lambda: lock(run / "run.lock")}) == []
