"""The picture of a check's position: its probe (the searched position), or the last one of its wire log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from harness.check.model import Result
from harness.check.procedures.search import Series
from harness.check.search_plan import SearchPlan
from harness.go import BoardError, IllegalMoveError, Point, Position
from harness.gtp import VertexError, parse_vertex
from harness.report.html.board import board_picture
from harness.report.text.playouts import drawn_probe

VERTEX = re.compile(r"\b[A-HJ-Z][1-9]\d?\b")
MOST_WANTED = 12
"""Expected points that are marked on a board. Chosen: more of them hide the position."""
MOST_MARKED = 3
"""Moves of the bot that are marked on a board, those chosen most often."""

_LINE = re.compile(r"^\s*[\d.]*\s*([<>]) (.*)$")
"""A line of a wire log: seconds, a direction (> sent, < received), a text: `0.012 > play b C3\\n`."""
_ANSWERED = re.compile(r"^=\d*\s+([A-Za-z]\d{1,2})(?:\\[nr]|\s)*$")
"""The text of a received line that answers a vertex, such as `= D4\\n\\n`."""
DEFAULT_SIZE = 9
"""Board size of a log without `boardsize`: the usual one of the checks."""
LARGEST = 25
"""Largest board that is drawn: GTP has letters for 25 columns."""


class Replayed(NamedTuple):
    """The last position of a wire log, and the points of its moves that the rules forbid."""

    position: Position
    refused: list[Point]


class _Shown(NamedTuple):
    """A position to draw: the points with a ring, the last move (with a dot), the title and the caption."""

    position: Position
    marked: list[Point]
    last: Point | None
    title: str
    caption: str


def drawn_position(result: Result, series: Mapping[str, Series]) -> tuple[Markup, str]:
    """Return (board of a check, its caption); two empty texts for a check without a position."""
    plan = result.observed_by.procedure.search_plan
    shown = _end_of_log(result) if plan is None else _searched_position(result, plan, series)
    if shown is None:
        return Markup(""), ""
    size, stones = shown.position.size, shown.position.stones()
    wanted = vertices_in(result.judgement.expected, size)
    caption = shown.caption + (" Squares mark what is expected." if wanted else "")
    board = board_picture(size, stones, shown.title, marked=shown.marked, wanted=wanted, last=shown.last)
    return board, caption


def _searched_position(result: Result, plan: SearchPlan, series: Mapping[str, Series]) -> _Shown:
    """The position that the bot searched, with the moves that it chose most often."""
    probe = drawn_probe(result.observed_by, plan)
    # The moves of a series are turned back: they fit the probe of the plan, but not a turned one.
    marked = _chosen(series.get(probe.id)) if probe is plan.probe else []
    caption = f"{probe.occasion}."
    caption += " Rings mark where the bot moved most often." if marked else ""
    last = _last_point(probe.position) if probe.tail else None
    return _Shown(probe.position, marked, last, f"Position of {result.check.id}: {probe.occasion}", caption)


def _end_of_log(result: Result) -> _Shown | None:
    """The position at the end of the wire log; None if the log has none, or the observation draws it."""
    # An observation of several lines already draws the position in which the bot violated a rule.
    end = None if "\n" in result.judgement.observed.strip() else replay(result.transcript)
    if end is None:
        return None
    last = _last_point(end.position)
    caption = "The position at the end of the conversation."
    caption += " A dot marks the last move." if last else ""
    caption += " A ring marks a move that the rules forbid." if end.refused else ""
    title = f"Position of {result.check.id} at the end of the conversation"
    return _Shown(end.position, end.refused, last, title, caption)


def _last_point(position: Position) -> Point | None:
    """The point of the last move; None for a pass, and without a move."""
    return position.moves[-1].point if position.moves else None


def _chosen(series: Series | None) -> list[Point]:
    """The points among the MOST_MARKED moves that the bot chose most often; none without a series."""
    if series is None:
        return []
    counted = Counter(search.move for search in series.searches)
    points = (point_at(move, series.probe.size) for move, _ in counted.most_common(MOST_MARKED))
    return [point for point in points if point is not None]


def vertices_in(text: str, size: int) -> list[Point]:
    """The points that a text names, at most MOST_WANTED: (0, 6) and (2, 7) for "G1 or H3"."""
    points = (point_at(word, size) for word in dict.fromkeys(VERTEX.findall(text)))
    return [point for point in points if point is not None][:MOST_WANTED]


def point_at(move: str, size: int) -> Point | None:
    """The point of a move; None for a pass, a resignation, or a text that is no point of the board."""
    try:
        return parse_vertex(move, size)
    except VertexError:
        return None


def replay(transcript: str) -> Replayed | None:
    """Replay a wire log up to its last position.

    None if no move and no handicap follows its last boardsize or clear_board. For example, a log with the
    sent lines `play b C3` and `undo` ends with the empty board.

    A play, an undo and a size count even if the bot refused them, since the log may end with a wrong refusal.
    """
    position, moves = Position(DEFAULT_SIZE), 0
    asked = ""  # the colour of a genmove that waits for its answer
    handicap: list[str] | None = None  # the vertices of a handicap command that waits for its answer
    refused: list[Point] = []
    for line in transcript.splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        direction, text = match.groups()
        if direction == "<":
            answer = _ANSWERED.match(text)
            if asked and answer:
                moves += 1
                refused += _play(position, asked, answer[1])
            if handicap is not None and text.startswith("="):
                # The answer names the stones, unless the command did.
                moves += _place(position, handicap or VERTEX.findall(text.upper()))
            asked, handicap = "", None
            continue
        words = re.sub(r"\\[nrt]", " ", text).lower().split()
        if words and words[0].isdigit():
            del words[0]
        match words:
            case ["boardsize", size] if size.isdigit() and 1 <= int(size) <= LARGEST:
                position, refused, moves = Position(int(size)), [], 0
            case ["clear_board"]:
                position, refused, moves = Position(position.size), [], 0
            case ["play", colour, vertex] if colour[0] in "bw":
                moves += 1
                refused += _play(position, colour[0], vertex)
            case ["undo"] if position.moves:
                position.undo()
            case ["genmove", colour, *_] if colour[0] in "bw":
                asked = colour[0]
            case ["fixed_handicap" | "place_free_handicap", *_]:
                handicap = []
            case ["set_free_handicap", *vertices]:
                handicap = vertices
    return Replayed(position, refused) if moves else None


def _place(position: Position, vertices: Sequence[str]) -> bool:
    """Put black stones on an empty board. Return True unless they cannot be put there."""
    points = [point_at(vertex, position.size) for vertex in vertices]
    stones = [point for point in points if point is not None]
    if not stones or len(stones) < len(points) or position.stones():
        return False
    try:
        position.set_up(stones, ())
    except BoardError:
        return False
    return True


def _play(position: Position, colour: str, vertex: str) -> list[Point]:
    """Play a move. If the rules forbid it, leave the position and return its point in the list."""
    try:
        point = parse_vertex(vertex, position.size)
    except VertexError:
        return []
    try:
        position.play("b" if colour == "b" else "w", point)
    except IllegalMoveError:
        return [] if point is None else [point]
    return []
