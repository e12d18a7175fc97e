"""A Python process that shares a pipe with this one, and ends with it."""

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
"""The folder that holds this package."""

END_SECONDS = 5.0
"""Time in which a process ends the bots that it has started; then it is killed. Chosen: after Ctrl-C a user
waits for no longer."""


def start(module: str) -> tuple[subprocess.Popen[bytes], Connection]:
    """Run a module as a program, with the number of its end of the pipe as argument.

    It imports this package, whatever folder it is started in, and Ctrl-C reaches the harness only. It stays
    in the session of the harness: a child elsewhere would be taken for an orphan of the bot.
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


def interrupted_by_sigterm() -> None:
    """In the process: let SIGTERM interrupt it, once. What follows ends the bot."""
    signal.signal(signal.SIGTERM, _interrupt)


def ignore_sigterm() -> None:
    """In the process: nothing interrupts it from now on."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def end_with(connection: Connection) -> None:
    """In the process: interrupt it when the other end of the pipe is closed, however that came."""
    threading.Thread(target=_wait_for_end, args=(connection,), daemon=True).start()


def _interrupt(number: int, frame: object) -> NoReturn:
    ignore_sigterm()
    raise KeyboardInterrupt


def _wait_for_end(connection: Connection) -> None:
    with suppress(EOFError, OSError):
        connection.recv_bytes()
    os.kill(os.getpid(), signal.SIGTERM)
