"""Parse and write vertices and colours in GTP's notation. A vertex is a point such as C3, or `pass`.

A point is `(row, col)` with row 0 at the bottom and column 0 at A; `None` is a pass. Colours are "b" and "w".
"""

from __future__ import annotations

import re
from typing import Literal

from harness.gtp.errors import ColourError, VertexError

Point = tuple[int, int]
Colour = Literal["b", "w"]

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # without I, as on every Go diagram
MAX_SIZE = len(COLUMNS)

_VERTEX = re.compile(r"([A-Za-z])([1-9][0-9]?)")
_COLOURS: dict[str, Colour] = {"b": "b", "black": "b", "w": "w", "white": "w"}


def parse_vertex(text: str, size: int) -> Point | None:
    """Return the point that `text` names on a board of `size` lines; None for a pass. Case does not matter.

    Raises VertexError for any other text. `resign` is such a text: an answer of `genmove`, but no vertex.
    """
    if text.lower() == "pass":
        return None
    match = _VERTEX.fullmatch(text)
    if match is None:
        raise VertexError(text, size, "expected a letter and a number, or pass")
    letter, number = match[1].upper(), int(match[2])
    if letter == "I":
        raise VertexError(text, size, "the letter I is not used")
    point = (number - 1, COLUMNS.index(letter))
    if max(point) >= size:
        raise VertexError(text, size, "off the board")
    return point


def format_vertex(point: Point | None) -> str:
    """Return "A1" for (0, 0), "pass" for None. Raises VertexError off the largest board that GTP can name."""
    if point is None:
        return "pass"
    row, col = point
    if not (0 <= row < MAX_SIZE and 0 <= col < MAX_SIZE):
        raise VertexError(str(point), MAX_SIZE, "off the board")
    return f"{COLUMNS[col]}{row + 1}"


def parse_colour(text: str) -> Colour:
    """Return "b" or "w" for any of GTP's four names. Case does not matter. Raises ColourError."""
    try:
        return _COLOURS[text.lower()]
    except KeyError:
        raise ColourError(text) from None


def other(colour: Colour) -> Colour:
    """Return the opponent of `colour`."""
    return "w" if colour == "b" else "b"
