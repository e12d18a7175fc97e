"""Readings of answers that show the state of a game.

A reading is a function that returns what is wrong with the text of an answer, or an empty text. Functions
named `read_…` are readings; functions named `expect_…` return one that compares a text with what is right. An
example: `expect_number(6.5)("6.50")` is empty, and `expect_number(6.5)("7")` is "expected 6.5".

A reading asks for no more than the clauses of docs/gtp.md: any order, any case, further fields of a record.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from harness.go import Point, Position, Rules, SgfError, play_record, read_sgf
from harness.gtp import COLUMNS, VertexError, format_vertex, parse_decimal, parse_vertex, printable_text
from refbot.sgf import SETS_UP_LATE

Reading = Callable[[str], str]
"""Returns what is wrong with the text of an answer, such as "expected 6.5"; empty for a right one."""

SCORE = re.compile(r"(?i)[bw]\+(\d+\.?\d*|\.\d+)|0+(\.0*)?")
KOMI_ERROR = 0.005
"""Largest error of a printed komi; chosen: it has two decimals or more."""

MOST_NAMED = 6
"""Most points that a fault names; chosen: they fit in one line."""

MILDEST = Rules("simple", suicide=True)
"""Rules by which a printed record is replayed."""


def in_words(points: Iterable[Point]) -> str:
    """Return the vertices of points for a report; … stands for those after the first MOST_NAMED."""
    names = [format_vertex(point) for point in sorted(points)]
    return " ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")


def expect_words(*right: str) -> Reading:
    """Return a reading of a text that must be one of these, in any case and with any blanks between words."""
    wanted = [text.lower().split() for text in right]
    return lambda text: (
        "" if text.lower().split() in wanted else f"expected {' or '.join(right) or 'no text'}"
    )


def expect_number(right: float) -> Reading:
    """Return a reading of a text that must be this number."""

    def read(text: str) -> str:
        number = parse_decimal(text)
        return "" if number is not None and abs(number - right) <= KOMI_ERROR else f"expected {right:g}"

    return read


def parse_points(text: str, size: int) -> Counter[Point | None]:
    """Return how often a text such as "D4 E5 pass" names each point (None: a pass). Raises VertexError."""
    return Counter(parse_vertex(word, size) for word in text.split())


def expect_all_points(right: Collection[Point], size: int) -> Reading:
    """Return a reading of a text that must list these points, each of them once."""

    def read(text: str) -> str:
        try:
            found = parse_points(text, size)
        except VertexError as error:
            return str(error)
        return "" if found == Counter(right) else f"expected {in_words(right) or 'no point'}"

    return read


def expect_some_points(
    allowed: Collection[Point | None], size: int, fewest: int = 0, most: int | None = None
) -> Reading:
    """Return a reading of a text that must list some of these points, none of them twice.

    fewest, most   limits of the number of points; None: no upper limit
    """

    def read(text: str) -> str:
        try:
            found = parse_points(text, size)
        except VertexError as error:
            return str(error)
        for point, times in found.items():
            if times > 1 or point not in allowed:
                return f"{format_vertex(point)} is named twice, or should not be named"
        if len(found) < fewest or (most is not None and len(found) > most):
            return (
                f"expected {fewest} to {most} points"
                if most is not None
                else f"expected at least {fewest} points"
            )
        return ""

    return read


def read_score(text: str) -> str:
    """Return what is wrong with a result such as B+3.5, W+10 or 0; empty for a right one."""
    return "" if SCORE.fullmatch(text.strip()) else "expected a result such as B+3.5, or 0"


def read_json_object(text: str) -> str:
    """Return what is wrong with a JSON object; empty for a right one."""
    try:
        return "" if isinstance(json.loads(text), dict) else "expected a JSON object"
    except (ValueError, RecursionError):
        return "expected a JSON object"


def read_analyze_commands(text: str) -> str:
    """Return what is wrong with lines of the form type/label/command; more fields may follow."""
    for line in filter(str.strip, text.split("\n")):
        fields = line.split("/")
        if len(fields) < 3 or not fields[2].strip():  # the third field is the command
            return f"expected type/label/command: {printable_text(line)[:60]}"
    return ""


def expect_board(position: Position) -> Reading:
    """Return a reading of a board with the signs X, O and `.` (empty), the highest row first."""
    size = position.size
    signs = "".join(".XO"[stone] for stone in position.fingerprint)  # row by row, the lowest first
    right = [signs[start : start + size] for start in reversed(range(0, size * size, size))]

    names = COLUMNS[:size]

    def read(text: str) -> str:
        # Blanks and coordinates around the signs are free, and so are lines that name the columns, one of
        # them "O" on a board of 14 or more.
        rows = [line for line in text.splitlines() if "".join(line.split()).upper() != names]
        lines = ("".join(sign for sign in line if sign in "XO.") for line in rows)
        return "" if [line for line in lines if line] == right else f"expected {' '.join(right)}"

    return read


def expect_record(position: Position, komi: float | None, *, by_moves: bool) -> Reading:
    """Return a reading of a record in SGF that must lead to this position.

    by_moves   the game has no set-up stones: moves and komi of a record without any must be those of the game
    """
    size, moves, stones = position.size, tuple(position.moves), position.stones()

    def read(text: str) -> str:
        try:
            record = read_sgf(text.encode("utf-8", "replace"))
        except SgfError as error:
            # A record that sets up stones after moves is valid SGF that this reader does not follow.
            return "" if SETS_UP_LATE in str(error) else f"no record in SGF: {error}"
        try:
            recorded = play_record(record, MILDEST).stones()
        except SgfError as error:
            return f"a record that cannot be replayed: {error}"
        if record.size != size:
            return f"expected SZ[{size}]"
        if recorded != stones:
            points = stones.keys() | recorded.keys()
            different = [point for point in points if stones.get(point) != recorded.get(point)]
            return f"expected the stones on the board; different: {in_words(different)}"
        shows_moves = record.moves and not (record.black_stones or record.white_stones)
        if not by_moves or not shows_moves:
            return ""  # the record shows the position alone; after passes alone, it has no stones either
        if komi is not None and record.komi is not None and abs(record.komi - komi) > KOMI_ERROR:
            return f"expected KM[{komi:g}]"
        return "" if [*map(tuple, record.moves)] == [*map(tuple, moves)] else "expected the moves of the game"

    return read
