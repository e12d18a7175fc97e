"""The text format of GTP version 2 (draft 2): command lines, answers, vertices, colours and numbers.

The functions are pure. Each takes the switches in force (faults and habits); the branch of a switch is where
its rule is implemented. A docstring says what the function does without switches.
"""

from __future__ import annotations

import math
import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.deviations.switches import Switch
from refbot.errors import RefbotError

MAX_ID, MAX_SIZE = 2**31 - 1, 25  # of the draft
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I
_COLUMN_K = COLUMNS.index("K")
NO_SWITCHES: frozenset[Switch] = frozenset()

_CONTROL = bytes([*range(0x20), 0x7F])
_KEPT = b"\t\n"
_DROPPED = bytes(code for code in _CONTROL if code not in _KEPT)
_GLUED_ID = re.compile(r"([0-9]+)(.*)", re.ASCII)
_VERTEX = re.compile(r"([A-Z])([1-9][0-9]?)", re.ASCII)
_LEADING_INT = re.compile(r"[+-]?[0-9]+", re.ASCII)
_LEADING_FLOAT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?", re.ASCII | re.IGNORECASE)
_PLAIN_FLOAT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_SHORT = 64  # bytes; parsed lines up to this length are cached; chosen: the lines of a game are shorter
_MOST_REMEMBERED = 4096  # entries of each cache of lines or words, which recur in every game; chosen
_LONGEST_NUMBER = 100  # characters of a number; chosen: no size, count or komi is nearly as long


