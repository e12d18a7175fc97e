"""The rules of one playout move, implemented independently of the referee and of the bot.

A board is a row of bytes (0 empty, 1 black, 2 white), lowest row first; a point is an index into it. A set of
points is an integer that has a 1 in the byte of each of its points, so that one shift moves all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

EMPTY, BLACK, WHITE = 0, 1, 2
NO_KO = -1

Board = bytes
PointSet = int

_ONLY = {content: bytes(int(byte == content) for byte in range(256)) for content in (EMPTY, BLACK, WHITE)}


class Step(NamedTuple):
    """One playout move and the board after it."""

    point: int
    board: Board
    ko: int  # the point where the opponent may not retake at once, or NO_KO


class PlayoutRules:
    """Clauses `uniform`, `simple-ko`, `eye`, `no-suicide` and `area-scoring` on a board of one size."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._grid = _Grid(size)
        self._steps: dict[tuple[Board, int], tuple[Step, ...]] = {}

    @property
    def boards(self) -> int:
        """Number of boards, with the side to move, whose moves are remembered."""
        return len(self._steps)

    def steps(self, board: Board, mover: int, ko: int) -> tuple[Step, ...]:
        """The moves that a playout draws from, all equally likely; without any the mover must pass."""
        known = self._steps.get((board, mover))
        if known is None:
            known = self._steps[board, mover] = tuple(self._find_steps(board, mover))
        return known if ko == NO_KO else tuple(step for step in known if step.point != ko)

    def margin(self, board: Board) -> int:
        """Black's stones and own regions less White's."""
        empty, black, white = (_points(board, content) for content in (EMPTY, BLACK, WHITE))
        by_black = self._grid.reached(black, empty)
        by_white = self._grid.reached(white, empty)
        return (black | by_black & ~by_white).bit_count() - (white | by_white & ~by_black).bit_count()

    def _find_steps(self, board: Board, mover: int) -> Iterator[Step]:
        grid = self._grid
        opponent = BLACK + WHITE - mover
        empty, own, enemy = (_points(board, content) for content in (EMPTY, mover, opponent))
        open_points = empty & ~self._eyes(empty, own, enemy)

        beside_empty = grid.beside(empty)
        breathing = beside_empty & open_points
        for _, liberties in grid.chains(own & grid.beside(open_points & ~beside_empty), own, empty):
            if liberties.bit_count() > 1:  # a stone on one of them leaves another
                breathing |= liberties
        captures: dict[PointSet, PointSet] = {}  # by the last liberty of what is captured
        for chain, liberties in grid.chains(enemy & grid.beside(open_points), enemy, empty):
            if liberties.bit_count() == 1:
                captures[liberties] = captures.get(liberties, 0) | chain

        for stone in _each(open_points):
            taken = captures.get(stone, 0)
            if not taken and not stone & breathing:
                continue  # suicide
            point = _index(stone)
            if not taken:
                yield Step(point, board[:point] + bytes((mover,)) + board[point + 1 :], NO_KO)
                continue
            after = ((own | stone) * mover + (enemy & ~taken) * opponent).to_bytes(len(board), "little")
            # A single stone that captured a single stone and has no other liberty could be retaken at once.
            lone = not grid.beside(stone) & ~enemy
            ko = _index(taken) if lone and taken.bit_count() == 1 else NO_KO
            yield Step(point, after, ko)

    def _eyes(self, empty: PointSet, own: PointSet, enemy: PointSet) -> PointSet:
        """The empty points with own stones on all sides and too few enemies diagonal to them."""
        grid = self._grid
        surrounded = empty & ~grid.beside(grid.full & ~own)
        once = twice = 0
        for corner in grid.diagonal(enemy):
            twice |= once & corner
            once |= corner
        return surrounded & ~(twice | once & grid.edge)


class _Grid:
    """Neighbours of whole sets of points on a board of one size."""

    def __init__(self, size: int) -> None:
        points = [(row, column) for row in range(size) for column in range(size)]
        self._row = 8 * size
        self.full = _set_of(True for _ in points)
        self._not_first = _set_of(column > 0 for _, column in points)
        self._not_last = _set_of(column < size - 1 for _, column in points)
        self.edge = _set_of(not (0 < row < size - 1 and 0 < column < size - 1) for row, column in points)

    def beside(self, points: PointSet) -> PointSet:
        """The points beside at least one of the points."""
        across = (points << 8) & self._not_first | (points >> 8) & self._not_last
        return across | (points << self._row) & self.full | points >> self._row

    def diagonal(self, points: PointSet) -> tuple[PointSet, PointSet, PointSet, PointSet]:
        """The points that have one of the points diagonal to them, for each of the four directions."""
        right, left = (points << 8) & self._not_first, (points >> 8) & self._not_last
        up = self._row
        return (right << up) & self.full, (left << up) & self.full, right >> up, left >> up

    def chains(
        self, seeds: PointSet, stones: PointSet, empty: PointSet
    ) -> Iterator[tuple[PointSet, PointSet]]:
        """Each chain of `stones` with a stone among `seeds`, and its liberties."""
        while seeds:
            chain = seeds & -seeds
            while (grown := chain | self.beside(chain) & stones) != chain:
                chain = grown
            seeds &= ~chain
            yield chain, self.beside(chain) & empty

    def reached(self, stones: PointSet, empty: PointSet) -> PointSet:
        """The empty points that a way over empty points joins to one of the stones."""
        region = self.beside(stones) & empty
        while (grown := region | self.beside(region) & empty) != region:
            region = grown
        return region


def _points(board: Board, content: int) -> PointSet:
    return int.from_bytes(board.translate(_ONLY[content]), "little")


def _set_of(members: Iterator[bool]) -> PointSet:
    return int.from_bytes(bytes(members), "little")


def _each(points: PointSet) -> Iterator[PointSet]:
    """The points one by one, in their order."""
    while points:
        lowest = points & -points
        yield lowest
        points ^= lowest


def _index(point: PointSet) -> int:
    return point.bit_length() >> 3
