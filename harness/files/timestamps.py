"""Moments as they are stored in files."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


def timestamp() -> str:
    """Return the present time as it is stored: ISO 8601 with zone, in milliseconds."""
    return _text(datetime.now(UTC).astimezone())


class Stopwatch:
    """A moment of the wall clock, and the seconds since then, whatever becomes of the wall clock."""

    def __init__(self) -> None:
        self._moment = datetime.now(UTC).astimezone()
        self._began = time.monotonic()

    @property
    def started(self) -> str:
        """The moment as it is stored."""
        return _text(self._moment)

    @property
    def seconds(self) -> float:
        """The time since the moment."""
        return time.monotonic() - self._began

    def after(self, seconds: float) -> str:
        """Return the moment that many seconds later, as it is stored: never before `started`."""
        return _text(self._moment + timedelta(seconds=seconds))


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
