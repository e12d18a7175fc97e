"""How a duration is written: `90`, `90s`, `2m`, `1.5h`."""

from __future__ import annotations

import re

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
"""Seconds of the units of a duration."""


class DurationError(ValueError):
    """A text is not a duration. The message is one line and names the text."""


def parse_duration(text: str) -> float:
    """A duration in seconds, more than zero. Raises DurationError."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*([smh]?)", text.strip().lower(), re.ASCII)
    seconds = float(match[1]) * UNITS[match[2]] if match else 0.0
    if seconds <= 0.0:
        raise DurationError(f"a duration is a positive number of seconds, or one like 2m or 1h, not {text!r}")
    return seconds
