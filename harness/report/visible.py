"""Text from outside, made visible: no character acts on what shows it, reorders a line, or hides."""

from __future__ import annotations


def safe(text: str, kept: str = "\n") -> str:
    """The text with every character that cannot be seen as an escape, but for those that are `kept`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else _escape(char) for char in text)


def shortened(text: str, longest: int) -> str:
    """At most about `longest` characters; a cut in the middle says how much is missing."""
    half = longest // 2
    note = f" … {len(text) - 2 * half:,} characters left out … "
    if len(text) <= longest + len(note):
        return text
    return f"{text[:half]}{note}{text[-half:]}"


def _escape(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, decoded with surrogateescape
        return f"\\x{code - 0xDC00:02x}"
    return ascii(char)[1:-1]
