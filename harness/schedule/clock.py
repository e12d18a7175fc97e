"""The clock that the scheduler goes by; tests have another one."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol

from harness.match import Stop

LOOK = 1.0
"""Seconds between two looks at the clock on the wall. Waiting in one piece would not do: the machine may be
suspended meanwhile, or its clock be set, and a stop is asked for at any moment."""


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> datetime:
        """The time, with its zone."""

    def wait(self, until: datetime, stop: Stop) -> None:
        """Come back at that time, later if the machine slept, earlier if a stop is asked for."""


class WallClock:
    """The machine's own."""

    def now(self) -> datetime:
        """The time, with its zone."""
        return datetime.now(UTC)

    def wait(self, until: datetime, stop: Stop) -> None:
        """Come back at that time, later if the machine slept, earlier if a stop is asked for."""
        while not stop.asked and (left := (until - self.now()).total_seconds()) > 0:
            time.sleep(min(LOOK, left))
