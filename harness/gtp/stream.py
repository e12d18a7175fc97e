"""`Stream`: an answer that goes on until the next line is sent, as those of `lz-analyze` do.

The answer begins with its sign and id, and goes on with lines of analysis. The next line that the engine
reads ends it: the engine prints one empty line, and then the answer to that line. After `1 lz-analyze 50`
and, later, `2 name`, an engine prints

    =1
    info move D4 visits 10 …
    info move D4 visits 20 …

    =2 mybot

`Engine.begin` makes the Stream. The lines up to the empty one, with it, belong to its exchange.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from harness.gtp.analysis_commands import ENDLESS
from harness.gtp.exchange import Exchange
from harness.gtp.syntax import ANSWER_SIGN, Answer, command_id, parse_answer
from harness.gtp.transport import Wait

ENDLESS_COMMANDS = frozenset(name.encode("ascii") for name in ENDLESS)
"""Commands whose answer goes on until the next line."""

INFO = b"info "
"""The beginning of a line of analysis. Such a line before any sign begins the answer: the sign is missing."""


class LineSource(Protocol):
    """The output of an engine, line by line."""

    def wait_for_line(self, deadline: float) -> tuple[Wait, bytes]:
        """Return ("answer", the next line with its line feed), or how the wait ended, and b""."""

    def put_back(self, *pieces: bytes) -> None:
        """Put output back that belongs to the next answer."""


Finish = Callable[[Wait, bytes, bytes, float], Exchange]
"""Makes an exchange: (how the wait ended, the bytes before the sign, the rest, seconds)."""


class Stream:
    """One answer that goes on, and the lines of it that have come.

    sent       the command
    noise      the bytes before the answer; at first those that came before the command was sent (`early`)
    raw        the answer, from its sign or its first line of analysis on
    exchange   the whole exchange once the answer has ended; None while it goes on
    """

    def __init__(self, source: LineSource, sent: bytes, early: bytes, most: int, finish: Finish) -> None:
        self.sent = sent
        self.noise, self.raw = bytearray(early), bytearray()
        self.exchange: Exchange | None = None
        self._source = source
        self._most = most  # bytes
        self._finish = finish
        self._began = time.monotonic()

    @property
    def refused(self) -> bool:
        """True if the answer begins with a question mark."""
        return self.raw.startswith(b"?")

    def next_line(self, seconds: float) -> bytes | None:
        """Wait for one more line, of the answer or of the noise before it, and return it with its line feed.

        None if none comes within `seconds`, or the answer ends.
        """
        return self._next_line(time.monotonic() + seconds)

    def finish(self, deadline: float) -> Exchange:
        """Read the answer to its end, after the next line was sent, and return its exchange.

        deadline   on the monotonic clock; at this time the exchange ends as a timeout
        """
        while self.exchange is None:
            if self._next_line(deadline) is None and self.exchange is None:
                self._end("timeout")
        return self.exchange

    def give_up(self) -> Exchange:
        """Return the exchange; if it goes on, end it as a timeout, because an awaited line did not come."""
        return self.exchange or self._end("timeout")

    def _next_line(self, deadline: float) -> bytes | None:
        """Do what `next_line` does, until a deadline on the monotonic clock."""
        if self.exchange is not None:
            return None
        if len(self.noise) + len(self.raw) > self._most:
            self._end("oversize")
            return None
        how, line = self._source.wait_for_line(deadline)
        if how in ("eof", "oversize"):
            self._end(how)
        if how != "answer":
            return None
        return self._take(line)

    def _take(self, line: bytes) -> bytes | None:
        """Add a line. Return it, unless it ends the answer or belongs to the next one."""
        signed = ANSWER_SIGN.match(line) is not None
        if not self.raw:
            if signed or line.startswith(INFO):
                self.raw += line
            else:
                self.noise += line
            return line
        if signed:  # the empty line is missing
            self._source.put_back(line)
            self._end("answer")
            return None
        self.raw += line
        if not line.strip(b"\r\n"):
            self._end("answer")
            return None
        return line

    def _end(self, how: Wait) -> Exchange:
        noise, raw = bytes(self.noise), bytes(self.raw)
        self.exchange = self._finish(how, noise, raw, time.monotonic() - self._began)
        return self.exchange


def exchange_of(sent: bytes, noise: bytes, raw: bytes, seconds: float, unsent: int = 0) -> Exchange:
    """Return the exchange of a command that got a whole answer, well-formed or not."""
    parsed = parse_answer(raw, command_id(sent))
    if isinstance(parsed, Answer):
        return Exchange(sent, noise + raw, parsed, "answer", noise, seconds, None, unsent)
    return Exchange(sent, noise + raw, None, "malformed", noise, seconds, None, unsent)
