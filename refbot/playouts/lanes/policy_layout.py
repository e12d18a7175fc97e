"""Additional memory layout of games with a policy, and its initial contents.

A policy is a rule that prefers captures and escapes from atari to random points.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from refbot.playouts.lanes.layout import Games, LaneLayout, lane_layout
from refbot.playouts.tally import (
    ACCEPTED,
    ATARI_CAPTURE,
    ATARI_EXTEND,
    CAPTURE_MOVE,
    CONSIDERED,
    FOUND,
    RANDOM,
    Tally,
)
from refbot.rules.board import Points, chains_of, each, grid
from refbot.rules.position import BLACK, NO_POINT, WHITE, Position


class PolicyBoard(IntEnum):
    """The bitboards of a policy, after the boards and fields of `layout`."""

    ATARI = 0  # stones of both sides in chains with one liberty
    ATTACKED = 1  # stones of the side to move that the last move has put in atari
    ROOT_ATARI = 2  # ATARI and ATTACKED in the position that every playout starts from
    ROOT_ATTACKED = 3
    FAILED = 4  # extensions tried in this turn that do not end the atari
    HUNTERS = 5  # stones of THEIRS in atari whose chain is beside ATTACKED
    POINT = 6  # the point drawn
    OWN = 7  # the chain of the stone that is being placed
    FREED = 8  # own stones in atari that get liberties from the stones that the new stone captures
    NEXT_ATTACKED = 9  # stones of THEIRS that the new stone puts in atari
    FOE = 10  # the part flooded so far of a chain of THEIRS beside the new stone; two liberties not yet found
    EXAMINED = 11  # chains of THEIRS beside the new stone that have been examined


class PolicyField(IntEnum):
    """The single vectors of a policy, after its boards."""

    CAPTURING = 0  # mask: the point drawn is a capture that is played only if it is worthwhile (see `choice`)
    TRIED = 1  # mask: in this turn, a drawn capture was not worthwhile
    REJECTED = 2  # mask: the point drawn is not played
    FAILS = 3  # mask: the point drawn is an extension that does not end the atari
    OWN_LIVES = 4  # mask: the chain of the new stone has two liberties
    KO = 5  # mask: one stone was captured, and ko forbids the other side to play there at once
    COUNT = 6  # the counts of this game: this vector and those after it, see Count


class Count(IntEnum):
    """A count kept in each game."""

    ATTACKED = 0  # turns that begin with own stones put in atari
    TAKEN = 1  # turns in which a capture saved these stones
    EXTENDED = 2  # turns in which an extension saved them
    CONSIDERED = 3  # turns in which a capture anywhere was looked for
    FOUND = 4  # turns in which one was found
    CAPTURED = 5  # turns in which one was played
    PASSES = 6


@dataclass(frozen=True)
class PolicyLayout(LaneLayout):
    """The layout of games with a policy; `features` are those of `refbot.deviations.options`."""

    features: int = 0

    def row(self, board: IntEnum, row: int) -> int:
        """Return the index of a row of vectors of a board in the workspace."""
        first = super().vectors if isinstance(board, PolicyBoard) else 0
        return first + board * self.shape.height + row

    def field(self, field: IntEnum) -> int:
        """Return the index of a single vector in the workspace."""
        if isinstance(field, PolicyField):
            return super().vectors + len(PolicyBoard) * self.shape.height + field
        return super().field(field)

    @property
    def vectors(self) -> int:
        """Vectors in the workspace."""
        return self.field(PolicyField.COUNT) + len(Count)


def layout_of(games: Games) -> PolicyLayout:
    """Return the layout of `games`, which are known to have a policy."""
    assert isinstance(games.layout, PolicyLayout)
    return games.layout


def atari_of(position: Position) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return (stones in atari, the mover's among them in chains beside the last move), a value per point."""
    around = grid(position.size)
    black, white = (
        sum(1 << int(point) for point in np.flatnonzero(position.stones == colour))
        for colour in (BLACK, WHITE)
    )
    empty = around.all & ~(black | white)
    last = around.beside(1 << position.last) if position.last != NO_POINT else 0
    atari = attacked = 0
    for stones, colour in ((black, BLACK), (white, WHITE)):
        for chain in chains_of(around, stones):
            if (around.beside(chain) & empty).bit_count() == 1:
                atari |= chain
                attacked |= chain if chain & last and colour == position.to_move else 0

    def points(of: Points) -> npt.NDArray[np.bool_]:
        found = np.zeros(position.size * position.size, np.bool_)
        found[list(each(of))] = True
        return found

    return points(atari), points(attacked)


def policy_layout(size: int, features: int, *, amaf: bool, mercy: bool = False) -> PolicyLayout:
    """Return the layout for a board size and the features of a policy."""
    plain = lane_layout(size, amaf=amaf, mercy=mercy)
    return PolicyLayout(plain.lanes, plain.shape, amaf, mercy, features)


def note_moves(tally: Tally, counts: npt.NDArray[np.int64], moves: int) -> None:
    """Writes the counts of playouts into the rows of a tally; `moves` is the sum of their lengths.

    Passes are moves. They count as considered at random, but as not found.
    """
    counted = {count: int(counts[count]) for count in Count}
    drawn = moves - counted[Count.TAKEN] - counted[Count.EXTENDED] - counted[Count.CAPTURED]
    not_taken = counted[Count.ATTACKED] - counted[Count.TAKEN]
    for row, considered, found, accepted in (
        (ATARI_CAPTURE, counted[Count.ATTACKED], counted[Count.TAKEN], counted[Count.TAKEN]),
        # An extension is always found: the last liberty.
        (ATARI_EXTEND, not_taken, not_taken, counted[Count.EXTENDED]),
        (CAPTURE_MOVE, counted[Count.CONSIDERED], counted[Count.FOUND], counted[Count.CAPTURED]),
        (RANDOM, drawn, drawn - counted[Count.PASSES], drawn - counted[Count.PASSES]),
    ):
        tally[row, [CONSIDERED, FOUND, ACCEPTED]] = considered, found, accepted
