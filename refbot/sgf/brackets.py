r"""Where a property value ends, in any charset and without knowing which.

A value ends at the first `]` that no backslash escapes. In Shift-JIS, Big5 and GBK the second byte of a
character may itself be a backslash or a bracket (0x5C, 0x5D). CA names the charset, but CA may be missing or
wrong, or follow the first name. So CA is not asked. The value is read byte by byte and in each of these
charsets; the earliest end wins after which the file goes on as SGF does. UTF-8 is never in doubt.
"""

from __future__ import annotations

import re

BLANK = rb"(?:[\x00-\x1a\x1c-\x20\x7f]|\xef\xbb\xbf)*+"
"""What may stand between two tokens: blanks, control characters, and the mark of a UTF-8 file."""

_END_OF_BYTES = re.compile(rb"[^\]\\]*+(?:\\.[^\]\\]*+)*+\]", re.DOTALL)
_DOUBTFUL = re.compile(rb"[\x81-\xfe][\]\\]|\x1b\$")


def _end_with(character: bytes) -> re.Pattern[bytes]:
    """A value in a charset whose characters of several bytes match `character`."""
    return re.compile(rb"(?:%b|\\(?:%b|.)|[^\]\\])*+\]" % (character, character), re.DOTALL)


_CHARSETS = (
    _end_with(rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]"),  # Shift-JIS
    _end_with(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]"),  # Big5, GBK and what extends them
)
_ISO_2022 = _end_with(rb"\x1b\$[^\x1b]{1,1000}?\x1b\([BJ]")  # shifts by escape sequences: never in doubt
_NAME = rb"[A-Za-z][A-Za-z0-9]*+%b\[" % BLANK
_CONTINUES = re.compile(
    rb"%b(?:\[|(?:\)%b)*+(?:\(%b[;(]|;%b(?:%b|\)|\Z)|\Z)|%b)" % (BLANK, BLANK, BLANK, BLANK, _NAME, _NAME)
)
"""What follows a value: another one, the end of its tree, a variation, a node, a property or nothing."""


def value_end(data: bytes, start: int) -> int:
    """The place of the bracket that closes the value whose text begins at `start`; -1 if none does."""
    found = _END_OF_BYTES.match(data, start)
    end = found.end() - 1 if found else -1
    limit = len(data) if end < 0 else end + 1
    if _DOUBTFUL.search(data, start, limit) is None:
        return end
    if end >= 0 and _is_utf8(data[start:end]) and _CONTINUES.match(data, end + 1):
        return end
    ends = {end} | {found.end() - 1 for charset in _CHARSETS if (found := charset.match(data, start))}
    shifted = _ISO_2022.match(data, start) if data.find(b"\x1b$", start, limit) >= 0 else None
    tried = [shifted.end() - 1] if shifted else []
    tried += sorted(ends - {-1})
    return next((each for each in tried if _CONTINUES.match(data, each + 1)), end)


def _is_utf8(raw: bytes) -> bool:
    if b"\x1b$" in raw:  # ISO-2022 has no other bytes than ASCII
        return False
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
