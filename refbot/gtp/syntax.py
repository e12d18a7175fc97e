"""The text of GTP version 2 (draft 2): lines in, answers out, vertices, colours and numbers.

Pure functions. Each takes the set of names of the faults in force, and the branch of a fault stands
where the rule stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

MAX_ID = 2**31 - 1
MAX_SIZE = 25
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I
NO_FAULTS: AbstractSet[str] = frozenset()

_CONTROL = bytes([*range(0x20), 0x7F])
_KEPT = b"\t\n"
_DROPPED = bytes(code for code in _CONTROL if code not in _KEPT)
_GLUED_ID = re.compile(r"([0-9]+)(.*)", re.ASCII)
_VERTEX = re.compile(r"([A-Z])([1-9][0-9]?)", re.ASCII)
_LEADING_INT = re.compile(r"[+-]?[0-9]+", re.ASCII)
_LEADING_FLOAT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?", re.ASCII | re.IGNORECASE)
_LONGEST_NUMBER = 100  # characters; nothing longer is a size, a count or a komi


class GtpError(Exception):
    """A command that fails: `text` is what stands after the question mark."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class GtpSyntaxError(GtpError):
    """Arguments that can't be read. The draft fixes no words for it."""


@dataclass(frozen=True)
class Command:
    """One command: its id as it was written (`""`: none), its name, its arguments."""

    id: str
    name: str
    arguments: tuple[str, ...] = ()


def clean(line: bytes, faults: AbstractSet[str] = NO_FAULTS) -> bytes:
    """A line as the draft wants it read: no CR, no control characters, no comment, blanks for tabs.

    Bytes above 127 are not part of GTP; they stay, so that they can't turn one word into another.
    """
    line = line.removesuffix(b"\n").translate(None, _dropped(faults))
    if "comment-never" in faults:
        pass
    elif "comment-at-start-only" in faults:
        line = b"" if line.startswith(b"#") else line
    else:
        line = line.partition(b"#")[0]
    return line.replace(b"\t", b"" if "tab-dropped" in faults else b" ")


def _dropped(faults: AbstractSet[str]) -> bytes:
    if "control-kept" in faults:
        return b"\r"
    if "crlf-breaks" in faults:
        return _DROPPED.replace(b"\r", b"")
    return _DROPPED


def is_blank(cleaned: bytes) -> bool:
    """Whether nothing is left of a line but blanks: it gets no answer."""
    return not cleaned.strip(b" ")


def parse(cleaned: bytes, faults: AbstractSet[str] = NO_FAULTS) -> Command:
    """The command of a cleaned line that is not blank.

    A first word of digits up to 2^31 - 1 is the id; it is kept as it was written, so that the answer
    repeats it exactly. A larger number is a word like any other. With an id alone the name is `""`.
    """
    # Words that are not ASCII survive as lone surrogates: equal to no name, but still good for a file name.
    words = [word.decode("ascii", "surrogateescape") for word in _words(cleaned, faults)]
    if "id-glued" in faults:
        glued = _GLUED_ID.match(words[0])
        words = [*(part for part in glued.groups() if part), *words[1:]] if glued else words
    if "id-clamped" in faults and words[0].isdigit() and not _is_id(words[0]):
        words[0] = str(MAX_ID)
    if _is_id(words[0]):
        return Command(words[0], words[1] if len(words) > 1 else "", tuple(words[2:]))
    return Command("", words[0], tuple(words[1:]))


def _words(cleaned: bytes, faults: AbstractSet[str]) -> list[bytes]:
    if "blanks-kept-apart" in faults:
        return cleaned.strip(b" ").split(b" ")
    return [word for word in cleaned.split(b" ") if word]


def _is_id(word: str) -> bool:
    if not (word.isascii() and word.isdigit()):
        return False
    digits = word.lstrip("0")
    return len(digits) <= len(str(MAX_ID)) and int(digits or "0") <= MAX_ID


def frame(success: bool, id_text: str, text: str, faults: AbstractSet[str] = NO_FAULTS) -> bytes:
    """One answer as it goes over the wire: sign, id, blank, text, two line feeds.

    The text may have several lines, but none of them may be empty.
    """
    sign = "=" if success else "?"
    if "id-after-blank" in faults and id_text:
        sign += " "
    if "blank-line-inside" in faults:
        text = text.replace("\n", "\n\n", 1)
    end = "\n" if "one-line-feed" in faults else "\n\n"
    if "extra-line-feed" in faults:
        end += "\n"
    return f"{sign}{id_text} {text}{end}".encode("ascii")


def parse_vertex(text: str, size: int, faults: AbstractSet[str] = NO_FAULTS) -> int | None:
    """The point (row x size + column, row 0 at the bottom) that a vertex names; `None` is a pass.

    Raises `GtpSyntaxError` for what is no vertex at all, `GtpError("illegal move")` for one off the board.
    """
    if "vertex-upper-case-only" in faults and text != text.upper() and text != "pass":
        raise GtpSyntaxError("invalid vertex")
    if text.lower() == "pass":
        if "pass-refused" in faults or ("pass-lower-case-only" in faults and text != "pass"):
            raise GtpError("illegal move")
        return None
    match = _VERTEX.fullmatch(text.upper()) if text.isascii() else None
    columns = _columns(faults)
    if match is None or match[1] not in columns or int(match[2]) > MAX_SIZE:
        raise GtpSyntaxError("invalid vertex")
    column, row = columns.index(match[1]), int(match[2]) - 1
    if column >= size or row >= size:
        raise GtpError("illegal move")
    return row * size + column


def _columns(faults: AbstractSet[str]) -> str:
    if "columns-past-t-wrong" in faults:
        return COLUMNS.replace("U", "Y", 1)
    return "ABCDEFGHIJKLMNOPQRSTUVWXY" if "letter-i-used" in faults else COLUMNS


def format_vertex(point: int | None, size: int, faults: AbstractSet[str] = NO_FAULTS) -> str:
    """The name of a point, in capitals, or `pass`."""
    if point is None:
        return "pass"
    row, column = divmod(point, size)
    return f"{_columns(faults)[column]}{row + 1}"


def parse_colour(text: str, faults: AbstractSet[str] = NO_FAULTS) -> str:
    """`"b"` or `"w"`. Raises `GtpSyntaxError`."""
    lowered = text.lower() if text.isascii() else text
    if "colour-any-word" in faults:
        return "w" if lowered.startswith("w") else "b"
    accepted = ("b", "w") if "colour-one-letter-only" in faults else ("b", "w", "black", "white")
    if lowered not in accepted:
        raise GtpSyntaxError("invalid color")
    return lowered[0]


def parse_int(text: str, faults: AbstractSet[str] = NO_FAULTS) -> int:
    """A whole number in decimal digits. Raises `GtpSyntaxError`."""
    match = _LEADING_INT.match(text[:_LONGEST_NUMBER])
    if "numbers-by-atoi" in faults:
        return int(match[0]) if match else 0
    if match is None or match[0] != text:
        raise GtpSyntaxError("expected an integer")
    return int(text)


def parse_float(text: str, faults: AbstractSet[str] = NO_FAULTS) -> float:
    """A finite decimal number. Raises `GtpSyntaxError`, also for `nan`, `inf` and what overflows to it."""
    match = _LEADING_FLOAT.match(text[:_LONGEST_NUMBER])
    if "numbers-by-atoi" in faults:
        return float(match[0]) if match else 0.0
    if match is None or match[0] != text or not math.isfinite(float(text)):
        raise GtpSyntaxError("expected a number")
    return float(text)
