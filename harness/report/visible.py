"""Text from bots and files, made safe to show: control and invisible characters become escapes."""

from __future__ import annotations

import re
from datetime import UTC, datetime

LONGEST_NAME = 120
"""Characters of a name or a command that a page shows. Chosen: two lines of a wide screen."""

LONGEST_TEXT = 20_000
"""Characters of a wire log or of a line to copy that a page shows. Chosen: a page with 100 of them loads."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def safe(text: str, kept: str = "\n") -> str:
    """The text with each unprintable character replaced by an escape, except the characters in `kept`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else _escape(char) for char in text)


def shortened(text: str, longest: int) -> str:
    """The text. If it is too long, a note replaces its middle, and about `longest` characters of it stay."""
    half = longest // 2
    note = f" … {len(text) - 2 * half:,} characters left out … "
    if len(text) <= longest + len(note):
        return text
    return f"{text[:half]}{note}{text[-half:]}"


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """The text on one line: unprintable characters, line feeds too, are escaped; a long text is shortened."""
    return shortened(safe(text, kept=""), longest)


def elided(text: str, longest: int) -> str:
    """The text on one line with at most `longest` characters. A long text is cut in its middle.

    Names of engines often differ at the end, where the version stands.
    """
    line = safe(text, kept="")
    end = (longest - 1) // 2
    return line if len(line) <= longest else f"{line[: longest - 1 - end]}…{line[len(line) - end :]}"


def lines(text: str, longest: int = LONGEST_TEXT) -> str:
    """The text on several lines: unprintable characters are escaped, except line feeds and tabs."""
    return shortened(safe(text, kept="\n\t"), longest)


def xml_text(text: str) -> str:
    """The text with the characters that XML 1.0 forbids replaced by escapes."""
    return _NOT_XML.sub(lambda match: ascii(match[0])[1:-1], text)


def time_text(written: str) -> str:
    """A time in ISO 8601, to the second and in UTC: 2026-11-22 08:00:00 UTC. Another text stays, on one line.

    A time without a zone is shown as it is written, without a zone.
    """
    try:
        time = datetime.fromisoformat(written)
        zone = " UTC" if time.tzinfo else ""
        return f"{time.astimezone(UTC) if zone else time:%Y-%m-%d %H:%M:%S}{zone}"
    except (ValueError, OverflowError):
        return one_line(written, 40)


def clock_text(written: str) -> str:
    """The time of day of a time in ISO 8601, in UTC if it has a zone; the end of a text that is no time."""
    return time_text(written).removesuffix(" UTC")[-8:]


def _escape(char: str) -> str:
    """The escape of a character as Python writes it; that of a byte which is not UTF-8 has its number."""
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, decoded with surrogateescape
        return f"\\x{code - 0xDC00:02x}"
    return ascii(char)[1:-1]