class GtpError(RefbotError):
    """A command that fails. `text` is the text of its answer, after the question mark."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class DeliberateCrashError(RefbotError):
    """Ends the process: a fault in force makes the bot crash here."""


class GtpSyntaxError(GtpError):
    """Arguments that cannot be read. The draft does not fix the text of this error."""


class MissingArgumentError(GtpSyntaxError):
    """A command that needs more arguments than it has."""

    def __init__(self) -> None:
        super().__init__("missing argument")


@dataclass(frozen=True)
class Command:
    """One command. `id` is the text of the id, `""` without one."""

    id: str
    name: str
    arguments: tuple[str, ...] = ()


def clean(line: bytes, switches: AbstractSet[Switch] = NO_SWITCHES) -> bytes:
    """Return a line after the preprocessing of the draft: no control characters, no comment, blanks for tabs.

    Bytes above 127 are not part of GTP. They are kept: a word with them equals no other word.
    """
    line = line.removesuffix(b"\n").translate(None, _dropped(switches))
    if Faults.COMMENT_NEVER in switches:
        pass
    elif Faults.COMMENT_AT_START_ONLY in switches:
        line = b"" if line.startswith(b"#") else line
    else:
        line = line.partition(b"#")[0]
    return line.replace(b"\t", b"" if Faults.TAB_DROPPED in switches else b" ")


def _dropped(switches: AbstractSet[Switch]) -> bytes:
    """Return the control characters that are dropped."""
    if Faults.CONTROL_KEPT in switches:
        return b"\r"
    if Faults.CRLF_BREAKS in switches:
        return _DROPPED.replace(b"\r", b"")
    return _DROPPED


def read(line: bytes, switches: frozenset[Switch] = NO_SWITCHES) -> Command | None:
    """Clean and parse a line: return its command, None for a blank line. Short lines are cached."""
    return _remembered(line, switches) if len(line) <= _SHORT else _read(line, switches)


def _read(line: bytes, switches: frozenset[Switch]) -> Command | None:
    cleaned = clean(line, switches)
    return parse(cleaned, switches) if cleaned.strip(b" ") else None


_remembered = lru_cache(_MOST_REMEMBERED)(_read)


def parse(cleaned: bytes, switches: AbstractSet[Switch] = NO_SWITCHES) -> Command:
    """Return the command of a cleaned line that is not blank: name "play" and id "7" of `7 play b D4`.

    A first word that is a number up to 2^31 - 1 is the id. It is kept as it was written, because the answer
    repeats it exactly. A larger number is an ordinary word. If the line has only an id, the name is `""`.
    """
    # Bytes beyond ASCII become lone surrogates: such a word equals no name, but can name a file.
    words = [word.decode("ascii", "surrogateescape") for word in _words(cleaned, switches)]
    if Habits.ID_GLUED in switches:
        glued = _GLUED_ID.match(words[0])
        words = [*(part for part in glued.groups() if part), *words[1:]] if glued else words
    if Habits.ID_CLAMPED in switches and words[0].isdigit() and not _is_id(words[0]):
        words[0] = str(MAX_ID)
    if _is_id(words[0]) or (Habits.ID_OF_ANY_LENGTH in switches and words[0].isdigit()):
        return Command(words[0], words[1] if len(words) > 1 else "", tuple(words[2:]))
    return Command("", words[0], tuple(words[1:]))


def _words(cleaned: bytes, switches: AbstractSet[Switch]) -> list[bytes]:
    if Habits.BLANKS_KEPT_APART in switches:
        return cleaned.strip(b" ").split(b" ")
    return [word for word in cleaned.split(b" ") if word]


def _is_id(word: str) -> bool:
    if not (word.isascii() and word.isdigit()):
        return False
    digits = word.lstrip("0")
    return len(digits) <= len(str(MAX_ID)) and int(digits or "0") <= MAX_ID


@lru_cache(_MOST_REMEMBERED)
def frame(success: bool, id_text: str, text: str, switches: frozenset[Switch] = NO_SWITCHES) -> bytes:
    """Return one answer as it goes over the wire: sign, id, blank, text, two line feeds.

    Success with the id "7" and the text "D4" is `=7 D4`. The text is ASCII, and may be empty. It may have
    several lines, but none of them may be empty.
    """
    sign = "=" if success else "?"
    if Faults.ID_AFTER_BLANK in switches and id_text:
        sign += " "
    if Faults.BLANK_LINE_INSIDE in switches:
        text = text.replace("\n", "\n\n", 1)
    end = "\n" if Faults.ONE_LINE_FEED in switches else "\n\n"
    if Faults.EXTRA_LINE_FEED in switches:
        end += "\n"
    blank = "" if Faults.BLANK_AFTER_SIGN_MISSING in switches else " "
    return f"{sign}{id_text}{blank}{text}{end}".encode("ascii")


@lru_cache(_MOST_REMEMBERED)
def parse_vertex(text: str, size: int, switches: frozenset[Switch] = NO_SWITCHES) -> int | None:
    """Return the point (row x size + column, row 0 at the bottom) that a vertex names; `None` is a pass.

    On 9x9, "C2" is 11. Raises `GtpSyntaxError` for text that is not a vertex, `GtpError("illegal move")` for
    one off the board.
    """
    if Faults.VERTEX_UPPER_CASE_ONLY in switches and text != text.upper() and text != "pass":
        raise GtpSyntaxError("invalid vertex")
    if text.lower() == "pass":
        if Faults.PASS_REFUSED in switches or (Faults.PASS_LOWER_CASE_ONLY in switches and text != "pass"):
            raise GtpError("illegal move")
        return None
    if Faults.LETTER_I_AS_J in switches and text[:1] in ("I", "i"):
        text = "J" + text[1:]
    fits = _VERTEX.match if Habits.VERTEX_WITH_REST in switches else _VERTEX.fullmatch
    match = fits(text.upper()) if text.isascii() else None
    columns = _columns(switches)
    if match is None or match[1] not in columns or int(match[2]) > MAX_SIZE:
        raise GtpSyntaxError("invalid vertex")
    column, row = columns.index(match[1]), int(match[2]) - 1
    if column >= size or row >= size:
        raise GtpError("illegal move")
    return row * size + column


def _columns(switches: AbstractSet[Switch]) -> str:
    if Faults.COLUMNS_PAST_T_WRONG in switches:
        return COLUMNS.replace("U", "Y", 1)  # Y twice: that of U is found first
    return "ABCDEFGHIJKLMNOPQRSTUVWXY" if Faults.LETTER_I_USED in switches else COLUMNS


def format_vertex(point: int | None, size: int, switches: AbstractSet[Switch] = NO_SWITCHES) -> str:
    """Return the name of a point (row x size + column), in capitals: "C2" for 11 on 9x9. None is "pass"."""
    if point is None:
        return "PASS" if Habits.PASS_UPPER_CASE in switches else "pass"
    row, column = divmod(point, size)
    vertex = f"{_columns(switches)[column]}{row + 1}"
    return vertex.lower() if Habits.VERTEX_LOWER_CASE in switches else vertex


def format_answer(point: int | None, size: int, switches: AbstractSet[Switch] = NO_SWITCHES) -> str:
    """Return the answer of genmove for the point that it chose; see `format_vertex`."""
    if Faults.GENMOVE_COLUMNS_PAST_J in switches and point is not None and point % size >= _COLUMN_K:
        point -= 1
    return format_vertex(point, size, switches)


@lru_cache(_MOST_REMEMBERED)
def parse_colour(text: str, switches: frozenset[Switch] = NO_SWITCHES) -> str:
    """Return "b" for b or black, "w" for w or white, in any case. Raises `GtpSyntaxError` for other words."""
    lowered = text.lower() if text.isascii() else text
    if Faults.COLOUR_ANY_WORD in switches:
        return "w" if lowered.startswith("w") else "b"
    if Faults.COLOUR_BY_LETTER in switches and lowered[:1] in ("b", "w"):
        return lowered[0]
    accepted = ("b", "w") if Faults.COLOUR_ONE_LETTER_ONLY in switches else ("b", "w", "black", "white")
    if lowered not in accepted:
        raise GtpSyntaxError("invalid color")
    return lowered[0]


def parse_int(text: str, switches: AbstractSet[Switch] = NO_SWITCHES) -> int:
    """Return a whole number in decimal digits with an optional sign.

    Raises `GtpSyntaxError` for other text, also for a number of more than _LONGEST_NUMBER characters.
    """
    match = _LEADING_INT.match(text[:_LONGEST_NUMBER])
    if Faults.NUMBERS_BY_ATOI in switches:
        return int(match[0]) if match else 0
    if Habits.NUMBER_WITH_REST in switches and match is not None:
        return int(match[0])
    if match is None or match[0] != text:
        raise GtpSyntaxError("expected an integer")
    return int(text)


def parse_float(text: str, switches: AbstractSet[Switch] = NO_SWITCHES) -> float:
    """Return a finite decimal number, such as 7.5 or -1e2.

    Raises `GtpSyntaxError` for other text, also for `nan`, `inf`, a number that is too large for a float, and
    one of more than _LONGEST_NUMBER characters.
    """
    match = _LEADING_FLOAT.match(text[:_LONGEST_NUMBER])
    if Faults.NUMBERS_BY_ATOI in switches:
        return float(match[0]) if match else 0.0
    if Habits.NUMBER_WITH_REST in switches and match is not None:
        return float(match[0])
    if Habits.KOMI_INFINITE in switches and (text == "inf" or (match is not None and match[0] == text)):
        return float(text)
    if Faults.KOMI_NAN in switches and text == "nan":
        return math.nan
    refused_by_habit = Habits.KOMI_PLAIN in switches and _PLAIN_FLOAT.fullmatch(text) is None
    if refused_by_habit or match is None or match[0] != text or not math.isfinite(float(text)):
        raise GtpSyntaxError("expected a number")
    return float(text)


@dataclass(frozen=True)
class Arguments:
    """The words after the name of a command. More words than a command needs are ignored."""

    words: tuple[str, ...]
    switches: frozenset[Switch]

    def word(self, index: int) -> str:
        """Return argument `index`, counted from 0. Raises `MissingArgumentError` if there is none."""
        if index >= len(self.words):
            if Faults.MISSING_ARGUMENT_CRASHES in self.switches:
                raise DeliberateCrashError("missing argument")
            raise MissingArgumentError
        return self.words[index]

    def colour(self, index: int) -> str:
        """Parse argument `index` as a colour: `"b"` or `"w"`. Raises `GtpSyntaxError`."""
        return parse_colour(self.word(index), self.switches)

    def vertex(self, index: int, size: int) -> int | None:
        """Parse argument `index` as a point of the board, or `None` for a pass. Raises `GtpError`."""
        word = self.word(index)
        try:
            return parse_vertex(word, size, self.switches)
        except GtpError:
            if Faults.OFF_BOARD_CRASHES in self.switches:
                raise DeliberateCrashError("a vertex off the board") from None
            raise

    def integer(self, index: int) -> int:
        """Parse argument `index` as a whole number. Raises `GtpSyntaxError`."""
        return parse_int(self.word(index), self.switches)

    def count(self, index: int) -> int:
        """Parse argument `index` as a whole number from 0. Raises `GtpSyntaxError`."""
        number = self.integer(index)
        if number < 0:
            raise GtpSyntaxError("expected a number that is not negative")
        return number

    def number(self, index: int) -> float:
        """Parse argument `index` as a number. Raises `GtpSyntaxError`."""
        return parse_float(self.word(index), self.switches)
