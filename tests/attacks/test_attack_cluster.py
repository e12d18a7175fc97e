"""A scheduler or a worker of a cluster is stopped, killed, of another version, or something else.

Before: a stopped worker or scheduler made the match wait without an end, deaf to Ctrl-C; a port that says
nothing did so too; a scheduler that needs certificates ended it with a traceback, and another server with "no
more memory". After: the other workers go on, and anything else is one line. No finished game is lost or
counted twice.
"""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from distributed import Client
from distributed.security import Security

from harness.tasks import ClusterError, ClusterGoneError, Flight, Workers, connected
from tests.harness.arena.match_helpers import (
    PATIENCE,
    PROGRAM,
    SIZE,
    Command,
    count,
    every_id,
    query,
    stored,
    wait_for_games,
)
from tests.harness.tasks.cluster_helpers import ROOT, Program, Started, started

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.usefixtures("sockets_of_dask"),
]

CERTIFICATES = {"ca-file": "tls_ca_file", "cert": "tls_client_cert", "key": "tls_client_key"}


@pytest.fixture
def begin(player: Command, tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """`begin(address, games=100)`: the command of a match on a cluster, started; the run is in `run`."""
    begun: list[Program] = []

    def start(address: str, *, games: int, run: str = "run", **environment: str) -> Program:
        words = ["match", "--engine", f"a={player()}", "--engine", f"b={player(first=7)}", "-q"]
        words += ["--games", str(games), "--size", str(SIZE), "--out", str(tmp_path / run)]
        begun.append(
            subprocess.Popen(
                [*PROGRAM, *words, "--cluster", address],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
                env={**os.environ, **environment},
            )
        )
        return begun[-1]

    yield start
    for process in begun:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def code_and_text(process: Program) -> tuple[int, str]:
    text, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, text


def has_every_game_once(run: Path, games: int) -> bool:
    with_searches = query(run, "SELECT count(DISTINCT game) FROM search")
    return [row[0] for row in stored(run)] == every_id(["a", "b"], games) and with_searches == [(games,)]


def assert_one_line(process: Program, part: str) -> None:
    """Wait for a command to end with exit code 2 and one line of conform as its whole output."""
    code, text = code_and_text(process)
    assert code == 2, text
    assert text.startswith("conform: "), text
    assert text.count("\n") == 1, text
    assert part in text, text


def assert_complete(process: Program, run: Path, games: int) -> None:
    """Wait for a match to end undecided, with every game stored once."""
    code, text = code_and_text(process)
    assert code == 3, text
    assert has_every_game_once(run, games)


# --- stopped ------------------------------------------------------------------------------------------------


@contextmanager
def halted(process: Program) -> Iterator[None]:
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def test_a_stopped_worker_keeps_its_own_result_back_and_no_other() -> None:
    with started(workers=2) as cluster, Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        pids = {pid: address for address, pid in client.run(os.getpid).items()}
        stopped, other = cluster.workers
        flight: Flight[int] = Flight(client, cluster.address)
        kept = client.submit(abs, -1, workers=[pids[stopped.pid]], pure=False)
        while kept.status != "finished":
            time.sleep(0.01)
        with halted(stopped):
            flight.add(kept, 1)
            flight.add(client.submit(abs, -2, workers=[pids[other.pid]], pure=False), 2)
            found: list[tuple[int, object]] = []
            while not found:
                found += [(about, answer.result()) for _, answer, about in flight.take_ended()]
            assert found == [(2, 2)]
        while len(flight):
            found += [(about, answer.result()) for _, answer, about in flight.take_ended()]
        assert found == [(2, 2), (1, 1)]


def test_a_stopped_scheduler_is_given_up_after_some_looks() -> None:
    with started(workers=1) as cluster, connected(cluster.address, 0) as client:
        workers = Workers(client, cluster.address, most_unanswered=2)
        while not workers.capacity:
            workers.look()
        with halted(cluster.scheduler):
            assert workers.look() == ([], False)
            with pytest.raises(ClusterGoneError):
                workers.look()
        assert workers.look() == ([], False)


@pytest.mark.slow
def test_a_match_goes_on_without_a_stopped_worker_and_counts_its_late_games_once(
    begin: Callable[..., Program], tmp_path: Path
) -> None:
    with started(workers=2) as cluster:
        match = begin(cluster.address, games=200)
        wait_for_games(match, tmp_path / "run")
        with halted(cluster.workers[0]):
            wait_for_games(match, tmp_path / "run", count(tmp_path / "run") + 60)
        code, text = code_and_text(match)
    assert (code, "lost" in text) == (3, False), text
    assert has_every_game_once(tmp_path / "run", 200)


# --- killed -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_killed_scheduler_ends_the_match_in_one_line_and_the_same_command_continues(
    begin: Callable[..., Program], tmp_path: Path
) -> None:
    with started(workers=1) as cluster:
        match = begin(cluster.address, games=500)
        wait_for_games(match, tmp_path / "run")
        cluster.scheduler.kill()
        assert_one_line(match, "no longer answers; all finished games are stored; run the same command")
    kept = count(tmp_path / "run")
    assert 5 <= kept < 500
    with started(workers=1) as cluster:
        assert_complete(begin(cluster.address, games=500), tmp_path / "run", 500)


