"""Hosted bot: the reference bot's GTP server inside this process, with the interface of `Bot` and `Engine`.

A thousand dialogues with it cost less time than the start of one process. It imitates the behaviour of a
process: flushing, the end of input, `quit`. No time passes: an answer is there at once, or never.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from harness.check.bot.bot import Bot
from harness.check.bot.load import Processor
from harness.gtp import Ending, Engine, Exchange, Exit, Launch, Limits, Stream
from harness.gtp.stream import exchange_of
from harness.gtp.transport import Wait
from refbot.deviations.faults import FAULTS, Faults, checked
from refbot.deviations.habits import Habits, checked_habits
from refbot.gtp import Server, Session, Settings
from refbot.gtp.loop import SLOW_START_SECONDS, forgets_rest, overtime, pieces
from refbot.gtp.syntax import DeliberateCrashError

PLAYOUTS = 100
"""Playouts per search, unless a caller asks for another number; chosen: few, for speed."""

INSTANCE_SEEDS = 1000
"""Difference between the seeds of two instances; each start adds 1. Chosen: no bot starts so often."""

ANSWER_END = re.compile(rb"\n\r?\n")
"""The empty line at the end of an answer."""

SIGN = re.compile(rb"(?m)^[=?](?=[^=?])")
"""The sign at the beginning of an answer."""

HANGING = {"quit": Faults.QUIT_HANGS, "eof": Habits.END_OF_INPUT_IGNORED}
"""By cause of the end of a process: the fault or habit that lets the process hang instead."""


class HostedEngine:
    """Replacement of `harness.gtp.Engine` without a process.

    `names` are the faults and habits of the bot. No call waits: time limits are ignored, and the seconds of
    an exchange are those that a bot with a slow habit would take.
    """

    stderr_tail = b""

    def __init__(self, names: frozenset[str], limits: Limits, playouts: int, seed: int) -> None:
        faults, habits = checked(names & FAULTS.keys()), checked_habits(names - FAULTS.keys())
        settings = Settings(playouts=playouts, seed=seed, faults=faults, habits=habits)
        self.server = Server(Session(settings))
        self.switches = self.server.switches
        self.limits = limits
        self.output = bytearray()  # written and not yet read
        self.rest = b""  # input after the last line feed
        self.dead = self.hung = False  # the engine has ended; it takes no more input
        self.first = True  # no answer has been read yet
        self.stream: Stream | None = None  # an answer that goes on until the next line

    def ask(self, line: bytes, *, timeout: float | None = None, blank_line: float | None = None) -> Exchange:
        """Send a line; return the next answer."""
        early = self._early()
        self.send(line)
        return self._read(line, early, blank_line)

    def begin(self, line: bytes, *, timeout: float | None = None) -> Stream:
        """Send a command whose answer goes on until the next line."""
        early = self._early()
        self.send(line)
        self._finish_stream()

        def finish(how: Wait, noise: bytes, raw: bytes, took: float) -> Exchange:
            if how == "answer":
                return exchange_of(line, noise, raw, took)
            assert how != "no blank line"  # a stream does not wait for one
            gone = Exit(0, None, forced=False) if how == "eof" else None
            return Exchange(line, noise + raw, None, how, noise, took, gone)

        self.stream = Stream(self, line, early, self.limits.max_answer, finish)
        return self.stream

    def wait_for_line(self, deadline: float) -> tuple[Wait, bytes]:
        """Return ("answer", the next line); without one, how the wait ended, and b"".

        An analysis that goes on makes a line first, if none is left.
        """
        if self.server.interval is not None and b"\n" not in self.output and not self.dead:
            try:
                self.server.think()
                self.output += self.server.report()
            except DeliberateCrashError:
                self.dead = True
        line, feed, rest = self.output.partition(b"\n")
        if not feed or (Faults.UNFLUSHED in self.switches and not self.dead):
            return ("eof" if self.dead else "timeout"), b""
        self.output = rest
        return "answer", bytes(line + feed)

    def put_back(self, *pieces: bytes) -> None:
        """Put output that was read back before the output that is not read yet."""
        self.output[:0] = b"".join(pieces)

    def _early(self) -> bytes:
        """Take the output that came before the next line is sent; none if it belongs to a stream."""
        if self.stream is not None and self.stream.exchange is None:
            return b""
        early = bytes(self.output)
        self.output.clear()
        return early

    def _finish_stream(self) -> None:
        """End the analysis that goes on, if any: the line just sent ended it."""
        stream, self.stream = self.stream, None
        if stream is not None:
            stream.finish(time.monotonic())

    def ask_many(self, lines: Sequence[bytes], *, timeout: float | None = None) -> tuple[Exchange, ...]:
        """Send several lines, read one answer to each, up to the first that is missing."""
        exchanges: list[Exchange] = []
        for line in lines:
            exchanges.append(self.ask(line, timeout=timeout))
            if not exchanges[-1].is_answered:
                break
        return tuple(exchanges)

    def receive(self, timeout: float | None = None, *, blank_line: float | None = None) -> Exchange:
        """Read one more answer."""
        return self._read(b"", b"", blank_line)

    def send(self, data: bytes, *, timeout: float | None = None) -> None:
        """Write bytes, read nothing."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        if self.rest and Faults.LINE_BY_READ in self.switches:
            lines, self.rest = [*lines, self.rest], b""
        for line in lines:
            self._take(line + b"\n")
            if forgets_rest(self.server):
                self.rest = b""
                return

    def end_input(self) -> None:
        """End the input: the bot reads an unfinished last line as a process would, and ends."""
        if self.rest and Habits.LAST_LINE_LOST not in self.switches:
            self._take(self.rest)
        self.rest = b""
        self._end("eof")

    def close(self) -> Exit:
        """End the engine."""
        self.dead = True
        return Exit(0, None, forced=False)

    kill = close

    def _take(self, line: bytes) -> None:
        """Let the server answer a line, in the pieces in which a bot with a fault may read it."""
        for piece in pieces(line, self.switches):
            if self.dead or self.hung:
                return
            try:
                self.output += self.server.answer(piece)
            except DeliberateCrashError:
                self.dead = True
            if self.server.ended:
                self._end("quit")

    def _end(self, how: str) -> None:
        """End for a cause of HANGING, or hang if the bot has its fault."""
        self.hung = HANGING[how] in self.switches
        self.dead = not self.hung

    def _read(self, sent: bytes, early: bytes, blank_line: float | None) -> Exchange:
        """Return the next answer of the output; if it is not there, the exchange of a death or a timeout."""
        self._finish_stream()
        seconds = SLOW_START_SECONDS if self.first and Habits.SLOW_START in self.switches else 0.0
        self.first = False
        seconds += overtime(sent, self.server)
        if Faults.UNFLUSHED in self.switches and not self.dead:
            return Exchange(sent, b"", None, "timeout", b"", self.limits.startup)
        sign = SIGN.search(self.output)
        start = sign.start() if sign else 0
        ended = ANSWER_END.search(self.output, start) if sign else None
        end = ended.end() if ended else -1
        if end < 0:
            raw = early + bytes(self.output)
            self.output.clear()
            ending: Ending = "eof" if self.dead else "malformed" if sign and blank_line else "timeout"
            gone = Exit(0, None, forced=False) if self.dead else None
            return Exchange(sent, raw, None, ending, early, seconds, gone)
        noise, raw = early + bytes(self.output[:start]), bytes(self.output[start:end])
        del self.output[:end]
        return exchange_of(sent, noise, raw, seconds)


