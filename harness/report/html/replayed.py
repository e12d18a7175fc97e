"""The position that a wire log leads to: what a failed dialogue is drawn from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.go import IllegalMoveError, Point, Position
from harness.gtp import VertexError, parse_vertex

_LINE = re.compile(r"^\s*[\d.]*\s*([<>]) (.*)$")
_ANSWERED = re.compile(r"^=\d*\s+([A-Za-z]\d{1,2})(?:\\[nr]|\s)*$")
DEFAULT_SIZE = 9
LARGEST = 25


@dataclass(frozen=True)
class Replayed:
    """A position of the log, its last move, and the points of the moves that the rules forbid there."""

    position: Position
    last: Point | None
    refused: tuple[Point, ...]


def replayed(transcript: str) -> Replayed | None:
    """The last position of a wire log in which stones were played; None for a log without a move."""
    position, refused, moves, wanted = Position(DEFAULT_SIZE), [], 0, ""
    for line in transcript.splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        direction, text = match.groups()
        if direction == "<":
            answer = _ANSWERED.match(text)
            if wanted and answer:
                moves += 1
                refused += _play(position, wanted, answer[1])
            wanted = ""
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
                wanted = colour[0]
    if not moves:
        return None
    last = position.moves[-1].point if position.moves else None
    return Replayed(position, last, tuple(refused))


def _play(position: Position, colour: str, vertex: str) -> list[Point]:
    """Play a move; a point where the rules forbid it is returned instead."""
    try:
        point = parse_vertex(vertex, position.size)
    except VertexError:
        return []
    try:
        position.play("b" if colour == "b" else "w", point)
    except IllegalMoveError:
        return [] if point is None else [point]
    return []
