"""What a group of games side by side keeps in memory, and what its kernel is specialised on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from refbot.playouts.simd import LANES_16, LANES_32, Layout, Memory, Vec

MIN_SIZE, MAX_SIZE = 2, 25


class Board(IntEnum):
    """The bitboards: each `size` vectors, one a row. Bit c of a lane is column c."""

    MINE = 0  # stones of the side to move
    THEIRS = 1  # stones of the other side
    UNPROVED = 2  # THEIRS, but for chains proved to have a liberty beside any point enclosed by them
    BANNED = 3  # points not to be drawn: ko, and points of this turn already found to be suicide
    ROOT_MINE = 4  # the position that every playout starts from
    ROOT_THEIRS = 5
    ROOT_BANNED = 6
    TOUCHED = 7  # played on by anyone in this playout
    FIRST = 8  # played on first by the side to move at the root


class Field(IntEnum):
    """The single vectors, after the boards."""

    MOVES = 0  # moves made in this playout
    LIMIT = 1  # moves after which it ends
    PASSED = 2  # mask: the last move was a pass
    ROOT_TURN = 3  # mask: the side that moves at the root is to move
    LIVE = 4  # mask: the lane plays a game that counts
    ENDED = 5  # mask: its game has just ended
    RESET = 6  # mask: the lane is to start the next game
    MARGIN = 7  # area of the side to move less the other's, when the game has ended, plus size squared
    OPEN = 8  # not zero: the board has regions of two and more empty points, MARGIN does not hold
    RANDOM = 9  # the state of the generator: this vector and the three after it


RANDOM_VECTORS = 4


@dataclass(frozen=True)
class LaneLayout(Layout):
    """Board size and whether AMAF is recorded: each pair is a kernel of its own."""

    size: int
    amaf: bool

    @property
    def full_row(self) -> int:
        """A row with every column set."""
        return (1 << self.size) - 1

    def row(self, board: Board, row: int) -> int:
        """Where a row of a board is in the workspace."""
        return board * self.size + row

    def field(self, field: Field) -> int:
        """Where a single vector is in the workspace."""
        return len(Board) * self.size + field

    @property
    def vectors(self) -> int:
        """Vectors in the workspace."""
        return self.field(Field.RANDOM) + RANDOM_VECTORS


def lane_layout(size: int, *, amaf: bool) -> LaneLayout:
    """The layout for a board size: rows of 16 bits as far as they reach, of 32 bits beyond."""
    return LaneLayout(LANES_16 if size <= LANES_16.bits else LANES_32, size, amaf)


class Games(Memory):
    """The workspace by names, while code is generated."""

    layout: LaneLayout

    def board(self, board: Board) -> list[Vec]:
        """Loads the rows of a board."""
        return [self.load(self.layout.row(board, row)) for row in range(self.layout.size)]

    def set_board(self, board: Board, rows: list[Vec]) -> None:
        """Stores the rows of a board."""
        for row, vec in enumerate(rows):
            self.store(self.layout.row(board, row), vec)

    def get(self, field: Field) -> Vec:
        """Loads a single vector."""
        return self.load(self.layout.field(field))

    def set(self, field: Field, vec: Vec) -> None:
        """Stores a single vector."""
        self.store(self.layout.field(field), vec)
