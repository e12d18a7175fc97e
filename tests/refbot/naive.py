"""The slow twins: simple implementations of rules and playouts, which share no code with refbot."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

Point = tuple[int, int]
Board = dict[Point, int]  # occupied points only


def neighbours(size: int, point: Point) -> list[Point]:
    row, column = point
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [(r, c) for r, c in around if 0 <= r < size and 0 <= c < size]


def diagonals(size: int, point: Point) -> list[Point]:
    row, column = point
    around = [(row + up, column + right) for up in (-1, 1) for right in (-1, 1)]
    return [(r, c) for r, c in around if 0 <= r < size and 0 <= c < size]


def group(board: Board, size: int, start: Point) -> tuple[set[Point], set[Point]]:
    """(Points connected to `start` with the same content, all other points beside them)."""
    members, border, waiting = {start}, set(), [start]
    while waiting:
        for point in neighbours(size, waiting.pop()):
            if board.get(point) != board.get(start):
                border.add(point)
            elif point not in members:
                members.add(point)
                waiting.append(point)
    return members, border


def has_liberty(board: Board, size: int, point: Point) -> bool:
    return any(beside not in board for beside in group(board, size, point)[1])


def after(board: Board, size: int, colour: int, point: Point) -> tuple[Board, set[Point]] | None:
    """(Board after a move, stones captured); None for an occupied point or suicide."""
    if point in board:
        return None
    new = {**board, point: colour}
    captured: set[Point] = set()
    for beside in neighbours(size, point):
        if new.get(beside) == 3 - colour and not has_liberty(new, size, beside):
            captured |= group(new, size, beside)[0]
    for gone in captured:
        del new[gone]
    return (new, captured) if has_liberty(new, size, point) else None


def is_eye(board: Board, size: int, colour: int, point: Point) -> bool:
    if point in board or any(board.get(beside) != colour for beside in neighbours(size, point)):
        return False
    corners = diagonals(size, point)
    enemies = sum(board.get(corner) == 3 - colour for corner in corners)
    return enemies <= 1 if len(corners) == 4 else enemies == 0


def area(board: Board, size: int) -> int:
    total = 0
    for point in points(size):
        if point in board:
            total += 1 if board[point] == 1 else -1
        else:
            reached = {board[beside] for beside in group(board, size, point)[1]}
            total += {frozenset({1}): 1, frozenset({2}): -1}.get(frozenset(reached), 0)
    return total


def points(size: int) -> Iterator[Point]:
    return ((row, column) for row in range(size) for column in range(size))


def ko_after(board: Board, size: int, point: Point, captured: set[Point]) -> Point | None:
    """The point that simple ko forbids after a move at `point`, where a lone stone captured one stone."""
    members, border = group(board, size, point)
    liberties = {beside for beside in border if beside not in board}
    return min(captured) if len(captured) == 1 and len(members) == 1 and liberties == captured else None


class Playout:
    """The state of one playout; `candidates` are the points the specification draws from."""

    def __init__(self, size: int, board: Board, colour: int, ko: Point | None, made: int) -> None:
        self.size, self.board, self.colour, self.ko = size, board, colour, ko
        self.made = made  # in the real game
        self.moves = self.passes = 0

    def allows(self, point: Point) -> bool:
        return (
            point != self.ko
            and not is_eye(self.board, self.size, self.colour, point)
            and after(self.board, self.size, self.colour, point) is not None
        )

    def candidates(self) -> list[Point]:
        return [point for point in points(self.size) if self.allows(point)]

    def play(self, point: Point | None) -> None:
        if point is None:
            self.passes += 1
            self.ko = None
        else:
            result = after(self.board, self.size, self.colour, point)
            assert result is not None
            self.passes = 0
            self.board = result[0]
            self.ko = ko_after(self.board, self.size, point, result[1])
        self.moves += 1
        self.colour = 3 - self.colour

    def is_over(self) -> bool:
        return self.passes == 2 or (self.moves > 0 and self.made + self.moves >= 3 * self.size**2)

    def run(self, rng: random.Random) -> None:
        while not self.is_over():
            self.play(rng.choice(self.candidates() or [None]))


class Game:
    """The real game with positional superko: every board since the start is kept."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.boards: list[Board] = [{}]

    def reason(self, colour: int, point: Point) -> str | None:
        if point in self.boards[-1]:
            return "occupied"
        result = after(self.boards[-1], self.size, colour, point)
        if result is None:
            return "suicide"
        return "repeats" if result[0] in self.boards else None

    def play(self, colour: int, point: Point | None) -> None:
        if point is None:
            self.boards.append(self.boards[-1])
            return
        result = after(self.boards[-1], self.size, colour, point)
        assert result is not None
        self.boards.append(result[0])

    def candidates(self, colour: int) -> list[Point]:
        return [
            point
            for point in points(self.size)
            if self.reason(colour, point) is None and not is_eye(self.boards[-1], self.size, colour, point)
        ]


def amaf(moves: list[Point | None]) -> Counter[Point]:
    """The points where the side that moves first was the first of both sides to play in these moves."""
    first: dict[Point, int] = {}
    for turn, point in enumerate(moves):
        if point is not None:
            first.setdefault(point, turn % 2)
    return Counter(point for point, turn in first.items() if turn == 0)
