"""The clock of the scheduler. Tests pass another one."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol

from harness.arena.run.coordinator import Stop

POLL_SECONDS = 1.0
"""The scheduler looks at the clock this often while it waits. One long sleep would miss that the machine was
suspended, that its clock was set, or that a stop was requested."""


class Clock(Protocol):
    """Returns the time, and waits."""

    def now(self) -> datetime:
        """The present time, with its zone."""

    def wait(self, until: datetime, stop: Stop) -> None:
        """Return at that time; later if the machine was suspended, earlier if a stop is requested."""


class WallClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """The present time, with its zone."""
        return datetime.now(UTC)

    def wait(self, until: datetime, stop: Stop) -> None:
        """Return at that time; later if the machine was suspended, earlier if a stop is requested."""
        while not stop.asked and (left := (until - self.now()).total_seconds()) > 0:
            time.sleep(min(POLL_SECONDS, left))
