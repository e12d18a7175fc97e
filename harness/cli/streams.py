"""The standard streams of a command: all are open at its start, and a write to one never raises OSError."""

from __future__ import annotations

import io
import os
import select
import sys
from typing import IO, Any

STDIN, STDOUT, STDERR = range(3)


def open_standard_streams() -> frozenset[int]:
    """Open /dev/null for each standard stream that was closed at the start. Return their numbers.

    Otherwise the next file or pipe, here or in a process that inherits the streams, would get the number of
    the stream, and would receive messages for the user or the log of an engine.
    """
    closed = set()
    for number in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one
            os.set_inheritable(number, True)  # for the processes that play or check
            closed.add(number)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, _open_stream(number, mode))
    return frozenset(closed)


def _open_stream(number: int, mode: str) -> IO[str]:
    return open(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False)


class LastingOutput(io.FileIO):
    """A standard stream whose writes never raise OSError, even if nobody reads it or the disk is full.

    After the first `error` it drops all output, so that a check or a match of hours still writes its files.
    If the stream is set not to block, as by a parent that shares it, a write waits for the reader.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number, "w", closefd=False)
        self.error: OSError | None = None

    def write(self, data: Any, /) -> int:
        """Write to the stream; after an error, to /dev/null. Return the number of bytes written."""
        try:
            while (written := super().write(data)) is None:  # the stream does not block, and is full
                select.select((), (self.fileno(),), ())
            return written
        except OSError as error:
            self.error = error
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return memoryview(data).nbytes


def keep_writing() -> LastingOutput:
    """Make stdout and stderr write to a LastingOutput. Return that of stdout, for its `error`."""
    output = LastingOutput(STDOUT)
    unbuffered = getattr(sys.stdout, "write_through", False)
    sys.stdout = _lasting_text(output, sys.stdout.encoding, by_line=output.isatty() or unbuffered)
    sys.stderr = _lasting_text(LastingOutput(STDERR), sys.stderr.encoding, by_line=True)
    return output


def _lasting_text(output: LastingOutput, encoding: str, *, by_line: bool) -> IO[str]:
    """Return a text stream that writes to `output`, and escapes characters that the encoding lacks."""
    buffer = io.BufferedWriter(output)
    return io.TextIOWrapper(buffer, encoding, errors="backslashreplace", line_buffering=by_line)
