"""The transcript of one engine: its conversation as timed events, bounded in memory, and as text.

Also the lines of stderr that say why a program ended (`error_line`, `last_lines`).
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterable, Iterator
from heapq import merge
from operator import attrgetter
from typing import Literal, NamedTuple

from harness.gtp.limits import Limits
from harness.gtp.syntax import printable

Kind = Literal["sent", "received", "stderr", "exit"]

_EVENT_OVERHEAD = 200  # bytes that an event takes besides its data, so that tiny events are bounded too
_MARKS: dict[Kind, str] = {"sent": ">", "received": "<", "stderr": "!", "exit": "#"}

LONGEST_SHOWN = 300
"""Largest number of characters of stderr in a message. Chosen: four lines of a terminal."""

ERROR = re.compile(
    rb"(?i)error|exception|panic|assert|abort|fatal|\bfault|segfault|sanitizer|terminate|undefined|unhandled"
    rb"|what\(\)"
)
"""Words that mark the line in which a language's runtime says why a program ended."""

FRAME = re.compile(rb"\s+(at|File|in|from)\b|==\d+==ABORTING")
"""Lines that give no reason: a stack frame, whose names may contain "error", or a sanitizer's last line."""

SEARCHED = 60
"""Number of last lines in which `error_line` searches for the reason: a stack trace may follow it. Chosen."""


class Event(NamedTuple):
    """Bytes that were sent, or received on stdout or stderr, `at` seconds after the start.

    For the kind "exit", `data` is a sentence: how the process ended.
    """

    at: float
    kind: Kind
    data: bytes


class Recorder:
    """Records events with their times and keeps the latest of them.

    Conversation and stderr have separate bounds, so that a flood of log lines cannot push out the
    conversation.
    """

    def __init__(self, limits: Limits) -> None:
        began = time.monotonic()
        self.conversation = LatestEvents(began, limits.transcript_kept)
        self._log = LatestEvents(began, limits.transcript_kept)
        self._tail = bytearray()
        self._tail_kept = limits.stderr_kept

    def note_stderr(self, data: bytes) -> None:
        """Record `data` with the present time, apart from the conversation."""
        self._log.note("stderr", data)
        self._tail += data
        del self._tail[: max(0, len(self._tail) - self._tail_kept)]

    @property
    def stderr_tail(self) -> bytes:
        """The last `Limits.stderr_kept` bytes of stderr."""
        return bytes(self._tail)

    @property
    def events(self) -> tuple[Event, ...]:
        """The kept events of conversation and stderr, in order of time."""
        return tuple(merge(self.conversation, self._log, key=attrgetter("at")))

    def forget(self) -> None:
        """Drop all events; `stderr_tail` stays."""
        self.conversation.forget()
        self._log.forget()


class LatestEvents:
    """The latest events that together fit in `kept` bytes; always at least the newest."""

    def __init__(self, began: float, kept: int) -> None:
        self._began = began
        self._kept = kept
        self._size = 0
        self._events: deque[tuple[float, Kind, bytes]] = deque()  # plain tuples: most are dropped unread

    def note(self, kind: Kind, data: bytes) -> None:
        """Record `data` with the present time."""
        self._events.append((time.monotonic() - self._began, kind, data))
        self._size += len(data) + _EVENT_OVERHEAD
        while self._size > self._kept and len(self._events) > 1:
            self._size -= len(self._events.popleft()[2]) + _EVENT_OVERHEAD

    def __iter__(self) -> Iterator[Event]:
        return map(Event._make, self._events)

    def forget(self) -> None:
        """Drop all events."""
        self._events.clear()
        self._size = 0


def render_transcript(events: Iterable[Event]) -> str:
    """Return the events as text, one line for each line that was sent or received.

    A line has the seconds since the start, a mark (`>` sent, `<` received, `!` stderr, `#` exit) and the
    text:

            0.1042 > 7 genmove b
            0.3310 < =7 D4

    Control characters are escaped. A line without a line feed ends with a backslash.
    """
    return "".join(f"{event.at:10.4f} {line}\n" for event in _joined(events) for line in _lines(event))


def _joined(events: Iterable[Event]) -> list[Event]:
    """Join the pieces of a line that came in several reads into one event, at the time of the first piece."""
    joined: list[Event] = []
    for event in events:
        last = joined[-1] if joined else None
        if last is not None and last.kind == event.kind and not last.data.endswith(b"\n"):
            joined[-1] = Event(last.at, last.kind, last.data + event.data)
        else:
            joined.append(event)
    return joined


def _lines(event: Event) -> list[str]:
    mark = _MARKS[event.kind]
    if event.kind == "exit":
        return [f"{mark} {printable(event.data)}"]
    lines = event.data.split(b"\n")
    last = lines.pop()
    shown = [f"{mark} {printable(line)}".rstrip() for line in lines]
    return [*shown, f"{mark} {printable(last)} \\"] if last else shown


def last_lines(raw: bytes, most: int = 3) -> str:
    """The last `most` non-blank lines of `raw`, made printable and joined by " / "; empty if there are none.

    A long text is cut to its last `LONGEST_SHOWN` characters.
    """
    return _shown(_not_blank(raw)[-most:])


def error_line(raw: bytes) -> str:
    """Return the line of stderr that says why a program ended; empty if there is none.

    That is the last line about an error, else the last line. Blank lines and stack frames do not count. A
    line that ends with a colon is returned together with the next one.
    """
    return _shown(_lines_of_reason(raw))


def complaint(raw: bytes) -> str:
    """Return the last line of stderr about an error, as `error_line` does; empty if no line is about one."""
    lines = _lines_of_reason(raw)
    return _shown(lines) if any(map(ERROR.search, lines)) else ""


def _lines_of_reason(raw: bytes) -> list[bytes]:
    """Return the line that `error_line` describes, and the next one after a colon."""
    lines = [line for line in _not_blank(raw)[-SEARCHED:] if not FRAME.match(line)]
    if not lines:
        return []
    about_error = [number for number, line in enumerate(lines) if ERROR.search(line)]
    first = about_error[-1] if about_error else len(lines) - 1
    count = 2 if lines[first].rstrip().endswith(b":") else 1
    return lines[first : first + count]


def _not_blank(raw: bytes) -> list[bytes]:
    """The lines of `raw` that are not blank."""
    return [line for line in raw.splitlines() if line.strip()]


def _shown(lines: list[bytes]) -> str:
    return " / ".join(printable(line.strip()) for line in lines)[-LONGEST_SHOWN:]
