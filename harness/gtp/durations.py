"""How a duration is written: `90`, `90s`, `2m`, `1.5h`."""

from __future__ import annotations

import re

from harness.gtp.errors import GtpError

MAX_SECONDS = 10_000_000.0
"""Four months. The system refuses to wait for more than some thousand years."""
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
"""Seconds of the units of a duration."""


class DurationError(GtpError, ValueError):
    """A text is not a duration. The message is one line and names the text."""


def parse_duration(text: str) -> float:
    """A duration in seconds, more than zero and at most MAX_SECONDS. Raises DurationError."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*([smh]?)", text.strip().lower(), re.ASCII)
    seconds = float(match[1]) * UNITS[match[2]] if match else 0.0
    if not 0.0 < seconds <= MAX_SECONDS:
        raise DurationError(
            f"a duration is a positive number of seconds, or one like 2m or 1h, and at most "
            f"{MAX_SECONDS:,.0f} seconds, not {text[:40]!r}"
        )
    return seconds
