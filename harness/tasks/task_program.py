"""The program of a process that computes one task. Its argument is the number of its end of a pipe."""

from __future__ import annotations

import pickle
import signal
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection

from harness.gtp import claim_orphans
from harness.tasks.process import end_with, ignore_sigterm, interrupted_by_sigterm
from harness.tasks.task_process import Failed


def serve(connection: Connection) -> None:
    """Take a task, and send its result."""
    # A worker may have passed on that Ctrl-C is ignored, which the engines would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    interrupted_by_sigterm()
    with suppress(KeyboardInterrupt, EOFError, OSError), connection:
        claim_orphans()
        task = connection.recv_bytes()
        end_with(connection)
        result = _computed(task)
        ignore_sigterm()
        connection.send_bytes(result)


def _computed(task: bytes) -> bytes:
    try:
        function, argument = pickle.loads(task)
        return pickle.dumps(function(argument))
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        try:
            error.add_note(text)
            packed_error = pickle.dumps(Failed(error))
            pickle.loads(packed_error)
        except Exception:  # not every exception can be sent
            return pickle.dumps(Failed(RuntimeError(text)))
        return packed_error


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
