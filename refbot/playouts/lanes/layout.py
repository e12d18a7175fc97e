"""Memory layout of a group of games side by side, and the parameters of its specialised kernel.

The workspace is an array of vectors. A lane of every vector belongs to one game. A board takes `height`
vectors; a field takes one. A mask is a vector whose lanes are all ones or all zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from refbot.playouts.lanes.rows import Rows
from refbot.playouts.lanes.shape import Shape
from refbot.playouts.lanes.simd import Layout, Memory
from refbot.playouts.lanes.vec import Vec
from refbot.playouts.lanes.width import lanes_of


class Board(IntEnum):
    """The bitboards: each `height` vectors, see `shape`. `step` says what UNPROVED is for."""

    MINE = 0  # stones of the side to move
    THEIRS = 1  # stones of the other side
    UNPROVED = 2  # all points but stones of THEIRS in chains proved to have two liberties
    BANNED = 3  # points not to be drawn: ko, and points of this turn already found to be suicide
    ROOT_MINE = 4  # the position that every playout starts from
    ROOT_THEIRS = 5
    ROOT_BANNED = 6
    GROWN = 7  # MINE with the stone that is being placed
    LOST = 8  # stones of THEIRS not reached from a liberty
    NEXT_UNPROVED = 9  # UNPROVED of the next turn, where GROWN are the stones of the other side
    REACHED = 10  # for a lane in `Field.HELD`: the point drawn, and all stones reached from liberties
    TOUCHED = 11  # played on by anyone in this playout
    FIRST = 12  # played on first by the side to move at the root


class Field(IntEnum):
    """The single vectors, after the boards."""

    MOVES = 0  # moves made in this playout
    LIMIT = 1  # moves after which this playout ends
    PASSED = 2  # mask: the last move was a pass
    ROOT_TURN = 3  # mask: the side that moves at the root is to move
    LIVE = 4  # mask: the lane plays a game that counts
    RESET = 5  # mask: the lane is to start the next game, as its game has just ended
    PLACED = 6  # mask: the move is a stone, not a pass
    DYING = 7  # mask: a chain of THEIRS beside that stone has no liberty; unused with a policy
    SAFE = 8  # mask: that stone's chain has a liberty; unused with a policy
    ALONE = 9  # mask: that stone has no neighbour of its colour
    HELD = 10  # mask: the lane makes the same move again, because its floods were not complete
    IN_DANGER = 11  # mask: the lane is held, and its stone has not been found to have a liberty
    MY_AREA = 12  # of a game that has ended: the area of the side to move
    THEIR_AREA = 13  # of a game that has ended: the area of the other side
    OPEN = 14  # mask: an empty region has several points, so MY_AREA and THEIR_AREA are wrong
    MY_STONES = 15  # of a game that has ended: stones of the side to move, if a short cut needs them
    THEIR_STONES = 16
    LEAD = 17  # mercy rule only: stones of the side to move less those of the other side
    ROOT_LEAD = 18  # mercy rule only: LEAD in the position that every playout starts from
    MERCY = 19  # mercy rule only: the largest lead that does not end a playout
    RANDOM = 20  # the state of the generator: this vector and the three after it


RANDOM_VECTORS = 4


@dataclass(frozen=True)
class LaneLayout(Layout):
    """The board in a lane, and what a kernel does beyond playing. Each layout has a kernel of its own."""

    shape: Shape
    amaf: bool  # AMAF is recorded
    mercy: bool = False  # playouts may end by the mercy rule

    def row(self, board: IntEnum, row: int) -> int:
        """Return the index in the workspace of the vector with this row of a board."""
        return board * self.shape.height + row

    def field(self, field: IntEnum) -> int:
        """Return the index of a single vector in the workspace."""
        return len(Board) * self.shape.height + field

    @property
    def vectors(self) -> int:
        """Vectors in the workspace."""
        return self.field(Field.RANDOM) + RANDOM_VECTORS


def lane_layout(size: int, *, amaf: bool, mercy: bool = False) -> LaneLayout:
    """Return the layout for a board size.

    Up to 16x16, a lane of 16 bits has one row of the board. Up to 20x20, a lane of 64 bits has three rows.
    On larger boards, a lane of 32 bits has one row.
    """
    if size <= 16:
        return LaneLayout(lanes_of(16), Shape(size), amaf, mercy)
    banded = Shape(size, bands=3)
    if banded.bits <= 64:
        return LaneLayout(lanes_of(64), banded, amaf, mercy)
    return LaneLayout(lanes_of(32), Shape(size), amaf, mercy)


class Games(Memory):
    """Access to the workspace by the names of boards and fields, while code is generated."""

    layout: LaneLayout

    def board(self, board: IntEnum) -> Rows:
        """A board; each row is loaded when it is first used."""
        layout = self.layout
        return Rows(layout.shape, self.constant(0), lambda row: self.load(layout.row(board, row)))

    def set_row(self, board: IntEnum, row: int, vec: Vec) -> None:
        """Stores one row of a board."""
        self.store(self.layout.row(board, row), vec)

    def get(self, field: IntEnum) -> Vec:
        """Loads a single vector."""
        return self.load(self.layout.field(field))

    def set(self, field: IntEnum, vec: Vec) -> None:
        """Stores a single vector."""
        self.store(self.layout.field(field), vec)
