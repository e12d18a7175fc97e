"""The scheduler's log: one line an event, with its time."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime

from harness.gtp import printable

STDERR = 2


class Log:
    """Writes to stderr. A log that cannot be written (a full disk, a closed pipe) ends nothing."""

    def __init__(self, *, quiet: bool) -> None:
        """`quiet`: problems and results alone."""
        self._quiet = quiet

    def event(self, who: str, sentence: str) -> None:
        """Something that went as it should."""
        if not self._quiet:
            self.important(who, sentence)

    def important(self, who: str, sentence: str) -> None:
        """A result or a problem. What would act on a terminal is made visible; lines become one."""
        text = printable("; ".join(f"{who}: {sentence}".splitlines()).encode("utf-8", "surrogateescape"))
        time = datetime.now(UTC).astimezone().isoformat(timespec="seconds")
        with suppress(
            OSError
        ):  # written directly: a signal may come in the middle of a line, and be told too
            os.write(STDERR, f"{time} {text}\n".encode("utf-8", "backslashreplace"))
