"""Times of the wall clock in the form in which files store them (ISO 8601)."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


def timestamp() -> str:
    """Return the present time as ISO 8601 with time zone, in milliseconds."""
    return _text(local_now())


def local_now() -> datetime:
    """Return the present time in the zone of this machine; in UTC if its zone (TZ) is a day or more away."""
    now = datetime.now(UTC)
    try:
        return now.astimezone()
    except ValueError:
        return now


def epoch_seconds(written: str) -> float:
    """Return a time in ISO 8601 (in UTC if it names no zone) in seconds since 1970; 0 for other text."""
    try:
        moment = datetime.fromisoformat(written)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0


class Stopwatch:
    """A start time, and the seconds since then. Later changes of the wall clock have no effect."""

    def __init__(self) -> None:
        self._moment = local_now()
        self._began = time.monotonic()

    @property
    def started(self) -> str:
        """The start time, as in `timestamp`."""
        return _text(self._moment)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    def after(self, seconds: float) -> str:
        """Return the time that many seconds after the start, as in `timestamp`. Never before `started`."""
        return _text(self._moment + timedelta(seconds=seconds))


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
