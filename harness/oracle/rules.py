"""The rules of one playout move, implemented independently of the referee (`harness.go`) and of `refbot`.

A set of points is an integer: bit row * size + column, lowest row first. On 3x3, 0b1001 is A1 and A2. A board
is two sets. Chains are not searched on a whole board: a new stone joins the chains beside it, and a capture
removes chains. The chains of each set of stones of one colour are cached; they do not depend on the other
colour.

`graph.PlayoutGraph` asks `PlayoutRules.plays` for the moves from a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

EMPTY, BLACK, WHITE = 0, 1, 2
NO_KO = -1

PointSet = int


class Board(NamedTuple):
    """The stones of both sides."""

    black: PointSet
    white: PointSet

    @classmethod
    def of(cls, contents: bytes) -> Board:
        """Return the board from a byte per point (0 empty, 1 black, 2 white), lowest row first."""
        return cls(*(_set_of(i for i, c in enumerate(contents) if c == stone) for stone in (BLACK, WHITE)))


class State(NamedTuple):
    """Everything that the rest of a playout depends on, apart from the number of moves made."""

    board: Board
    mover: int
    ko: int  # the point where the mover may not retake at once, or NO_KO
    passed: bool  # the last move was a pass


class Successor(NamedTuple):
    """One of the equally likely moves from a state."""

    point: int | None  # None for a pass
    state: State


class Chain(NamedTuple):
    """Connected stones of one colour, and all other points beside them, whatever is there."""

    stones: PointSet
    border: PointSet


# Hundreds of thousands of these are made, and the constructor of a NamedTuple takes three times as long.
_board = partial(tuple.__new__, Board)
_state = partial(tuple.__new__, State)
_successor = partial(tuple.__new__, Successor)
_chain = partial(tuple.__new__, Chain)


class Surrounded(NamedTuple):
    """A point whose neighbours all have stones of one colour."""

    point: PointSet
    corners: PointSet  # the points diagonal to it
    allowed: int  # most enemy stones on the corners with which the point is an eye


class PlayoutRules:
    """Clauses `uniform`, `simple-ko`, `eye`, `no-suicide` and `area-scoring` on a board of one size."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._grid = _Grid(size)
        self._plays: dict[tuple[Board, int], tuple[Successor, ...]] = {}
        self._chains: dict[PointSet, tuple[Chain, ...]] = {0: ()}
        self._margins: dict[Board, int] = {}
        self._surrounded: dict[PointSet, tuple[Surrounded, ...]] = {}

    @property
    def boards(self) -> int:
        """Number of pairs (board, side to move) whose moves are cached."""
        return len(self._plays)

    def plays(self, state: State) -> tuple[Successor, ...]:
        """Return the equally likely stones that a playout may place next. If none, the mover passes."""
        board, mover, ko, _ = state
        known = self._plays.get((board, mover))
        if known is None:
            known = self._plays[board, mover] = self._find_plays(board, mover)
        return known if ko == NO_KO else tuple(play for play in known if play.point != ko)

    def open_points(self, board: Board) -> int:
        """Return the number of empty points that are an eye of neither side."""
        black, white = board
        empty = self._grid.full & ~(black | white)
        return (empty & ~(self._eyes(black, white) | self._eyes(white, black))).bit_count()

    def margin(self, board: Board) -> int:
        """Return Black's area (stones, and empty regions that border Black only) less White's."""
        known = self._margins.get(board)
        if known is None:
            known = self._margins[board] = self._find_margin(*board)
        return known

    def _find_margin(self, black: PointSet, white: PointSet) -> int:
        grid = self._grid
        empty = grid.full & ~(black | white)
        by_black, by_white = grid.reach(black, empty), grid.reach(white, empty)
        return (black | by_black & ~by_white).bit_count() - (white | by_white & ~by_black).bit_count()

    def _find_plays(self, board: Board, mover: int) -> tuple[Successor, ...]:
        """Return the stones that `mover` may place, without regard to a ko; see `plays`."""
        black, white = board
        own, enemy = (black, white) if mover == BLACK else (white, black)
        beside, other = self._grid.beside, BLACK + WHITE - mover
        empty = self._grid.full & ~(black | white)
        own_chains, enemy_chains = self._chains_of(own), self._chains_of(enemy)

        spare = _spare_liberties(own_chains, empty)
        captures = _captures(enemy_chains, empty)
        plays = []
        waiting = empty & ~self._eyes(own, enemy)
        while waiting:
            stone = waiting & -waiting
            waiting ^= stone
            point = stone.bit_length() - 1
            taken = captures.get(stone, 0)
            if not (taken or beside[point] & empty or stone & spare):
                continue  # suicide
            grown, remaining = own | stone, enemy & ~taken
            if grown not in self._chains:
                self._chains[grown] = self._join(own_chains, point)
            if remaining not in self._chains:
                self._chains[remaining] = tuple(chain for chain in enemy_chains if not chain.stones & taken)
            # A single stone that captured a single stone and has no other liberty could be retaken at once.
            lone = taken.bit_count() == 1 and not beside[point] & ~enemy
            ko = taken.bit_length() - 1 if lone else NO_KO
            after = _board((grown, remaining) if mover == BLACK else (remaining, grown))
            plays.append(_successor((point, _state((after, other, ko, False)))))
        return tuple(plays)

    def _chains_of(self, stones: PointSet) -> tuple[Chain, ...]:
        """Return the chains of the stones of one colour."""
        chains = self._chains.get(stones)
        if chains is None:
            chains = ()
            for stone in _each(stones):
                chains = self._join(chains, stone.bit_length() - 1)
            self._chains[stones] = chains
        return chains

    def _join(self, chains: tuple[Chain, ...], point: int) -> tuple[Chain, ...]:
        """Return the chains after a stone of their colour at `point`, which joins the chains beside it."""
        stone = stones = 1 << point
        border = self._grid.beside[point]
        apart = []
        for chain in chains:
            if chain.border & stone:
                stones |= chain.stones
                border |= chain.border
            else:
                apart.append(chain)
        return (*apart, _chain((stones, border & ~stones)))

    def _eyes(self, own: PointSet, enemy: PointSet) -> PointSet:
        """Return the eyes of a side: surrounded points with few enough enemy stones diagonal to them."""
        surrounded = self._surrounded.get(own)
        if surrounded is None:
            surrounded = self._surrounded[own] = tuple(self._grid.surrounded(own))
        eyes = 0
        for point, corners, allowed in surrounded:
            if (corners & enemy).bit_count() <= allowed:
                eyes |= point
        return eyes


