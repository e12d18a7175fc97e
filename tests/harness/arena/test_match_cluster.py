"""A match on a dask cluster of real processes: every game once, whatever happens to a worker."""

import http.client
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from distributed import Client
from distributed.security import Security

from harness.arena.config.tables import MatchConfig
from harness.arena.errors import PlayError
from harness.arena.folder.folder import open_run
from harness.arena.run.cluster import ClusterRunner, cluster_for
from harness.arena.run.stop import Stop
from harness.arena.store.store import Store
from harness.tasks.connection import start_local_cluster
from tests.command_line import conform
from tests.harness.arena.match_helpers import (
    PROGRAM,
    SIZE,
    Command,
    MakeConfig,
    Quiet,
    count,
    every_id,
    followed,
    interrupt_in_play,
    query,
    stored,
    wait_for_no_engines,
)
from tests.harness.tasks.cluster_helpers import scheduler, speak, workers_of
from tests.thorough import Mutant, thorough

# Sockets and files of dask's own are left to the garbage collector, which complains at any later moment.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.usefixtures("sockets_of_dask"),
]


def play(config: MatchConfig, folder: Path, quiet: Quiet, stop: Stop | None = None) -> bool:
    with cluster_for(config, "local") as cluster, open_run(config, folder) as store:
        return followed(ClusterRunner(cluster, config, store, stop), quiet)


