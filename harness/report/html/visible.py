"""Text of a bot as a page shows it: no character acts, reorders a line, or hides."""

from __future__ import annotations

LONGEST_NAME = 120
"""Characters of a name or a command that are shown."""

LONGEST_TEXT = 20_000
"""Characters of a wire log or of a line to copy that are shown."""


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """The text on one line. Characters that cannot be seen are escaped; the middle of a long text is cut."""
    return shortened("".join(map(_visible, text)), longest)


def lines(text: str, longest: int = LONGEST_TEXT) -> str:
    """The same for a text of several lines: line feeds and tabs stay."""
    return shortened("".join(char if char in "\n\t" else _visible(char) for char in text), longest)


def shortened(text: str, longest: int) -> str:
    """At most about `longest` characters; a cut in the middle says how much is missing."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} … {len(text) - 2 * half:,} characters left out … {text[-half:]}"


def _visible(char: str) -> str:
    """Control characters, marks that reorder a line, and bytes that are no text as an escape."""
    if char.isprintable():
        return char
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, decoded with surrogateescape
        return f"\\x{code - 0xDC00:02x}"
    return ascii(char)[1:-1]
