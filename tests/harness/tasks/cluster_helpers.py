"""Clusters of real processes for tests, by name."""

import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[3]


def workers_of(pid: int) -> list[psutil.Process]:
    """The living processes of a local cluster: those that multiprocessing starts, less its own helper."""
    found = []
    for child in psutil.Process(pid).children():
        with suppress(psutil.Error):  # one that was killed, and is not reaped yet
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


SILENCE = 2.0
"""Seconds after which a port has given no answer. A shorter time can only overlook an answer."""


def speak(port: int, *, tls: bool) -> bytes:
    """Return the answer of a port to somebody without the key of the run. Raises OSError if it closes."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with closing(socket.create_connection(("127.0.0.1", port), SILENCE)) as plain:
        connection = context.wrap_socket(plain) if tls else plain
        connection.sendall((8).to_bytes(8, "little") + b"\x80\x04N.\0\0\0\0" * 100)
        said = connection.recv(1000)
    if not said:
        raise ConnectionResetError
    return said


Program = subprocess.Popen[str]


@dataclass
class Started:
    """A dask scheduler and its workers, as an operator starts them."""

    address: str
    scheduler: Program
    workers: list[Program] = field(default_factory=list)

    def add_worker(self, threads: int = 1, *options: str, **environment: str) -> None:
        """Start one more worker. `environment`: variables beside those of this process."""
        words = ["dask_worker", self.address, "--no-dashboard", "--nthreads", str(threads), "--no-nanny"]
        self.workers.append(_dask(*words, *options, **environment))


def _dask(*words: str, **environment: str) -> Program:
    module, *rest = words
    return subprocess.Popen(
        [sys.executable, "-P", "-m", f"distributed.cli.{module}", *rest],
        stderr=subprocess.PIPE if module == "dask_scheduler" else subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env={"PYTHONPATH": str(ROOT), **os.environ, **environment},
    )


@contextmanager
def started(
    *, workers: int, threads: int = 1, port: int = 0, options: Sequence[str] = ()
) -> Iterator[Started]:
    """A scheduler with workers. `options` are those of both: certificates."""
    # A scheduler removes a worker that was silent for a time; here only what the test does counts.
    process = _dask(
        *("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", *options),
        DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="1 day",
    )
    cluster = Started("", process)
    try:
        assert process.stderr
        lines = iter(process.stderr.readline, "")
        cluster.address = next(line.split()[-1] for line in lines if "Scheduler at:" in line)
        for _ in range(workers):
            cluster.add_worker(threads, *options)
        yield cluster
    finally:
        for each in (*cluster.workers, process):
            each.kill()
            each.communicate()


@contextmanager
def scheduler(*, workers: int, threads: int = 1) -> Iterator[str]:
    """The address of a scheduler with workers."""
    with started(workers=workers, threads=threads) as cluster:
        yield cluster.address


# --- tasks, which the processes of tasks import by name -----------------------------------------------------


def wait_for_go(folder: Path) -> int:
    """A task that says which process computes it, and ends when there is a file `go`."""
    pid = os.getpid()
    (folder / f"{pid}.begun").touch()
    while not (folder / "go").exists():
        time.sleep(0.01)
    return pid


def die(_: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def complain(text: str) -> None:
    raise ValueError(text)
