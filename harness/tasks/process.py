"""A Python process that is connected to this one by a pipe, and ends when the pipe is closed.

This process calls `start_process` and `end_process`. The program in the started process calls the others.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

PACKAGES = Path(__file__).parents[2]
"""The folder that holds the package `harness`."""

END_SECONDS = 5.0
"""Time limit for a process to end its bots and itself, in seconds. Chosen: a short wait after Ctrl-C."""


def start_process(module: str) -> tuple[subprocess.Popen[bytes], Connection]:
    """Run a module as a program. Return the process and this end of the pipe. Raises OSError.

    The program's one argument is the file descriptor of its end of the pipe. A program that calls
    `end_when_closed` ends with this process. It can import this package from any folder.
    Ctrl-C reaches only this process: the program has its own process group. It stays in the session of the
    harness, because a child in another session would be taken for an orphan of the bot.
    """
    connection, other = Pipe()
    with other:
        words = [sys.executable, "-P", "-m", module, str(other.fileno())]
        path = os.pathsep.join(filter(None, [str(PACKAGES), os.environ.get("PYTHONPATH")]))
        env = {**os.environ, "PYTHONPATH": path}
        process = subprocess.Popen(words, pass_fds=[other.fileno()], env=env, process_group=0)
    return process, connection


def end_process(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process that was asked to end has ended. Kill it after END_SECONDS."""
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def let_sigterm_interrupt() -> None:
    """Make the first SIGTERM raise KeyboardInterrupt; ignore those after it."""
    signal.signal(signal.SIGTERM, _interrupt)


def ignore_sigterm() -> None:
    """Ignore SIGTERM from now on."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def end_when_closed(connection: Connection) -> None:
    """Send SIGTERM to this process when the other end of the pipe is closed, or sends one more message."""
    threading.Thread(target=_wait_for_end, args=(connection,), daemon=True).start()


def _interrupt(number: int, frame: object) -> NoReturn:
    ignore_sigterm()
    raise KeyboardInterrupt


def _wait_for_end(connection: Connection) -> None:
    with suppress(EOFError, OSError):
        connection.recv_bytes()
    os.kill(os.getpid(), signal.SIGTERM)