@pytest.mark.slow
def test_a_scheduler_that_comes_back_without_its_tasks_ends_the_match_too(
    begin: Callable[..., Program], tmp_path: Path
) -> None:
    with started(workers=1) as cluster:
        match = begin(cluster.address, games=500)
        wait_for_games(match, tmp_path / "run")
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        with started(workers=1, port=int(cluster.address.rpartition(":")[2])) as again:
            assert_one_line(match, "no longer answers")
            assert_complete(begin(again.address, games=500), tmp_path / "run", 500)


@pytest.mark.slow
def test_a_match_waits_for_another_worker_after_its_last_was_killed(
    begin: Callable[..., Program], tmp_path: Path
) -> None:
    with started(workers=1) as cluster:
        match = begin(cluster.address, games=40)
        wait_for_games(match, tmp_path / "run")
        cluster.workers[0].kill()
        cluster.workers[0].wait()
        cluster.add_worker()
        code, text = code_and_text(match)
    assert (code, "its games are played again" in text) == (3, True), text
    assert has_every_game_once(tmp_path / "run", 40)


# --- shared, or of another version --------------------------------------------------------------------------


@pytest.mark.slow
def test_two_commands_share_a_cluster(begin: Callable[..., Program], tmp_path: Path) -> None:
    with started(workers=1, threads=2) as cluster:
        matches = {run: begin(cluster.address, games=40, run=run) for run in ("one", "two")}
        for run, match in matches.items():
            assert_complete(match, tmp_path / run, 40)


@pytest.mark.slow
def test_a_worker_of_another_version_is_one_line_at_the_start_and_later(
    begin: Callable[..., Program], tmp_path: Path
) -> None:
    old = tmp_path / "old"
    for package in ("harness", "refbot"):
        shutil.copytree(ROOT / package, old / package)
    with (old / "harness" / "__init__.py").open("a") as file:
        file.write("\n__version__ = '0.0.1'\n")
    with started(workers=1) as cluster:
        match = begin(cluster.address, games=10_000)
        wait_for_games(match, tmp_path / "run")
        cluster.add_worker(PYTHONPATH=str(old))
        assert_one_line(match, "conform 0.0.1 is installed there")
        assert query(tmp_path / "run", "PRAGMA integrity_check") == [("ok",)]
        assert count(tmp_path / "run") >= 5
        assert_one_line(begin(cluster.address, games=10, run="new"), "conform 0.0.1 is installed there")
        assert not (tmp_path / "new").exists()


# --- not the scheduler that was meant -----------------------------------------------------------------------


@contextmanager
def server(answer: bytes) -> Iterator[str]:
    """The address of a server that sends `answer` to each connection, and nothing after it."""
    connections: list[socket.socket] = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                connections.append(listening.accept()[0])
                connections[-1].sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in connections:
                connection.close()


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.0 400 Bad Request\r\n\r\n", b"\xff" * 7 + b"\x7f"])
def test_another_server_is_no_scheduler(answer: bytes) -> None:
    with (
        server(answer) as address,
        pytest.raises(ClusterError, match=f"^no dask scheduler answers at '{address}': give --cluster its"),
        connected(address, 1, seconds=1.0),
    ):
        pass


def test_an_address_with_tls_needs_certificates() -> None:
    with (
        server(b"") as address,
        pytest.raises(ClusterError, match=r"no dask scheduler answers with TLS at .*name the certificates"),
        connected(address.replace("tcp", "tls"), 1, seconds=1.0),
    ):
        pass


def certificates(folder: Path, name: str) -> dict[str, str]:
    """By option, the path of a file with a certificate of its own authority."""
    made, files = Security.temporary(), {}
    for option, key in CERTIFICATES.items():
        files[option] = str(folder / f"{name}-{option}.pem")
        Path(files[option]).write_text(getattr(made, key))
    return files


def settings(files: dict[str, str]) -> dict[str, str]:
    """The settings of dask for a client with these certificates."""
    prefix = "DASK_DISTRIBUTED__COMM__TLS__"
    return {
        f"{prefix}CA_FILE": files["ca-file"],
        f"{prefix}CLIENT__CERT": files["cert"],
        f"{prefix}CLIENT__KEY": files["key"],
    }


@pytest.fixture
def secured(tmp_path: Path) -> Iterator[tuple[Started, dict[str, str]]]:
    """A cluster that asks for certificates, and the right ones."""
    files = certificates(tmp_path, "right")
    options = [word for option, file in files.items() for word in (f"--tls-{option}", file)]
    with started(workers=1, options=("--protocol", "tls", *options)) as cluster:
        yield cluster, files


@pytest.mark.slow
def test_a_cluster_with_certificates_takes_nobody_without_them(
    secured: tuple[Started, dict[str, str]], begin: Callable[..., Program], tmp_path: Path
) -> None:
    cluster, right = secured
    wrong = certificates(tmp_path, "wrong")
    no_key = {**right, "cert": wrong["cert"], "key": wrong["key"]}
    plain = cluster.address.replace("tls", "tcp")
    assert plain != cluster.address
    tries = [(cluster.address, settings(wrong)), (cluster.address, settings(no_key)), (cluster.address, {})]
    for number, (address, environment) in enumerate([*tries, (plain, {}), (plain, settings(right))]):
        match = begin(address, games=4, run=f"run-{number}", **environment)
        assert_one_line(match, "no dask scheduler answers")
        assert not (tmp_path / f"run-{number}").exists()
    assert_complete(begin(cluster.address, games=4, **settings(right)), tmp_path / "run", 4)
