"""Pure functions for GTP lines: write and read commands, parse answers, make raw bytes printable.

The grammar is GTP version 2, draft 2. A command is `[id] name [arguments]` and a line feed. An answer is
`=[id] text` or, for a failure, `?[id] text`, and two line feeds. No blank separates the sign from the id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from harness.gtp.errors import CommandError
from harness.gtp.numbers import parse_count

REQUIRED_COMMANDS = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove"),
)
"""The commands that every GTP engine must have (draft 2, section 6)."""

MAX_ID = 2**31 - 1  # the largest id that draft 2 allows

AnswerFault = Literal[
    "nothing",
    "no-sign",
    "unfinished",
    "one-newline",
    "trailing",
    "no-space",
    "id-too-large",
    "id-not-adjacent",
]

_SENTENCES: dict[AnswerFault, str] = {
    "nothing": "no answer at all",
    "no-sign": "does not begin with = or ?",
    "unfinished": "stops in the middle of a line",
    "one-newline": "ends with one line feed instead of two",
    "trailing": "continues after the blank line that ends it",
    "no-space": "no blank between the sign (with its id) and the text",
    "id-too-large": f"carries an id above {MAX_ID}",
    "id-not-adjacent": "has a blank between the sign and the id",
}

# A line such as "=====" is a log line, not an answer: a sign is not followed by another sign.
# .NET programs put a byte order mark before their first byte of output.
ANSWER_SIGN = re.compile(rb"(?m)^(?:\xef\xbb\xbf)?([=?])(?=[^=?])")
ANSWER_END = re.compile(rb"\n\r?\n")

_DROPPED = bytes({*range(32), 127} - set(b"\t\n"))
"""The control characters that an engine drops from a command line."""

REMEMBERED = 1 << 13
"""Entries in each cache of parsed lines and answers. Chosen: `play` has 722 lines on 19x19; ids vary them."""

SHORT_ANSWER = 32
"""Size in bytes of the longest answer that is cached; longer ones seldom repeat."""

_HEAD = re.compile(rb"([=?])([0-9]*)(.?)", re.DOTALL)
_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\"}


@dataclass(frozen=True)
class Answer:
    """A well-formed answer: success or failure (`ok`), its id, and its text without the blanks around it.

    `text` is safe to print: escapes replace control characters and bytes that are not UTF-8.
    """

    ok: bool
    id: int | None
    text: str


@dataclass(frozen=True)
class Malformed:
    """An answer that breaks the grammar: its fault, and what a lenient reader reads (None: nothing).

    Of several faults, that of the end comes first.
    """

    fault: AnswerFault
    reading: Answer | None

    def __str__(self) -> str:
        return _SENTENCES[self.fault]


def parse_answer(raw: bytes, id: int | None = None) -> Answer | Malformed:  # noqa: A002  # GTP's own word
    """Parse one answer, from its sign to its blank line. Accepts any bytes and never raises.

    `id` is the id of the command. It is needed to distinguish `= 12 x` with a misplaced id from the answer
    "12 x". An answer with a wrong id or without one is well-formed; the caller compares the ids. CRs are
    dropped, as the draft allows.
    """
    return _parse_short(raw, id) if len(raw) <= SHORT_ANSWER else _parse(raw, id)


def _parse(raw: bytes, id: int | None) -> Answer | Malformed:  # noqa: A002
    """Do what `parse_answer` does, without a cache."""
    if not raw:
        return Malformed("nothing", None)
    body = raw.replace(b"\r", b"")
    head = _HEAD.match(body)
    if head is None:
        return Malformed("no-sign", None)
    sign, digits, behind = head.groups()
    own_id = parse_count(digits.decode("ascii"), MAX_ID)
    too_large = digits != b"" and own_id is None
    text = body[1 + len(digits) :].split(b"\n\n", 1)[0]
    reading = Answer(sign == b"=", own_id, _text(text))
    fault = _ending_fault(body)
    if fault is None and behind not in (b" ", b"\t", b"\n"):
        fault = "no-space"
    if fault is None and too_large:
        fault = "id-too-large"
    if fault is None and id is not None and own_id is None:
        first, _, rest = reading.text.partition(" ")
        if first == str(id):
            fault = "id-not-adjacent"
            reading = Answer(reading.ok, id, rest.lstrip())
    return reading if fault is None else Malformed(fault, reading)


_parse_short = lru_cache(REMEMBERED)(_parse)


def _ending_fault(body: bytes) -> AnswerFault | None:
    """The fault at the end of an answer, if any. `body` has no CRs."""
    end = body.find(b"\n\n")
    if end >= 0:
        return None if end == len(body) - 2 else "trailing"
    return "one-newline" if body.endswith(b"\n") else "unfinished"


def _text(body: bytes) -> str:
    return printable_lines(body).rstrip().lstrip(" \t")


def command_line(name: str, *args: object, id: int | None = None) -> bytes:  # noqa: A002  # GTP's own word
    """One command as the bytes to send: `command_line("play", "b", "A1", id=7)` is "7 play b A1" with its LF.

    Raises CommandError for text that an engine would read as something else: a name that is a number, is
    empty or has blanks, control characters or `#` anywhere, characters beyond ASCII, an id outside
    0 … 2³¹ − 1. To send such text on purpose, send bytes.
    """
    words = [name, *(str(arg) for arg in args)]
    line = " ".join(words)
    if not name or " " in name or name.isdigit():
        raise CommandError(f"{name!r} is not a command name: expected one word that is no number")
    if not (line.isascii() and line.isprintable()) or "#" in line:
        raise CommandError(f"{line!r} cannot be sent as a GTP command: expected printable ASCII without #")
    if id is None:
        return line.encode("ascii") + b"\n"
    if not 0 <= id <= MAX_ID:
        raise CommandError(f"{id} is not a GTP id: expected 0 to {MAX_ID}")
    return f"{id} {line}\n".encode("ascii")


@lru_cache(REMEMBERED)
def command_id(line: bytes) -> int | None:
    """The id of a command line; None if it has none, one above MAX_ID, or one of more than ten digits."""
    words = line.split(maxsplit=1)
    if words and words[0].isdigit() and len(words[0]) <= len(str(MAX_ID)):
        number = int(words[0])
        return number if number <= MAX_ID else None
    return None


@lru_cache(REMEMBERED)
def command_words(line: bytes) -> tuple[bytes, ...]:
    """The name and the arguments of a command, without an id before it.

    The line is read as an engine reads it, without control characters, comments and empty lines. If there
    are several commands, the first counts. Empty if there is none.
    """
    for part in line.split(b"\n"):
        words = part.translate(None, _DROPPED).partition(b"#")[0].split()
        if words and words[0].isdigit():
            del words[0]
        if words:
            return tuple(words)
    return ()


def command_name(line: bytes) -> bytes:
    """The name of the command in a line; empty for a line that gets no answer."""
    words = command_words(line)
    return words[0] if words else b""


def printable(raw: bytes) -> str:
    """`raw` as one line without control characters for a terminal; different bytes give different text."""
    return printable_text(raw.decode("utf-8", "surrogateescape"))


def printable_text(text: str) -> str:
    """Return the text with backslashes, unprintable characters and bytes of surrogateescape as escapes."""
    if text.isprintable() and "\\" not in text:
        return text
    if text.isascii():
        return text.translate(_ASCII_ESCAPES)
    return "".join(_escape(char) if char == "\\" else _safe(char) for char in text)


def cut(text: str, most: int) -> str:
    """Return the first `most` characters of a text, and `…` if there are more."""
    return text if len(text) <= most else f"{text[:most]}…"


def printable_lines(raw: bytes) -> str:
    """Like `printable`, but keeps line feeds, tabs and backslashes: for text of several lines."""
    text = raw.decode("utf-8", "surrogateescape")
    if text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(char if char in "\n\t\\" else _safe(char) for char in text)


def _safe(char: str) -> str:
    return char if char.isprintable() else _escape(char)


def _escape(char: str) -> str:
    r"""The escape of a character as Python writes it, such as \n, \x1b or \u202e."""
    if char in _ESCAPES:
        return _ESCAPES[char]
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, encoded by surrogateescape
        return f"\\x{code - 0xDC00:02x}"
    if 0x80 <= code <= 0xFF:  # \x80 is the byte, which is not UTF-8
        return f"\\u{code:04x}"
    return char.encode("unicode_escape").decode("ascii")


_ASCII_ESCAPES = {
    code: _escape(chr(code)) for code in range(128) if not chr(code).isprintable() or code == ord("\\")
}
