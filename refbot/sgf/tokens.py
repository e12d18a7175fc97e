r"""The nodes of the main line of each game in a file, one after the other, without recursion.

The main line of a game ends at the first closing parenthesis of its tree. The rest of the tree, which has the
variations, is skipped: `(;SZ[9];B[aa](;W[bb])(;W[cc]))` has the nodes SZ[9], B[aa] and W[bb]. The file is
scanned once, as far as the caller reads. `reader` gives the properties their meaning.

A value ends at the first `]` that no backslash escapes. In Shift-JIS, Big5 and GBK the second byte of a
character may itself be a backslash or a bracket (0x5C, 0x5D). The property CA names the charset, but it may
be missing, wrong, or after the first name. So CA is not used. The value is read byte by byte and in each of
these charsets. The earliest end that correct SGF follows is taken. Text in UTF-8 has one end only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from refbot.sgf.game import excerpt

BLANK = rb"(?:[\x00-\x1a\x1c-\x20\x7f]|\xef\xbb\xbf)*+"
"""Bytes between two tokens: blanks, control characters, and the mark of a UTF-8 file."""

# A value up to its bracket: `_END_OF_BYTES` reads byte by byte. If `_DOUBTFUL` is found in the value, a
# character of several bytes may hide or imitate the bracket.
_END_OF_BYTES = re.compile(rb"[^\]\\]*+(?:\\.[^\]\\]*+)*+\]", re.DOTALL)
_DOUBTFUL = re.compile(rb"[\x81-\xfe][\]\\]|\x1b\$")
_BLANK = re.compile(BLANK)
_PROPERTY = re.compile(rb"[A-Za-z][A-Za-z0-9]*+")
_VALUE = re.compile(rb"%b\[" % BLANK)
_GAME = re.compile(rb"\((?=%b;|[A-Z][A-Za-z]{0,20}+\[|%b[A-Z]{2}\[)" % (BLANK, BLANK))
"""Where a game begins. The first semicolon is missing in some files."""
_ROOT = re.compile(rb"\(%b;%b(?:FF|GM|FileFormat|GaMe)%b\[" % (BLANK, BLANK, BLANK))
"""A game begins here, even if another one is still open: no variation has these properties."""
_SIMPLE = re.compile(rb"[^\[\]()]*+(?:\[[^\]\\\x1b\x81-\xfe]*+\][^\[\]()]*+)*+")
"""Text without parentheses whose values need no closer look."""


def _end_with(character: bytes) -> re.Pattern[bytes]:
    """A value in a charset whose characters of several bytes match `character`."""
    return re.compile(rb"(?:%b|\\(?:%b|.)|[^\]\\])*+\]" % (character, character), re.DOTALL)


_CHARSETS = (
    _end_with(rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]"),  # Shift-JIS
    _end_with(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]"),  # Big5, GBK and what extends them
)
_ISO_2022 = _end_with(rb"\x1b\$[^\x1b]{1,1000}?\x1b\([BJ]")  # escape sequences begin and end Japanese text
_NAME = rb"[A-Za-z][A-Za-z0-9]*+%b\[" % BLANK
_CONTINUES = re.compile(
    rb"%b(?:\[|(?:\)%b)*+(?:\(%b[;(]|;%b(?:%b|\)|\Z)|\Z)|%b)" % (BLANK, BLANK, BLANK, BLANK, _NAME, _NAME)
)
"""Text after a value: another value, the end of its tree, a variation, a node, a property or nothing."""


class Property(NamedTuple):
    """A property of a node: its FF[4] name, its values as in the file, and the offset of its name."""

    name: bytes
    values: tuple[bytes, ...]
    place: int


Node = list[Property]
MOST_VALUES = 100_000
"""The most wanted values of one node; more are refused. The largest board has 2,704 points."""


class BadSyntaxError(Exception):
    """The text at `place`, a byte offset in the file, is not SGF."""

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(place, reason)
        self.place = place
        self.reason = reason


class Scanner:
    """Reads a file once from start to end: call `find_game`, `main_line`, `skip_game` for each game.

    A place is a byte offset in the file.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.unclosed = False  # the tree before this place lacks a closing parenthesis
        self._place = 0
        self._depth = 0  # number of open parentheses of the present game
        self._kept = 0  # number of kept values of the present node
        self._line, self._line_place = 1, 0  # the line of the place that was asked for last, and this place

    def find_game(self) -> int:
        """Go to the next game and return its place; -1 if no game is left. Text between games is skipped."""
        found = _GAME.search(self.data, self._place)
        if found is None:
            return -1
        self._place, self._depth, self.unclosed = found.end(), 1, False
        return found.start()

    def main_line(self, wanted: Collection[bytes]) -> Iterator[Node]:
        """Yield the nodes of the main line that have `wanted` properties. Raises BadSyntaxError.

        The game is the one that `find_game` has found. Other properties are left out.
        """
        node: Node = []
        data = self.data
        while True:
            blank = _BLANK.match(data, self._place)
            assert blank is not None
            place = self._place = blank.end()
            sign = data[place : place + 1]
            if sign in (b")", b"") or (sign == b"(" and _ROOT.match(data, place)):
                break
            if sign in (b";", b"("):  # a node begins, or a tree, whose first node follows
                self._place += 1
                self._kept = 0
                self._depth += sign == b"("
                if node:
                    yield node
                    node = []
            elif (found := self._read_property(place, wanted)) is not None:
                node.append(found)
        if sign == b")":
            self._place += 1
            self._depth -= 1
        else:  # the end of the file, or another game
            self._depth, self.unclosed = 0, True
        if node:
            yield node

    def _read_property(self, place: int, wanted: Collection[bytes]) -> Property | None:
        """Read the property at `place` and go to its end. Return it if it is wanted, else None."""
        data = self.data
        name = _PROPERTY.match(data, place)
        value = _VALUE.match(data, name.end()) if name else None
        if name is None or value is None:
            raise BadSyntaxError(
                place,
                f'"{excerpt(data[place : place + 60])}" is no property, ";", "(" or ")"; '
                'a "]" inside a text needs a backslash before it',
            )
        known = short_name(name[0])
        values: list[bytes] = []
        while value is not None:
            start = value.end()
            end = value_end(data, start)
            if end < 0:
                raise BadSyntaxError(
                    value.end() - 1,
                    f'no "]" ends the value "{excerpt(name[0] + data[start - 1 : start + 60])}"',
                )
            if known in wanted:
                values.append(data[start:end])
                self._kept += 1
                if self._kept > MOST_VALUES:
                    raise BadSyntaxError(place, f"a node has more than {MOST_VALUES:,} values")
            self._place = end + 1
            value = _VALUE.match(data, end + 1)
        return Property(known, tuple(values), place) if known in wanted else None

    def skip_game(self) -> None:
        """Go to the end of the game that was begun, or of the file, or to the next game inside this one."""
        data = self.data
        while self._depth > 0:
            simple = _SIMPLE.match(data, self._place)
            assert simple is not None
            place = simple.end()
            sign = data[place : place + 1]
            self._place = place + 1
            if sign == b"[":
                end = value_end(data, place + 1)
                self._place = len(data) if end < 0 else end + 1
            elif sign == b"(" and _ROOT.match(data, place):
                self._place, self._depth, self.unclosed = place, 0, True
            elif sign == b"(":
                self._depth += 1
            elif sign == b")":
                self._depth -= 1
            elif not sign:
                self._depth, self.unclosed = 0, True

    def line_of(self, place: int) -> int:
        """Return the number of the line of a place, from 1. Quickest if the places of the calls ascend."""
        if place < self._line_place:
            self._line, self._line_place = 1, 0
        self._line += self.data.count(b"\n", self._line_place, place)
        self._line_place = place
        return self._line


