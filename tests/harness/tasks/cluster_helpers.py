"""Clusters of real processes for tests, by name."""

import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psutil


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


@contextmanager
def scheduler(*, workers: int, threads: int = 1) -> Iterator[str]:
    """A dask scheduler with workers, as an operator starts them; the address."""
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    words += ["--no-dashboard"]
    processes = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True)]
    try:
        assert processes[0].stderr
        lines = iter(processes[0].stderr.readline, "")
        address = next(line.split()[-1] for line in lines if "Scheduler at:" in line)
        for _ in range(workers):
            words = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard"]
            words += ["--nthreads", str(threads), "--no-nanny"]
            processes.append(
                subprocess.Popen(words, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
            )
        yield address
    finally:
        for process in reversed(processes):
            process.kill()
            process.communicate()


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
