"""Numbers in the text of an answer. Any text is read into a typed value or into None; nothing is raised.

Every number of an engine is read here. The limits keep sums and squares of the values within 64 bits and
within the exact integers of a float, so that one absurd answer cannot stop a check or a match.
"""

from __future__ import annotations

import re

MAX_COUNT = 10**15
"""Largest count that an answer may have: the moves of a billion playouts of a million moves."""
MAX_PLAYOUTS = 10**9
"""Largest number of playouts per search that an answer or a config may have."""

_COUNT = re.compile(r"[0-9]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def parse_count(text: str, most: int = MAX_COUNT) -> int | None:
    """The whole number from 0 to `most` that `text` is, written in digits; None for any other text."""
    text = text.strip()
    if not _COUNT.fullmatch(text):
        return None
    digits = text.lstrip("0") or "0"
    # Python refuses to convert thousands of digits.
    return int(digits) if len(digits) <= len(str(most)) and int(digits) <= most else None


def parse_decimal(text: str) -> float | None:
    """The decimal number that `text` is, with or without an exponent; None for any other text.

    A number beyond ±MAX_COUNT is None too.
    """
    text = text.strip()
    if not _DECIMAL.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) <= MAX_COUNT else None
