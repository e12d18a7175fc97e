"""The server on two file descriptors: how it starts, reads, writes and ends."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Set as AbstractSet
from io import BufferedReader, FileIO
from typing import BinaryIO, Protocol

from refbot.faults import Faults
from refbot.gtp.server import Server
from refbot.habits import Habits
from refbot.switches import Switch

READ_BYTES = 1 << 16
SLOW_START_SECONDS = 20.0  # of the habit slow-start
SPLIT_BYTES = 1000  # of the habit long-line-split: GNU Go's buffer
UNFLUSHED_BYTES = 4096  # of the fault unflushed: what C's stdio keeps back on a pipe


class Output(Protocol):
    """Where answers go."""

    def write(self, answer: bytes) -> None:
        """Passes on one answer."""

    def close(self) -> None:
        """Passes on what was kept back."""


class PromptOutput:
    """Each answer in one write, at once."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, answer: bytes) -> None:
        """Raises `BrokenPipeError` when nobody reads any more."""
        rest = memoryview(answer)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def close(self) -> None:
        """Nothing was kept back."""


class KeptBackOutput:
    """The fault unflushed: on a pipe, answers wait until a buffer is full."""

    def __init__(self, descriptor: int) -> None:
        self._prompt = PromptOutput(descriptor)
        self._kept = bytearray()
        self._limit = 0 if os.isatty(descriptor) else UNFLUSHED_BYTES

    def write(self, answer: bytes) -> None:
        """Raises `BrokenPipeError` when nobody reads any more."""
        self._kept += answer
        if len(self._kept) >= self._limit:
            self.close()

    def close(self) -> None:
        """Passes on what was kept back."""
        self._prompt.write(bytes(self._kept))
        self._kept.clear()


def run(server: Server, source: int = 0, target: int = 1) -> None:
    """Serves two descriptors until `quit`, the end of input, or nobody reads the answers.

    An interrupt ends the process without a word, also in the middle of a compiled search.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if Habits.SLOW_START in server.switches:
        time.sleep(SLOW_START_SECONDS)
    output: Output = KeptBackOutput(target) if Faults.UNFLUSHED in server.switches else PromptOutput(target)
    with BufferedReader(FileIO(source, closefd=False), READ_BYTES) as lines:
        try:
            serve(server, lines, output)
            output.close()
        except BrokenPipeError:
            return


def serve(server: Server, lines: BinaryIO, output: Output) -> None:
    """Answers every line, the last one also without its line feed."""
    while line := lines.readline():
        if Habits.LAST_LINE_LOST in server.switches and not line.endswith(b"\n"):
            break
        for piece in _pieces(line, server.switches):
            if answer := server.answer(piece):
                output.write(answer)
        if server.ended:
            return _end(server.switches, Faults.QUIT_HANGS)
    return _end(server.switches, Habits.END_OF_INPUT_IGNORED)


def _pieces(line: bytes, switches: AbstractSet[Switch]) -> list[bytes]:
    if Habits.LONG_LINE_SPLIT not in switches:
        return [line]
    return [line[start : start + SPLIT_BYTES] for start in range(0, len(line), SPLIT_BYTES)]


def _end(switches: AbstractSet[Switch], hanging: Switch) -> None:
    while hanging in switches:
        signal.pause()
