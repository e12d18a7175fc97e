"""Readings of answers that show the state of a game. Each returns what is wrong with a text, or nothing.

A reading asks for no more than the clauses of docs/gtp.md: any order, any case, further fields of a record.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from harness.go import Point, Position, Rules, SgfError, play_record, read_sgf
from harness.gtp import VertexError, format_vertex, parse_decimal, parse_vertex, printable_text
from refbot.sgf import SETS_UP_LATE

Reading = Callable[[str], str]

SCORE = re.compile(r"(?i)[bw]\+(\d+\.?\d*|\.\d+)|0+(\.0*)?")
KOMI_ERROR = 0.005
"""Largest error of a printed komi; chosen: it has two decimals or more."""

MOST_NAMED = 6
"""Most points that a fault names; chosen: they fit in one line."""

MILDEST = Rules("simple", suicide=True)
"""Rules by which a printed record is replayed."""


def named(points: Iterable[Point]) -> str:
    """Return points for a report."""
    names = [format_vertex(point) for point in sorted(points)]
    return " ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")


def words_of(*right: str) -> Reading:
    """Read a text that must be one of these, in any case and with any blanks."""
    wanted = [text.lower().split() for text in right]
    return lambda text: "" if text.lower().split() in wanted else f"expected {' or '.join(right)}"


def number_of(right: float) -> Reading:
    """Read a text that must be this number."""

    def read(text: str) -> str:
        number = parse_decimal(text)
        return "" if number is not None and abs(number - right) <= KOMI_ERROR else f"expected {right:g}"

    return read


def points_of(text: str, size: int) -> Counter[Point | None]:
    """Return the vertices of a text. Raises VertexError."""
    return Counter(parse_vertex(word, size) for word in text.split())


def all_of(right: Collection[Point], size: int) -> Reading:
    """Read a text that must list these points, each of them once."""

    def read(text: str) -> str:
        try:
            return "" if points_of(text, size) == Counter(right) else f"expected {named(right) or 'no point'}"
        except VertexError as error:
            return str(error)

    return read


def some_of(
    allowed: Collection[Point | None], size: int, fewest: int = 0, most: int | None = None
) -> Reading:
    """Read a text that must list some of these points, none of them twice."""

    def read(text: str) -> str:
        try:
            found = points_of(text, size)
        except VertexError as error:
            return str(error)
        wrong = [point for point, times in found.items() if times > 1 or point not in allowed]
        if wrong:
            return f"{format_vertex(wrong[0])} is named twice, or should not be named"
        if not fewest <= len(found) <= (len(found) if most is None else most):
            return f"expected {fewest} to {most} points"
        return ""

    return read


def score(text: str) -> str:
    """Read a result such as B+3.5, W+10 or 0."""
    return "" if SCORE.fullmatch(text.strip()) else "expected a result such as B+3.5, or 0"


def dictionary(text: str) -> str:
    """Read a JSON object."""
    try:
        return "" if isinstance(json.loads(text), dict) else "expected a JSON object"
    except (ValueError, RecursionError):
        return "expected a JSON object"


def analyze_commands(text: str) -> str:
    """Read lines of the form type/label/command; more fields may follow."""
    for line in filter(str.strip, text.split("\n")):
        if not any(map(str.split, line.split("/")[2:3])):
            return f"expected type/label/command: {printable_text(line)[:60]}"
    return ""


def rows(position: Position) -> Reading:
    """Read a board with X, O and a sign for empty points, the highest row first."""
    size, board = position.size, position.fingerprint
    signs = "".join(".XO"[stone] for stone in board)
    right = [signs[start : start + size] for start in reversed(range(0, size * size, size))]

    def read(text: str) -> str:
        lines = ("".join(sign for sign in line if sign in "XO.") for line in text.splitlines())
        return "" if [line for line in lines if line] == right else f"expected {' '.join(right)}"

    return read


def record_of_game(position: Position, komi: float | None, *, by_moves: bool) -> Reading:
    """Read a record in SGF that must lead to this position.

    by_moves   the game has no set-up stones: moves and komi of a record without any must be those of the game
    """
    size, moves, stones = position.size, tuple(position.moves), position.stones()

    def read(text: str) -> str:
        try:
            record = read_sgf(text.encode("utf-8", "replace"))
        except SgfError as error:
            return "" if SETS_UP_LATE in str(error) else f"no record in SGF: {error}"
        try:
            recorded = play_record(record, MILDEST).stones()
        except SgfError as error:
            return f"a record that cannot be replayed: {error}"
        if record.size != size:
            return f"expected SZ[{size}]"
        if recorded != stones:
            other = dict(stones.items() ^ recorded.items())
            return f"expected the stones on the board; different: {named(other)}"
        if not by_moves or record.black_stones or record.white_stones or not record.moves:
            return ""  # a record of the position: without stones after passes, too
        if komi is not None and record.komi is not None and abs(record.komi - komi) > KOMI_ERROR:
            return f"expected KM[{komi:g}]"
        return "" if [*map(tuple, record.moves)] == [*map(tuple, moves)] else "expected the moves of the game"

    return read