def short_name(name: bytes) -> bytes:
    """Return the FF[4] name of a property: AB for `AddBlack`, the form of FF[1] to FF[3], or for `ab`."""
    short = name.translate(None, b"abcdefghijklmnopqrstuvwxyz")
    return short or name.upper()


def value_end(data: bytes, start: int) -> int:
    r"""Return the place of the bracket that closes the value whose text begins at `start`; -1 if none does.

    Example: for the data `C[a\]b]` and the start 2 it is 6, because a backslash escapes the bracket at 4.
    """
    found = _END_OF_BYTES.match(data, start)
    end = found.end() - 1 if found else -1
    limit = len(data) if end < 0 else end + 1
    if _DOUBTFUL.search(data, start, limit) is None:
        return end
    if end >= 0 and _is_utf8(data[start:end]) and _CONTINUES.match(data, end + 1):
        return end
    # Each charset has an end of its own. Take the earliest one after which the text goes on as SGF does; but
    # the end by escape sequences, if there are any, comes first, because it is never in doubt.
    ends = {end} | {found.end() - 1 for charset in _CHARSETS if (found := charset.match(data, start))}
    shifted = _ISO_2022.match(data, start) if data.find(b"\x1b$", start, limit) >= 0 else None
    candidates = [shifted.end() - 1] if shifted else []
    candidates += sorted(ends - {-1})
    return next((each for each in candidates if _CONTINUES.match(data, each + 1)), end)


def _is_utf8(raw: bytes) -> bool:
    if b"\x1b$" in raw:  # ISO-2022 has no other bytes than ASCII
        return False
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
