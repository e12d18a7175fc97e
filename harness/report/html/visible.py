"""Text of a bot as a page shows it: visible, and not too long."""

from __future__ import annotations

from datetime import datetime

from harness.report.visible import safe, shortened

LONGEST_NAME = 120
"""Characters of a name or a command that are shown."""

LONGEST_TEXT = 20_000
"""Characters of a wire log or of a line to copy that are shown."""


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """The text on one line. Characters that cannot be seen are escaped; the middle of a long text is cut."""
    return shortened(safe(text, kept=""), longest)


def lines(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return visible text for several lines: line feeds and tabs stay."""
    return shortened(safe(text, kept="\n\t"), longest)


def time_text(written: str) -> str:
    """A time in ISO 8601 to the second, without its zone; anything else as it is, on one line."""
    try:
        return f"{datetime.fromisoformat(written):%Y-%m-%d %H:%M:%S}"
    except ValueError:
        return one_line(written, 40)


def clock_text(written: str) -> str:
    """The time of the day of a time in ISO 8601."""
    return time_text(written)[-8:]
