"""Runs one task in its own process, so that the task has a main thread and can be stopped at any time.

The task (a function and its argument) and the result are bytes, so the dask worker that passes them on need
not import their modules. This module is also the program of the process; see `process.start_process` for its
argument.
"""

from __future__ import annotations

import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from harness.gtp import claim_orphans
from harness.tasks.process import (
    end_process,
    end_when_closed,
    ignore_sigterm,
    let_sigterm_interrupt,
    start_process,
)


class LostProcessError(Exception):
    """A task has no result: its process ended early or was stopped. dask tries the task a few times."""


def pack_task(function: Callable[[Any], object], argument: object) -> bytes:
    """Return a task as bytes. The function must be importable by name."""
    return pickle.dumps((function, argument))


def unpack_result(result: bytes) -> Any:
    """Return the result of a task. Raises the exception of its function, or of pickling the task or result.

    Raises RuntimeError with the traceback as its text in place of an exception that cannot be pickled.
    """
    found, error = pickle.loads(result)
    if error is not None:
        raise error
    return found


class TaskProcess:
    """The process of one task; it starts at once, and waits for `compute`."""

    def __init__(self) -> None:
        """Start the process. Raises OSError if that fails."""
        self._process, self._connection = start_process(__name__)
        self._stopped = False

    def compute(self, task: bytes) -> bytes:
        """Compute a packed task, and end the process. Return the packed result, or the packed error.

        Raises LostProcessError if the process ends without a result, or was stopped.
        """
        with self._connection:
            try:
                self._connection.send_bytes(task)
                result = self._connection.recv_bytes()
            except (EOFError, OSError):
                raise LostProcessError("the process of the task ended early") from None
            finally:
                self._process.terminate()
                end_process(self._process)
        if self._stopped:  # the result may be incomplete
            raise LostProcessError("the task was stopped")
        return result

    def stop(self) -> None:
        """Interrupt the task: it ends its bots, and `compute` raises LostProcessError. Does not wait."""
        self._stopped = True
        self._process.terminate()


def serve(connection: Connection) -> None:
    """Receive a task, compute it, and send its result. An interrupted task sends nothing."""
    # A worker may have made this process ignore Ctrl-C; the engines would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    let_sigterm_interrupt()
    with suppress(KeyboardInterrupt, EOFError, OSError), connection:
        claim_orphans()
        task = connection.recv_bytes()
        end_when_closed(connection)
        result = _compute(task)
        ignore_sigterm()
        connection.send_bytes(result)


def _compute(task: bytes) -> bytes:
    """Compute a task; return (result, None) or (None, error) as bytes, with the traceback in the error."""
    try:
        function, argument = pickle.loads(task)
        return pickle.dumps((function(argument), None))
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        try:
            error.add_note(text)
            failed = pickle.dumps((None, error))
            pickle.loads(failed)
        except Exception:  # not every exception can be pickled and read again
            return pickle.dumps((None, RuntimeError(text)))
        return failed


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