def _spare_liberties(chains: Iterable[Chain], empty: PointSet) -> PointSet:
    """Return the liberties of the chains that have at least two: an own stone there is no suicide."""
    found = 0
    for _, border in chains:
        liberties = border & empty
        if liberties & (liberties - 1):  # more than one bit
            found |= liberties
    return found


def _captures(chains: Iterable[Chain], empty: PointSet) -> dict[PointSet, PointSet]:
    """Return the captures of the chains that have one liberty: this liberty, and the stones taken there."""
    found: dict[PointSet, PointSet] = {}
    for stones, border in chains:
        liberties = border & empty
        if not liberties & (liberties - 1):
            found[liberties] = found.get(liberties, 0) | stones
    return found


class _Grid:
    """The points beside and diagonal to each point of a board of one size."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.full = (1 << size * size) - 1
        self._not_first = _set_of(i for i in range(size * size) if i % size)
        self._not_last = _set_of(i for i in range(size * size) if (i + 1) % size)
        self.beside = _near(size, ((-1, 0), (0, -1), (0, 1), (1, 0)))
        self._corners = _near(size, ((-1, -1), (-1, 1), (1, -1), (1, 1)))

    def surrounded(self, stones: PointSet) -> Iterator[Surrounded]:
        """Yield the points that have none of these stones, and whose neighbours all have one."""
        others = self.full & ~stones
        for point in _each(others & ~self._beside_any(others)):
            corners = self._corners[point.bit_length() - 1]
            # Clause `eye`: one enemy is allowed away from the edge, where there are four corners.
            yield Surrounded(point, corners, 1 if corners.bit_count() == 4 else 0)

    def reach(self, stones: PointSet, empty: PointSet) -> PointSet:
        """Return the empty points that are connected to one of the stones over empty points."""
        region = self._beside_any(stones) & empty
        while (grown := region | self._beside_any(region) & empty) != region:
            region = grown
        return region

    def _beside_any(self, points: PointSet) -> PointSet:
        """Return the neighbours of the points. The result may contain bits above the board."""
        across = (points << 1) & self._not_first | (points >> 1) & self._not_last
        return across | points << self._size | points >> self._size


def _near(size: int, steps: Iterable[tuple[int, int]]) -> tuple[PointSet, ...]:
    """Return for each point the set of points one step (rows, columns) away."""
    return tuple(
        _set_of(
            (row + up) * size + column + right
            for up, right in steps
            if 0 <= row + up < size and 0 <= column + right < size
        )
        for row in range(size)
        for column in range(size)
    )


def _set_of(points: Iterable[int]) -> PointSet:
    return sum(1 << point for point in points)


def _each(points: PointSet) -> Iterator[PointSet]:
    """Yield the points one by one, in their order, each as a set: 0b1 and 0b100 for 0b101."""
    while points:
        lowest = points & -points
        yield lowest
        points ^= lowest
