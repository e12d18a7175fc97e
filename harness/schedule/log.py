"""The log of the scheduler: a line per event; and on a terminal, below them, a line with what happens now."""

from __future__ import annotations

import os
from contextlib import suppress

from rich.cells import cell_len, set_cell_size

from harness.files import local_now
from harness.gtp import printable_text

STDERR = 2
ERASE = "\r\x1b[K"
"""Moves the cursor to the start of the line, and erases the line."""
COLUMNS = 80
"""Width of a terminal that does not report it."""


class Log:
    """One line per event on stderr. A line that cannot be written (full disk, closed pipe) is lost.

    Each call writes by one os.write and not by a buffered stream: a signal handler may log while another line
    is being written.
    """

    def __init__(self, *, quiet: bool, live: bool = False) -> None:
        """`quiet`: log only problems and results. `live`: stderr is a terminal, and `show` may use it."""
        self._quiet = quiet
        self._live = live
        self._next = ""
        self._shown = ""

    def event(self, source: str, sentence: str) -> None:
        """Log a step that succeeded, unless `quiet`."""
        if not self._quiet:
            self.important(source, sentence)

    def important(self, source: str, sentence: str) -> None:
        """Log a result or a problem, in one line. Control characters are escaped."""
        text = printable_text("; ".join(f"{source}: {sentence}".splitlines()))
        time = local_now().isoformat(timespec="seconds")
        self._write(f"{ERASE if self._shown else ''}{time} {text}\n{self._shown}")

    def announce(self, sentence: str) -> None:
        """Set what comes next. Later calls of `show` add it to what happens now."""
        self._next = sentence

    def show(self, sentence: str) -> None:
        """Show on a terminal what happens now, instead of what was shown before. Empty: show nothing."""
        if not self._live:
            return
        text = printable_text("; ".join(filter(None, (sentence, self._next)))) if sentence else ""
        self._shown = _cropped(text)
        self._write(f"{ERASE}{self._shown}")

    def _write(self, text: str) -> None:
        with suppress(OSError):
            os.write(STDERR, text.encode("utf-8", "backslashreplace"))


def _cropped(text: str) -> str:
    """The part of a text that fits on one line of the terminal."""
    columns = 0
    with suppress(OSError):
        columns = os.get_terminal_size(STDERR).columns
    most = (columns or COLUMNS) - 1  # the last column stays free: some terminals then begin a new line
    return text if cell_len(text) <= most else set_cell_size(text, most)
