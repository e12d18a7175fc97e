"""Rules on a board of bits: captures, suicide, eyes, area.

A set of points is an integer: bit `row * size + column` is set if the point is in the set. On 9x9, the set of
A1 and C2 is `1 << 0 | 1 << 11`. A chain is found by growing a set until it stays the same. This module is for
the real game, in plain Python, so that a game starts without a compiler. The playouts have boards of their
own.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

from refbot.deviations import bits
from refbot.rules.eye import diagonals_allow_eye
from refbot.rules.position import BLACK

FORBID_SUICIDE, ALLOW_MULTI, ALLOW_ALL = 0, 1, 2  # suicide: never, of two or more stones, always
MAX_DIAGONALS = 4

Points = int
"""A set of points."""


class Sides(NamedTuple):
    """A board as one side sees it: its stones and those of the other side."""

    own: Points
    other: Points


class Board(NamedTuple):
    """The stones of both colours."""

    black: Points
    white: Points

    def seen_by(self, colour: int) -> Sides:
        """Return the board with `colour` as the own side."""
        return Sides(self.black, self.white) if colour == BLACK else Sides(self.white, self.black)


def board_of(colour: int, sides: Sides) -> Board:
    """Return the board whose own side is `colour`: the inverse of `Board.seen_by`."""
    return Board(sides.own, sides.other) if colour == BLACK else Board(sides.other, sides.own)


class Grid:
    """The points of a board of one size."""

    def __init__(self, size: int) -> None:
        columns = [sum(1 << row * size + column for row in range(size)) for column in range(size)]
        self.size = size
        self.all: Points = sum(columns)
        self.odd_columns: Points = sum(columns[1::2])
        self.diagonals: list[Points] = [
            sum(
                1 << r * size + c
                for r in (row - 1, row + 1)
                for c in (column - 1, column + 1)
                if 0 <= r < size and 0 <= c < size
            )
            for row in range(size)
            for column in range(size)
        ]
        # Masks for shifts by one column, which would move the end of a row into the next row.
        self._after_first: Points = self.all ^ columns[0]
        self._before_last: Points = self.all ^ columns[-1]

    def beside(self, points: Points) -> Points:
        """The neighbours of all points of a set; some may be in the set themselves."""
        size = self.size
        return (
            points << size
            | points >> size
            | (points & self._before_last) << 1
            | (points & self._after_first) >> 1
        ) & self.all

    def grown(self, start: Points, within: Points) -> Points:
        """Return the set `start` and the points of the set `within` that are connected to it."""
        while True:
            more = start | self.beside(start) & within
            if more == start:
                return start
            start = more

    def without_liberty(self, start: Points, stones: Points, empty: Points) -> Points:
        """Return the chain of `stones` at the stone `start` if it has no liberty in `empty`, else 0."""
        while True:
            around = self.beside(start)
            if around & empty:
                return 0
            more = start | around & stones
            if more == start:
                return start
            start = more


@functools.cache
def grid(size: int) -> Grid:
    """The grid of a size."""
    return Grid(size)


def each(points: Points) -> Iterator[int]:
    """Yield the points of a set by their numbers, in order: 0 and 2 for the set 0b101."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


def chains_of(grid: Grid, stones: Points) -> Iterator[Points]:
    """Yield the chains of the stones of one colour, each as a set."""
    while stones:
        chain = grid.grown(stones & -stones, stones)
        yield chain
        stones ^= chain


def put(grid: Grid, sides: Sides, stone: Points, suicide: int) -> Sides | None:
    """Return the board after the own side plays at an empty point, captures removed.

    `stone` is the set of this one point. `suicide` says which suicides are legal: FORBID_SUICIDE, ALLOW_MULTI
    or ALLOW_ALL. The stones of a legal suicide are removed; None for an illegal one.
    """
    own, other = sides.own | stone, sides.other
    empty = grid.all & ~(own | other)
    around = grid.beside(stone)
    captured = 0
    enemies = around & other
    while enemies:
        enemy = enemies & -enemies
        captured |= grid.without_liberty(enemy, other, empty)
        enemies ^= enemy
    if captured:
        return Sides(own, other ^ captured)
    if not around & empty and (lost := grid.without_liberty(stone, own, empty)):
        if suicide == FORBID_SUICIDE or (suicide == ALLOW_MULTI and lost == stone):
            return None
        return Sides(own ^ lost, other)
    return Sides(own, other)


def is_single_in_atari(grid: Grid, sides: Sides, stone: Points) -> bool:
    """Return whether the stone is a chain of its own with one liberty.

    If it has just captured a single stone, then the other side may not retake it: a ko.
    """
    around = grid.beside(stone)
    return not around & sides.own and (around & ~sides.other).bit_count() == 1


def harmless(grid: Grid, sides: Sides) -> Points:
    """Return empty points where an own stone has a liberty and captures nothing; some may be missing.

    `Game.candidates` need not try the moves there: only superko could forbid one.
    """
    empty = grid.all & ~(sides.own | sides.other)
    breathes = grid.beside(empty | _with_two_liberties(grid, sides.own, empty))
    return empty & breathes & ~grid.beside(sides.other & ~_with_two_liberties(grid, sides.other, empty))


def _with_two_liberties(grid: Grid, stones: Points, empty: Points) -> Points:
    """Return the stones of chains with liberties in both odd and even columns.

    Such a chain has two liberties. Chains whose liberties are all in odd or all in even columns are missing.
    """
    odd = empty & grid.odd_columns
    beside_odd = grid.grown(grid.beside(odd) & stones, stones)
    return grid.grown(grid.beside(empty ^ odd) & beside_odd, beside_odd)


def refused_eyes(grid: Grid, sides: Sides, mask: int) -> Points:
    """Return the empty points that the eye rule forbids to the own side; `mask` has the rule's faults."""
    if mask & bits.EYE_FILLED:
        return 0
    eyes = one_point_eyes(grid, sides, mask)
    if mask & bits.EYE_EITHER_COLOUR:
        eyes |= one_point_eyes(grid, Sides(sides.other, sides.own), mask)
    return eyes


def one_point_eyes(grid: Grid, sides: Sides, mask: int) -> Points:
    """Return the one-point eyes of the own side; `mask` has the faults of the eye rule."""
    empty = grid.all & ~(sides.own | sides.other)
    eyes = 0
    for point in each(empty & ~grid.beside(grid.all ^ sides.own)):
        diagonals = grid.diagonals[point]
        hostile, vacant = (diagonals & sides.other).bit_count(), (diagonals & empty).bit_count()
        if diagonals_allow_eye(hostile, vacant, MAX_DIAGONALS - diagonals.bit_count(), mask):
            eyes |= 1 << point
    return eyes


def area(grid: Grid, board: Board) -> int:
    """Return Black's area minus White's, without komi: stones, and empty regions beside one colour only."""
    black_reaches = grid.grown(board.black, grid.all ^ board.white)
    white_reaches = grid.grown(board.white, grid.all ^ board.black)
    return (black_reaches & ~white_reaches).bit_count() - (white_reaches & ~black_reaches).bit_count()
