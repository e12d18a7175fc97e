"""First steps of every command: the standard streams exist, and last to its end."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, Any

STDIN, STDOUT, STDERR = range(3)


def open_standard_streams() -> frozenset[int]:
    """Open /dev/null for each standard stream that was closed at the start. Return the numbers of these.

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
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, _stream(number, mode))
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
