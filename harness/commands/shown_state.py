"""Readings of answers that show the state of a game: boards, lists of stones, records, numbers.

Each reading keeps what depends on the game alone, and leaves out the rest, such as a clock, a counter of
commands or the text of the last error. It returns None for an answer that it cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from harness.check.bot.wording import sent_text
from harness.gtp import command_name, parse_decimal

ALL_UNDONE = b"undo all\n"
"""A question that no bot gets: how often does undo succeed, up to a refusal?"""

Reading = Callable[[str, int], str | None]
"""Function of the text of an answer and the board size: what it shows of the game, None if unreadable."""

_ROW = re.compile(r"^\D{0,4}?(\d{1,2})\b(.*)$")
"""A row of a drawn board: its number, then its points."""
_MARKS = re.compile(r"\x1b\[[0-9;]*m|[\s()\[\]<>|{}]")
"""Colours of a terminal, blanks, and the signs that mark the last move."""

# The properties of a game record that count: settings, then stones and moves.
_SETTINGS = re.compile(r"\b(SZ|KM|HA|PL)\s*\[([^\]]*)\]")
_MOVES = re.compile(r"(?<![A-Z])(AB|AW|AE|B|W)((?:\s*\[[a-z]{0,2}\])+)")


def read_board(text: str, size: int) -> str | None:
    """Return the points of a drawn board, the top row first; None if a row is missing.

    On a board of 4x4, the line " 4 . . X O 4" gives "..XO"; rows are joined by "/".
    """
    rows: dict[int, str] = {}
    for line in text.splitlines():
        match = _ROW.match(line)
        if match is None or not 1 <= int(match[1]) <= size or int(match[1]) in rows:
            continue
        points = _MARKS.sub("", re.split(rf"\s{match[1]}(?!\d)", match[2])[0])
        if len(points) >= size:
            rows[int(match[1])] = points[:size]
    return "/".join(rows[row] for row in range(size, 0, -1)) if len(rows) == size else None


def read_vertices(text: str, _size: int) -> str | None:
    """Return the words of a list of vertices, sorted and in capitals: "C3 D4" for "d4 c3"."""
    return " ".join(sorted(text.upper().split()))


def read_words(text: str, _size: int) -> str | None:
    """Return the words of an answer, in small letters and with single blanks between them."""
    return " ".join(text.lower().split())


def read_number(text: str, _size: int) -> str | None:
    """Return the number that an answer consists of, in its shortest form: "7.5" for "7.50"; else None."""
    value = parse_decimal(text)
    return None if value is None else f"{value:g}"


def read_record(text: str, _size: int) -> str | None:
    """Return size, komi, handicap, side to move, stones and moves of a game record in SGF.

    "(;FF[4]SZ[9]C[at 12:01];B[cg])" gives "SZ[9] B[cg]". None if it has none of these properties.
    """
    settings = [f"{name}[{value.strip()}]" for name, value in _SETTINGS.findall(text)]
    moves = [f"{name}{''.join(points.split())}" for name, points in _MOVES.findall(text)]
    return " ".join([*sorted(settings), *moves]) or None


QUERIES: dict[bytes, Reading] = {
    b"showboard\n": read_board,
    b"list_stones black\n": read_vertices,
    b"list_stones white\n": read_vertices,
    b"get_komi\n": read_number,
    b"query_boardsize\n": read_words,
    b"move_history\n": read_words,
    b"last_move\n": read_words,
    b"captures black\n": read_words,
    b"captures white\n": read_words,
    b"is_legal w B1\n": read_words,
    b"printsgf\n": read_record,
}
"""Queries that show the state of a game, and how to read their answers."""


def name_question(line: bytes) -> str:
    """Return a question as a report shows it: "play w B1", or "undo, repeated" for ALL_UNDONE."""
    return "undo, repeated" if line == ALL_UNDONE else sent_text(line)


@dataclass(frozen=True)
class Sight:
    """The answer to one line.

    shown   the answer, for a report
    value   what it shows of the game, by its reading; None if it cannot be compared
    """

    line: bytes
    shown: str
    value: str | None

    def beside(self, other: Sight) -> str:
        """Describe this answer beside one with another value, as "get_komi → 7.5 instead of 6.5".

        For two boards, it shows the first row that differs. It leaves out an answer to another line.
        """
        question = name_question(self.line)
        if self.line != other.line:
            return f"{question} → {self.shown}"
        if QUERIES.get(self.line) is read_board and self.value and other.value:
            pairs = enumerate(zip(self.value.split("/"), other.value.split("/"), strict=True))
            size = self.value.count("/") + 1
            row, (mine, theirs) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
            return f"{question} → row {size - row}: {mine} instead of {theirs}"
        return f"{question} → {self.shown} instead of {other.shown}"


def queries_of(commands: Iterable[str]) -> tuple[bytes, ...]:
    """Return the queries that a bot with these commands has."""
    known = set(commands)
    return tuple(line for line in QUERIES if command_name(line).decode("ascii") in known)
