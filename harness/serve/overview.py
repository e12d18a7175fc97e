"""The order in which runs and checks are listed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from harness.serve.reading import Reading


def in_order(readings: Iterable[Reading]) -> list[Reading]:
    """Sort the readings: running ones first, then the newest."""
    return sorted(readings, key=lambda one: (one.phase.running, seconds_of(one.at)), reverse=True)


def seconds_of(written: str) -> float:
    """A time in ISO 8601 as seconds since 1970; 0 for what is no time."""
    try:
        time = datetime.fromisoformat(written)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0
