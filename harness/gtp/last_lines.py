"""An engine's output on stderr, in one line for a message."""

from __future__ import annotations

import re

from harness.gtp.syntax import printable

LONGEST_SHOWN = 300
"""Number of characters in a message."""

ERROR = re.compile(
    rb"(?i)error|exception|panic|assert|abort|fatal|\bfault|segfault|sanitizer|terminate|undefined|unhandled"
    rb"|what\(\)"
)
"""What the line says with which a runtime explains the end of a program."""

FRAME = re.compile(rb"\s+(at|File|in|from)\b|==\d+==ABORTING")
"""Lines without a reason: a stack frame, whose names may contain "error", or a sanitizer's end."""

SEARCHED = 60
"""Number of last lines among which that line is looked for: stack traces may follow it."""


def last_lines(raw: bytes, most: int = 3) -> str:
    """The last lines of `raw` that are not blank, printable and joined to one; empty if there are none.

    Of a long text the last `LONGEST_SHOWN` characters.
    """
    return _shown(_lines(raw)[-most:])


def error_line(raw: bytes) -> str:
    """Return the line that says why a program ended: the last one about an error, else the last one.

    A line that ends with a colon goes on in the next one.
    """
    lines = [line for line in _lines(raw)[-SEARCHED:] if not FRAME.match(line)]
    telling = [number for number, line in enumerate(lines) if ERROR.search(line)]
    place = telling[-1] if telling else len(lines) - 1
    most = 2 if lines[place:] and lines[place].rstrip().endswith(b":") else 1
    return _shown(lines[place : place + most])


def _lines(raw: bytes) -> list[bytes]:
    """The lines that are not blank."""
    return [line for line in raw.splitlines() if line.strip()]


def _shown(lines: list[bytes]) -> str:
    return " / ".join(printable(line.strip()) for line in lines)[-LONGEST_SHOWN:]
