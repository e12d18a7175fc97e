"""Runs a server on two file descriptors: its start, its input, its output and its end."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections import deque
from collections.abc import Set as AbstractSet
from contextlib import suppress

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.deviations.switches import Switch
from refbot.gtp.server import LONG_LINE_BYTES, Server
from refbot.gtp.syntax import read

READ_BYTES = 1 << 16  # the size of a Linux pipe: one read empties it
QUICK = (b"play ", b"komi ", b"boardsize ", b"clear_board")
"""Beginnings of lines with a quick answer. If such a line has arrived already, the answer before it waits:
both are then written at once. An engine with a fault or a habit does not wait."""
SLOW_START_SECONDS = 20.0  # of the habit slow-start; chosen: about the time Leela Zero takes to tune itself
SLOW_ANSWER_SECONDS = 0.02  # of the habit slow-answers; chosen: a usual interval of polling
SLOW_END_SECONDS = 1.0  # of the habit slow-end; chosen: longer than a harness may wait
FLOOD_BYTES = 1 << 20  # of the habit stderr-flood; chosen: 16 times the capacity of a Linux pipe
UNFLUSHED_BYTES = 4096  # of the fault unflushed: the size of the buffer of C's stdio on a pipe


class PromptOutput:
    """Collects answers and writes them at `flush`. Raises `BrokenPipeError` if the reader has gone."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._answers: list[bytes] = []

    def write(self, answer: bytes) -> None:
        """Adds an answer to those that wait."""
        self._answers.append(answer)

    def flush(self) -> None:
        """Writes the answers that wait; a subclass may keep them back."""
        self.close()

    def close(self) -> None:
        """Writes all answers that wait."""
        self._pass_on(b"".join(self._answers))
        self._answers.clear()

    def _pass_on(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


class ByteOutput(PromptOutput):
    """The habit byte-by-byte: each byte in a write of its own."""

    def _pass_on(self, data: bytes) -> None:
        for byte in data:
            super()._pass_on(bytes([byte]))


class KeptBackOutput(PromptOutput):
    """The fault unflushed: on a pipe, answers wait until a buffer is full."""

    def flush(self) -> None:
        """Writes the answers if the output is a terminal or they fill the buffer."""
        if os.isatty(self._descriptor) or sum(map(len, self._answers)) >= UNFLUSHED_BYTES:
            self.close()


def run(server: Server, source: int = 0, target: int = 1) -> None:
    """Answers commands until `quit`, the end of the input, or until the reader of the answers has gone.

    Raises DeliberateCrashError where a fault ends the process.
    """
    if Habits.TERM_IGNORED in server.switches:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if Habits.SLOW_START in server.switches:
        time.sleep(SLOW_START_SECONDS)
    output = _output(target, server.switches)
    with suppress(BrokenPipeError):
        serve(server, _input(source, server), output)
        output.close()


def _input(source: int, server: Server) -> WholeLines:
    if server.switches & {Faults.REST_OF_INPUT_LOST, Faults.REFUSAL_DROPS_INPUT}:
        return ForgetfulInput(source, server)
    if Faults.LINE_BY_READ in server.switches:
        return HastyInput(source)
    return WholeLines(source)


def _output(target: int, switches: AbstractSet[Switch]) -> PromptOutput:
    if Faults.UNFLUSHED in switches:
        return KeptBackOutput(target)
    return ByteOutput(target) if Habits.BYTE_BY_BYTE in switches else PromptOutput(target)


class WholeLines:
    """Reads lines from a descriptor, each with its line feed; the last line of the input may have none."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[bytes] = deque()
        self._rest = bytearray()  # of a line whose end has not arrived

    def readline(self) -> bytes:
        """The next line; empty at the end of the input."""
        while not self._lines:
            data = os.read(self._descriptor, READ_BYTES)
            first, feed, behind = data.partition(b"\n")
            self._rest += first + feed
            if not feed and data:
                continue
            self._lines.append(bytes(self._rest))
            *lines, rest = behind.split(b"\n")
            self._lines.extend(line + b"\n" for line in lines)
            self._rest = bytearray(rest)
        return self._lines.popleft()

    def has_input(self) -> bool:
        """Return whether input, or its end, can be read now."""
        if self._lines or b"\n" in self._rest:  # ForgetfulInput keeps its lines in `_rest`
            return True
        return bool(select.select([self._descriptor], [], [], 0)[0])

    @property
    def ahead(self) -> bytes:
        """The line that `readline` returns next; empty if it has not arrived, always in ForgetfulInput."""
        return self._lines[0] if self._lines else b""


class ForgetfulInput(WholeLines):
    """The faults rest-of-input-lost and refusal-drops-input: lines that arrived with another may be lost."""

    def __init__(self, descriptor: int, server: Server) -> None:
        super().__init__(descriptor)
        self._server = server

    def readline(self) -> bytes:
        """The next line; empty at the end of the input."""
        if forgets_rest(self._server):
            self._rest.clear()
        while b"\n" not in self._rest:
            data = os.read(self._descriptor, READ_BYTES)
            if not data:
                break
            self._rest += data
        line, feed, self._rest = self._rest.partition(b"\n")
        return bytes(line + feed)


class HastyInput(WholeLines):
    """The fault line-by-read: the end of the bytes of one read is taken for the end of a line."""

    def readline(self) -> bytes:
        """The next line, or half of one; empty at the end of the input."""
        if not self._lines:
            self._lines.extend(os.read(self._descriptor, READ_BYTES).splitlines(keepends=True))
        return self._lines.popleft() if self._lines else b""


def forgets_rest(server: Server) -> bool:
    """Return whether a fault loses the commands that arrived together with the last one."""
    if Faults.REST_OF_INPUT_LOST in server.switches:
        return True
    return Faults.REFUSAL_DROPS_INPUT in server.switches and server.refused


def serve(server: Server, lines: WholeLines, output: PromptOutput) -> None:
    """Answers every line; a last line without a line feed, too, unless a habit loses it."""
    while line := _next_line(server, lines, output):
        if Habits.LAST_LINE_LOST in server.switches and not line.endswith(b"\n"):
            break
        for piece in pieces(line, server.switches):
            if server.session.habits:
                _do_before_answer(piece, server)
                if late := overtime(piece, server):
                    time.sleep(late)
            if answer := server.answer(piece):
                output.write(answer)
            if server.switches or not lines.ahead.startswith(QUICK):
                output.flush()
        if server.ended:
            if Habits.SLOW_END in server.switches:
                time.sleep(SLOW_END_SECONDS)
            return _end(server.switches, Faults.QUIT_HANGS)
    output.write(server.end_analysis())
    return _end(server.switches, Habits.END_OF_INPUT_IGNORED)


def _next_line(server: Server, lines: WholeLines, output: PromptOutput) -> bytes:
    """The next line of input. Until it arrives, an analysis goes on and reports at its interval."""
    due = time.monotonic() + (server.interval or 0.0)
    while (interval := server.interval) is not None and not lines.has_input():
        server.think()
        if time.monotonic() >= due:
            output.write(server.report())
            output.flush()
            due = max(due + interval, time.monotonic())
    return lines.readline()


def pieces(line: bytes, switches: AbstractSet[Switch]) -> list[bytes]:
    """Return the line alone, or in parts with a fault or habit that splits long lines."""
    if Faults.LINE_OF_80_BYTES in switches:
        room = 80
    elif Habits.LONG_LINE_SPLIT in switches:
        room = LONG_LINE_BYTES
    else:
        return [line]
    return [line[start : start + room] for start in range(0, len(line), room)]


def overtime(line: bytes, server: Server) -> float:
    """Return the seconds by which the answer to a line is late, because of the habit overtime."""
    return server.session.searcher.overtime if _is_genmove(line, server.switches) else 0.0


def _is_genmove(line: bytes, switches: frozenset[Switch]) -> bool:
    """Return whether the command of a line is genmove or a variant, such as reg_genmove."""
    command = read(line, switches)
    return command is not None and "genmove" in command.name


def _do_before_answer(line: bytes, server: Server) -> None:
    """Wait, or write to stderr, as habits do before the answer to a line."""
    habits = server.session.habits
    if Habits.SLOW_ANSWERS in habits:
        time.sleep(SLOW_ANSWER_SECONDS)
    if sys.stderr is None:
        return
    if Habits.STDERR_CHATTER in habits:
        print(f"refbot: {line!r}", file=sys.stderr, flush=True)  # noqa: T201 - the habit is to print
    if Habits.STDERR_FLOOD in habits and _is_genmove(line, server.switches):
        print("x" * FLOOD_BYTES, file=sys.stderr, flush=True)  # noqa: T201 - the habit is to print


def _end(switches: AbstractSet[Switch], hanging: Switch) -> None:
    """Wait for ever if the fault or habit `hanging` is in force; else return, and the process ends."""
    while hanging in switches:
        signal.pause()
