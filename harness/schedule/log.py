"""The log of the scheduler: one line per event, with its time."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime

from harness.gtp import printable_text

STDERR = 2


class Log:
    """Writes to stderr. The scheduler continues when the log cannot be written (full disk, closed pipe)."""

    def __init__(self, *, quiet: bool) -> None:
        """`quiet`: log only problems and results."""
        self._quiet = quiet

    def event(self, source: str, sentence: str) -> None:
        """Log a step that succeeded."""
        if not self._quiet:
            self.important(source, sentence)

    def important(self, source: str, sentence: str) -> None:
        """Log a result or a problem, in one line. Control characters are escaped."""
        text = printable_text("; ".join(f"{source}: {sentence}".splitlines()))
        time = datetime.now(UTC).astimezone().isoformat(timespec="seconds")
        # os.write, not a buffered stream: a signal handler may log while another line is being written.
        with suppress(OSError):
            os.write(STDERR, f"{time} {text}\n".encode("utf-8", "backslashreplace"))
