"""`EventFile`: the file of `--events`. Each event of a command becomes a line of JSON in it, at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING

from harness.cli.exits import UsageError
from harness.cli.paths import STANDARD_OUTPUT
from harness.files import os_reason, timestamp

if TYPE_CHECKING:
    from harness.arena.run.events import Event as MatchEvent
    from harness.check.phases.events import Event


class EventFile:
    """The file, open for a `with` block.

    An error of opening or writing does not end the run: `raise_problem` raises it afterwards.
    """

    def __init__(self, path: Path | None) -> None:
        """`path`: - is the standard output, None writes nothing."""
        self._path = path
        self._file: IO[str] | None = None
        self._problem = ""

    def __enter__(self) -> EventFile:
        if self._path is None:
            return self
        from harness.report.records.events import EventLines

        began = time.monotonic()
        self._lines = EventLines(self._write, lambda: time.monotonic() - began)
        try:
            own = self._path != STANDARD_OUTPUT
            self._file = self._path.open("w", encoding="utf-8") if own else sys.stdout
        except OSError as error:
            self._note(error)
        self._lines.begin(timestamp())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._path is None:
            return
        if kind is None:  # after an exception, the missing last line shows the cut
            self._lines.end()
        if self._file is not None and self._file is not sys.stdout:
            with suppress(OSError):  # closing writes a failed line again, and may fail again
                self._file.close()

    def handler_of_bot(self, number: int, *, strict: bool) -> Callable[[Event], None]:
        """Return a function that writes the events of bot `number`, its index in the command line.

        `strict`: a failed SHOULD refuses a bot too.
        """
        if self._path is None:
            return lambda _: None
        from harness.report.records.check_events import check_lines

        return check_lines(self._lines, number, strict=strict)

    def handler_of_match(self) -> Callable[[MatchEvent], None]:
        """Return a function that writes the events of a match."""
        if self._path is None:
            return lambda _: None
        from harness.report.records.match_events import match_lines

        return match_lines(self._lines)

    def raise_problem(self) -> None:
        """Raise UsageError if the file could not be opened, or a line could not be written."""
        if self._problem:
            raise UsageError(self._problem)

    def _write(self, line: str) -> None:
        """Write a line at once; after an error, do nothing."""
        if self._file is None or self._problem:
            return
        try:
            self._file.write(line)
            self._file.flush()  # another program may follow the file
        except OSError as error:
            self._note(error)

    def _note(self, error: OSError) -> None:
        self._problem = f"cannot write {self._path}: {os_reason(error)}"
