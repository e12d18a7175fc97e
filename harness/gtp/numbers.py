"""Parse numbers: counts and decimals in an engine's answers, and durations such as `90`, `2m` and `1.5h`.

An answer may be any text, so its parsers return None for other text and raise nothing. The limits keep the
values below 2^53, the exact integers of a float, so that one absurd answer cannot stop a check or a match.
"""

from __future__ import annotations

import re

from harness.gtp.errors import GtpError

MAX_COUNT = 10**15
"""Largest count that an answer may have: a billion playouts of a million moves each."""
MAX_PLAYOUTS = 10**9
"""Largest number of playouts per search that an answer or a config may have."""

MAX_SECONDS = 10_000_000.0
"""Longest duration: four months. Chosen: longer than any run, and no system call refuses it."""
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
"""Seconds in each unit of a duration."""

_COUNT = re.compile(r"[0-9]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def parse_count(text: str, most: int = MAX_COUNT) -> int | None:
    """Parse a whole number from 0 to `most`, in digits with or without blanks around; else None."""
    text = text.strip()
    if not _COUNT.fullmatch(text):
        return None
    digits = text.lstrip("0") or "0"
    # Python refuses to convert thousands of digits.
    return int(digits) if len(digits) <= len(str(most)) and int(digits) <= most else None


def parse_decimal(text: str) -> float | None:
    """Parse a decimal number within ±MAX_COUNT, with or without an exponent; None for any other text."""
    text = text.strip()
    if not _DECIMAL.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) <= MAX_COUNT else None


class DurationError(GtpError, ValueError):
    """A text is not a duration. The message is one line and names the text."""


def parse_duration(text: str) -> float:
    """Convert a duration to seconds, more than zero and at most MAX_SECONDS. Raises DurationError."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*([smh]?)", text.strip().lower(), re.ASCII)
    seconds = float(match[1]) * UNITS[match[2]] if match else 0.0
    if not 0.0 < seconds <= MAX_SECONDS:
        raise DurationError(
            f"a duration is a positive number of seconds, or one like 2m or 1h, and at most "
            f"{MAX_SECONDS:,.0f} seconds, not {text[:40]!r}"
        )
    return seconds
