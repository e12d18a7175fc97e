"""Parses the values of SGF properties of Go: points, colours and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refbot.sgf.game import Colour, Point

MAX_SIZE = 52  # of a board in SGF: one letter names a row or a column, in lower case or in capitals
LAST_PASS_SIZE = 19  # up to this size `tt` is a pass, as in FF[3]
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NUMBER = re.compile(rb"[+-]?(?:\d+(?:\.\d*)?|\.\d+)")
_COLOURS: dict[bytes, Colour] = {
    b"b": "b", b"black": "b", b"1": "b", b"w": "w", b"white": "w", b"2": "w",
}  # fmt: skip


def point_of(raw: bytes, size: int) -> Point | None:
    """Return the point that a value of two letters names: a column from the left, a row from the top.

    On 9x9, `ca` is the third column of the top row: (8, 2). None is a pass: an empty value, or `tt` on boards
    up to 19x19. Raises ValueError if the value is no point of the board.
    """
    letters = b"".join(raw.split())
    if not letters or (letters == b"tt" and size <= LAST_PASS_SIZE):
        return None
    if len(letters) != 2:
        raise ValueError
    column, row = _LETTERS.index(letters[:1]), _LETTERS.index(letters[1:])  # raise ValueError
    if column >= size or row >= size:
        raise ValueError
    return size - 1 - row, column


def points_of(raw: bytes, size: int) -> Iterator[Point]:
    """Yield the points of one value of a list: a point, or two opposite corners of a rectangle (`aa:cc`).

    An empty value has no point. Raises ValueError if the value, or a corner, is no point of the board.
    """
    first, colon, second = raw.partition(b":")
    one = point_of(first, size)
    if not colon:
        if one is None and first.split():
            raise ValueError  # tt is a pass
        if one is not None:
            yield one
        return
    two = point_of(second, size)
    if one is None or two is None:
        raise ValueError
    for row in range(min(one[0], two[0]), max(one[0], two[0]) + 1):
        for column in range(min(one[1], two[1]), max(one[1], two[1]) + 1):
            yield row, column


def last_point(size: int) -> str:
    """Return the lower right corner as SGF writes it: "ii" on 9x9."""
    return chr(_LETTERS[size - 1]) * 2


def colour_of(raw: bytes) -> Colour | None:
    """Return the colour that a value of PL names, also as 1 or 2; None for anything else."""
    return _COLOURS.get(raw.strip().lower())


def number_of(raw: bytes) -> float | None:
    """Return a decimal number, also one with a decimal comma.

    None for anything else, also for more than 20 characters or an exponent.
    """
    text = raw.strip().replace(b",", b".")
    return float(text) if len(text) <= 20 and _NUMBER.fullmatch(text) else None


def sizes_of(raw: bytes) -> tuple[int, int] | None:
    """Return (columns, rows) of `19`, `19:13`, `19x13` or `19*13`; None for any other text."""
    found = re.fullmatch(rb"\s*(\d{1,3})\s*(?:[:xX*]\s*(\d{1,3})\s*)?", raw)
    return (int(found[1]), int(found[2] or found[1])) if found else None
