"""An engine with an answer that goes on until the next line: `streaming.py MODE`.

`analyze` prints two lines of analysis at once, then waits for the next line. All other commands answer their
name. Each mode but `right` gets one thing wrong.
"""

from __future__ import annotations

import os
import sys

LINES = b"info move D4 visits 1 winrate 5000\ninfo move D4 visits 2 winrate 5100\n"
mode = sys.argv[1]


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def begin(sign: bytes) -> bytes:
    """The beginning of an analysis; return what ends it."""
    if mode == "no-line-feed":
        write(sign + b"\n")
        while True:
            write(b"x" * 4096)
    if mode == "flood":
        write(sign + b"\n")
        while True:
            write(b"x\n" * 2048)
    if mode == "dies":
        write(sign + b"\n" + LINES)
        sys.exit(3)
    if mode == "by-itself":
        write(sign + b"\n" + LINES + b"\n")
        return b""
    if mode == "silent":
        write(sign + b"\n")
        return b"\n"
    write((b"" if mode == "no-sign" else sign + b"\n") + LINES)
    return {"glued": b"", "never-ends": LINES, "two-empty-lines": b"\n\n"}.get(mode, b"\n")


end = b""
for line in sys.stdin.buffer:
    write(end)
    if mode == "never-ends" and end:
        continue
    end = b""
    words = line.split()
    own_id = words.pop(0) if words and words[0].isdigit() else b""
    if words[:1] == [b"analyze"]:
        if words[1:] == [b"x"]:
            write(b"?" + own_id + b" bad colour\n\n")
        else:
            end = begin(b"=" + own_id)
    elif words:
        write(b"=" + own_id + b" " + words[0] + b"\n\n")
    if words[:1] == [b"quit"]:
        break