@thorough(
    Mutant(
        "harness/arena/run/cluster.py",
        "for address in lost:",
        "for address in ():",
        "tests/harness/arena/test_match_cluster_settings.py::test_a_lost_worker_is_reported",
    )
)
def test_a_worker_killed_in_mid_run_costs_nothing(
    make_config: MakeConfig, player: Command, tmp_path: Path
) -> None:
    pids: set[int] = set()

    class Killer(Quiet):
        def on_game(self, summary) -> None:
            if len(self.summaries) == 7:
                workers = workers_of(os.getpid())
                pids.update(worker.pid for worker in workers)
                workers[0].send_signal(signal.SIGKILL)

    engines = {name: player(first=7 * number) for number, name in enumerate("abc")}
    killer = Killer()
    assert play(make_config(engines, games=20, workers=2), tmp_path, killer)
    assert len(pids) == 2
    assert [row[0] for row in stored(tmp_path)] == every_id(list("abc"), 20)
    assert sorted(killer.played) == sorted(every_id(list("abc"), 20))
    assert any("was lost; its games are played again" in sentence for sentence in killer.sentences)
    with Store.open(tmp_path, read_only=True) as store:
        assert len(list(store.searches())) == sum(game.move_count for game in store.games())
    assert query(tmp_path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.slow
def test_a_run_goes_from_one_machine_to_a_cluster_and_is_reachable_by_nobody_else(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    addresses: set[str] = set()

    class Looker(Quiet):
        def on_game(self, summary) -> None:
            if len(self.summaries) == 2:
                for process in [psutil.Process(), *workers_of(os.getpid())]:
                    listening = [c for c in process.net_connections() if c.status == psutil.CONN_LISTEN]
                    addresses.update(connection.laddr.ip for connection in listening)

    stop = Stop()
    stop.ask()
    assert not play(make_config(games=8, workers=2), tmp_path, Quiet(), stop)
    assert stored(tmp_path) == []
    looker = Looker()
    assert play(make_config(games=8, workers=2), tmp_path, looker)
    assert [row[0] for row in stored(tmp_path)] == every_id(["a", "b"], 8)
    assert addresses == {"127.0.0.1"}


def test_a_local_cluster_serves_nobody_without_its_key() -> None:
    with start_local_cluster(1) as cluster, Client(cluster) as client:
        assert client.submit(sum, [1, 2]).result() == 3
        address = cluster.scheduler_address
        assert address.startswith("tls://127.0.0.1:")
        with pytest.raises(OSError, match="closed"):
            Client(address.replace("tls", "tcp"), timeout=5)
        with pytest.raises(OSError, match="certificate"):
            Client(address, security=Security.temporary(), timeout=5)
        processes = [psutil.Process(), *workers_of(os.getpid())]
        ports = {
            connection.laddr.port
            for process in processes
            for connection in process.net_connections()
            if connection.status == psutil.CONN_LISTEN
        }
        with ThreadPoolExecutor(2 * len(ports)) as pool:  # some stay silent for two seconds
            spoken = [pool.submit(speak, port, tls=tls) for port in ports for tls in (False, True)]
        for one in spoken:
            with pytest.raises(OSError):  # noqa: PT011  # a closed connection, or none of the lines of TLS
                one.result()
        for port in ports:
            for page in ("", "status", "json/identity.json", "info/main/workers.html"):
                with suppress(OSError, http.client.HTTPException):
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
                    connection.request("GET", f"/{page}")
                    assert connection.getresponse().status == 404


def test_an_engine_that_workers_do_not_have_is_reported_before_anything_is_written(
    make_config: MakeConfig, player: Command, tmp_path: Path
) -> None:
    config = make_config({"a": player(), "b": "./nothing"})
    with pytest.raises(PlayError, match=r"worker tls://.* engine 'b': cannot start '\./nothing'"):
        play(config, tmp_path / "run", Quiet())
    assert not (tmp_path / "run").exists()


# --- from outside -------------------------------------------------------------------------------------------


@pytest.fixture
def command_line(player: Command, book: Path, tmp_path: Path):
    """A match on the command line; its engines carry the name of this test's folder."""
    own_book = tmp_path / "book.txt"
    own_book.write_text(book.read_text())

    def words(*options: str, games: int) -> list[str]:
        engine = player().replace(str(book), str(own_book))
        return [
            *PROGRAM, "match", "--engine", f"a={engine}", "--engine", f"b={engine} --first 7",
            "--games", str(games), "--size", str(SIZE), "--out", str(tmp_path / "run"), *options,
        ]  # fmt: skip

    return words


@pytest.mark.slow
def test_a_cluster_that_was_there_before_stays_and_keeps_no_engine(command_line, tmp_path: Path) -> None:
    with scheduler(workers=1, threads=2) as address:
        command = command_line("--cluster", address, "-q", games=20)
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stderr) == (3, ""), ended.stdout
        assert count(tmp_path / "run") == 20
        wait_for_no_engines(tmp_path / "book.txt")
        more = command_line("--cluster", address, "-q", games=24)
        assert subprocess.run(more, capture_output=True, check=False).returncode == 3
        assert count(tmp_path / "run") == 24


def test_ctrl_c_ends_the_games_in_flight_and_leaves_nothing(command_line, tmp_path: Path) -> None:
    interrupt_in_play(command_line("--cluster", "local", "--workers", "1", games=20_000), tmp_path / "run")
    assert count(tmp_path / "run") % 2 == 0  # pairs of games were played to their end
    wait_for_no_engines(tmp_path / "book.txt")


@pytest.mark.parametrize(
    "address",
    [pytest.param("tcp://127.0.0.1:1", marks=pytest.mark.slow), "nonsense"],  # dask tries for ten seconds
)
def test_a_cluster_that_is_not_there_is_one_line(address: str, command_line, tmp_path: Path) -> None:
    ended = conform(*command_line("--cluster", address, games=2)[len(PROGRAM) :])
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert ended.stderr.startswith(f"conform: no dask scheduler answers at '{address}'")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("module", "package"), [("distributed", "dask.distributed"), ("cryptography", "cryptography")]
)
def test_a_cluster_without_its_package_is_one_line(
    command_line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    ended = conform(*command_line("--cluster", "local", games=2)[len(PROGRAM) :])
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert ended.stderr.startswith(f"conform: --cluster needs {package}, which is not installed: pip")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow  # it waits for the first worker as long as a user would
def test_a_cluster_without_workers_is_reported(command_line) -> None:
    with scheduler(workers=0) as address:
        command = command_line("--cluster", address, games=2)
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert ended.stderr.startswith(f"conform: the cluster at {address} has no workers: start some")