class NoProcessor(Processor):
    """The measurements of a bot without a process."""

    def machine_is_busy(self) -> bool:
        """Return False: no silence needs an excuse."""
        return False

    def seconds(self, engine: Engine) -> None:
        """Return None: there is no process."""

    def stands_still(self, engine: Engine) -> bool:
        """Return False: not known without a process."""
        return False


class HostedBot(Bot):
    """A bot whose engine is the reference bot's server, with the faults and habits in `switched`."""

    engine_type: ClassVar[type[HostedEngine]] = HostedEngine

    def __init__(self, *switched: str, playouts: int = PLAYOUTS, seed: int = 1) -> None:
        super().__init__(Launch(f"refbot with {switched}", cwd=Path("/")), Limits(), NoProcessor())
        self.switched = frozenset(switched)
        self.playouts = playouts
        self.seed = seed
        self._starts = 0

    def another_instance(self, number: int) -> HostedBot:
        """Return another bot with the same faults and habits. `number`, from 1 on, gives it another seed."""
        return HostedBot(*self.switched, playouts=self.playouts, seed=self.seed + INSTANCE_SEEDS * number)

    @staticmethod
    def allows_two_instances() -> bool:
        """Return True: there are no processes that could exclude each other."""
        return True

    @staticmethod
    def wait_until(moment: float) -> None:
        """Return at once: a hosted bot takes no time."""

    def abort(self) -> None:
        """Do nothing: there is no process to kill."""

    def find_answers_elsewhere(self, limits: Limits) -> str:
        """Return "on a terminal" for the one fault that is silent on a pipe."""
        return "on a terminal" if Faults.UNFLUSHED.name in self.switched else ""

    def running_engine(self) -> HostedEngine:  # type: ignore[override]
        """Return the running engine, after starting one if there is none."""
        if self.processes.in_use is None:
            # Each start has another seed, as real processes have; a recording can be repeated.
            seed = self.seed + self._starts
            self.processes.sent = []
            self.processes.in_use = self.engine_type(self.switched, self.limits, self.playouts, seed)  # type: ignore[assignment]
            self._starts += 1
        return self.processes.in_use  # type: ignore[return-value]
