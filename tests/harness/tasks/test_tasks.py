"""Tasks on a local cluster of real processes: each once, whatever happens to a worker or a process."""

import os
import signal
import time
from pathlib import Path

import psutil
import pytest
from distributed import Client

from harness.tasks import ClusterError, cluster_pool, plugin_installed
from harness.tasks.pool import Tasks
from harness.tasks.worker import TasksPlugin
from tests.harness.tasks.cluster_helpers import complain, die, wait_for_go, workers_of

# Sockets and files of dask's own are left to the garbage collector, which complains at any later moment.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.usefixtures("sockets_of_dask"),
]


def begun(folder: Path) -> list[int]:
    return [int(path.stem) for path in folder.glob("*.begun")]


def test_results_errors_lost_workers_another_version_and_the_end_of_a_pool(tmp_path: Path) -> None:
    sentences: list[str] = []
    with cluster_pool("local", 2) as pool:
        assert dict(pool.each(len, ["a", "bcd"])) == {0: 1, 1: 3}
        with pytest.raises(ValueError, match="wrong"):
            list(pool.each(complain, ["wrong"]))
        with pytest.raises(ClusterError, match="3 workers of local were lost at one task; see their logs"):
            list(pool.each(die, ["x"]))
        tasks = Tasks(pool, wait_for_go, sentences.append)
        tasks.add(7, tmp_path)
        tasks.add(8, tmp_path)
        while len(begun(tmp_path)) < 2:
            assert list(tasks.take_ended()) == []
        lost = begun(tmp_path)[0]
        worker = psutil.Process(lost).parent()
        assert worker in workers_of(os.getpid())
        worker.send_signal(signal.SIGKILL)
        while not sentences:
            assert list(tasks.take_ended()) == []
        (tmp_path / "go").touch()
        found: dict[int, int] = {}
        while tasks.waiting:
            found.update(tasks.take_ended())
        stopped = tmp_path / "stopped"
        stopped.mkdir()
        tasks.add(9, stopped)
        while not begun(stopped):
            assert list(tasks.take_ended()) == []
        tasks.drop()
        another_version_is_refused_in_one_line(pool.client)
    assert found.keys() == {7, 8}
    assert lost not in found.values()
    assert sentences[0].startswith("the worker tls://127.0.0.1:")
    assert sentences[0].endswith("was lost; its work is done again")
    (pid,) = begun(stopped)  # the end of the pool stops its tasks
    while psutil.pid_exists(pid):
        time.sleep(0.01)


def another_version_is_refused_in_one_line(client: Client) -> None:
    plugin = TasksPlugin("test", local=True)
    plugin._version = "0.0.0"
    with (
        pytest.raises(ClusterError, match=r"cannot take part \(conform .* is installed there; 0\.0\.0 is"),
        plugin_installed(client, "local", plugin),
    ):
        pass


def test_a_local_cluster_that_cannot_start_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("harness.tasks.connection.start_local_cluster", refuse)
    why = "no local cluster can be started: OSError"
    with pytest.raises(ClusterError, match=why), cluster_pool("local", 2):
        pass
