"""The order in which runs and checks are listed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from harness.serve.reading import Reading


def in_order(readings: Iterable[Reading]) -> list[Reading]:
    """What runs first, then the newest."""
    return sorted(readings, key=lambda one: (one.phase.running, _time(one.at)), reverse=True)


def _time(written: str) -> float:
    """Seconds; what has no time comes last."""
    try:
        time = datetime.fromisoformat(written)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0
