"""Tasks on a local cluster of real processes: each once, whatever happens to a worker or a process."""

import os
import signal
import time
from pathlib import Path

import psutil
import pytest

from harness.tasks import ClusterError, cluster_pool, connected, installed
from harness.tasks.pool import Tasks
from harness.tasks.worker import TasksPlugin
from tests.harness.tasks.cluster_helpers import complain, die, wait_for_go, workers_of

# Sockets and files of dask's own are left to the garbage collector, which complains at any later moment.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def begun(folder: Path) -> list[int]:
    return [int(path.stem) for path in folder.glob("*.begun")]


def test_results_and_errors_come_back_and_the_tasks_of_a_lost_worker_too(tmp_path: Path) -> None:
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
    assert found.keys() == {7, 8}
    assert lost not in found.values()
    assert sentences[0].startswith("the worker tls://127.0.0.1:")
    assert sentences[0].endswith("was lost; its work is done again")


def test_the_end_of_a_pool_stops_its_tasks(tmp_path: Path) -> None:
    with cluster_pool("local", 1) as pool:
        tasks = Tasks(pool, wait_for_go)
        tasks.add(0, tmp_path)
        while not begun(tmp_path):
            assert list(tasks.take_ended()) == []
        tasks.drop()
    (pid,) = begun(tmp_path)
    while psutil.pid_exists(pid):
        time.sleep(0.01)


def test_a_worker_with_another_version_is_named_in_one_line() -> None:
    plugin = TasksPlugin("test", local=True)
    plugin._version = "0.0.0"
    with (
        connected("local", 1) as client,
        pytest.raises(ClusterError, match=r"cannot take part \(conform .* is installed there; 0\.0\.0 is"),
        installed(client, "local", plugin),
    ):
        pass
