"""First steps of every command: standard streams exist and last, signals reach the command and end it."""

from __future__ import annotations

import io
import os
import signal
import sys
from typing import IO, Any

STDIN, STDOUT, STDERR = range(3)


def open_standard_streams() -> frozenset[int]:
    """Open /dev/null for each standard stream that was closed at the start; which ones were closed.

    Otherwise the next file or pipe gets the number of the stream, and what is meant for the user, or for the
    log of an engine, is written into it.
    """
    closed = set()
    for number in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one
            closed.add(number)
    if sys.stdin is None:
        sys.stdin = _stream(STDIN, "r")
    if sys.stdout is None:
        sys.stdout = _stream(STDOUT, "w")
    if sys.stderr is None:
        sys.stderr = _stream(STDERR, "w")
    return frozenset(closed)


def _stream(number: int, mode: str) -> IO[str]:
    return open(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False)


class LastingOutput(io.FileIO):
    """A standard stream that takes everything to the end, also when nobody reads it or the disk is full.

    What comes after the first error is dropped, so that a check or a match of hours still writes its files.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number, "w", closefd=False)
        self.error: OSError | None = None

    def write(self, data: Any, /) -> int:
        """Write to the stream, or nowhere once that has failed."""
        try:
            return super().write(data)
        except OSError as error:
            self.error = error
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return memoryview(data).nbytes


def keep_writing() -> LastingOutput:
    """Let both outputs last until the process ends. Return the standard output, which keeps its error."""
    output = LastingOutput(STDOUT)
    unbuffered = getattr(sys.stdout, "write_through", False)
    sys.stdout = _lasting(output, sys.stdout.encoding, by_line=output.isatty() or unbuffered)
    sys.stderr = _lasting(LastingOutput(STDERR), sys.stderr.encoding, by_line=True)
    return output


def _lasting(output: LastingOutput, encoding: str, *, by_line: bool) -> IO[str]:
    """A text stream into an output. What the encoding lacks is escaped."""
    buffer = io.BufferedWriter(output)
    return io.TextIOWrapper(buffer, encoding, errors="backslashreplace", line_buffering=by_line)


def unblock_signals() -> None:
    """Let every signal reach this process, and the programs that it starts.

    A parent may have blocked SIGTERM and SIGINT for a moment, and started this process in it. Blocked, they
    would end neither this process nor its engines.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def end_on_sigterm() -> None:
    """Let SIGTERM do what Ctrl-C does: the command reports what it has, and the terminal is set right.

    Commands that play games set a handler of their own while they do.
    """
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(*_: object) -> None:
    if callable(signal.getsignal(signal.SIGINT)):
        signal.raise_signal(signal.SIGINT)  # may be held back for a step that must not be cut in two
    else:
        raise KeyboardInterrupt  # Ctrl-C is ignored, as under nohup
