"""One task in a process of its own, so that it has a main thread, and can be stopped at any time.

A function and its argument come in as bytes, a result goes out as bytes: the process in between imports
nothing of what they are about.
"""

from __future__ import annotations

import pickle
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.tasks.errors import LostProcessError
from harness.tasks.process import start

PROGRAM = "harness.tasks.task_program"
END_SECONDS = 5.0
"""Time in which the process ends the bots that it has started; then it is killed."""


@dataclass(frozen=True)
class Failed:
    """The exception that a function raised."""

    error: Exception


def packed(function: Callable[[Any], object], argument: object) -> bytes:
    """A task as bytes. The function must be importable by name."""
    return pickle.dumps((function, argument))


def unpacked(result: bytes) -> Any:
    """The result of a task. Raises what its function raised."""
    found = pickle.loads(result)
    if isinstance(found, Failed):
        raise found.error
    return found


class TaskProcess:
    """The process of one task."""

    def __init__(self) -> None:
        self._process, self._connection = start(PROGRAM)
        self._stopped = False

    def result(self, task: bytes) -> bytes:
        """Compute a task, and end the process. Raises LostProcessError if it ends without a result."""
        with self._connection:
            try:
                self._connection.send_bytes(task)
                result = self._connection.recv_bytes()
            except (EOFError, OSError):
                raise LostProcessError("the process of the task ended early") from None
            finally:
                self._end()
        if self._stopped:  # the result may be half of one
            raise LostProcessError("the task was stopped")
        return result

    def stop(self) -> None:
        """Interrupt the task: its bots are ended, and `result` raises LostProcessError. Does not wait."""
        self._stopped = True
        self._process.terminate()

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
