"""Moments as they are stored in files."""

from __future__ import annotations

from datetime import UTC, datetime


def timestamp() -> str:
    """The present time as it is stored: ISO 8601 with zone, in milliseconds."""
    return datetime.now(UTC).astimezone().isoformat(timespec="milliseconds")
