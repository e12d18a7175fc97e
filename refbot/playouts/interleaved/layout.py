# mypy: allow-untyped-defs, allow-untyped-calls
"""Where the interleaved kernel keeps its games.

All games share three arrays. A place is a point of one of the games: `w` = size + 2 places make a row of a
framed board, and the board of game g begins at g * stride. So a place names its game too, and no function of
the board needs to know which game it works on. Each array has regions at constant offsets, so that one base
register reaches all of them. One more board, the template, holds the position that all games start from.

Indices and constants are uint64: a signed index costs numba a test and an addition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

U = np.uint64
GAMES = 8  # at once; more do not fit into the first cache on 19x19
TEMPLATE = U(GAMES)
LARGEST = 25
SPAN = (
    6784  # >= (GAMES + 1) * (25 + 2) ** 2, and no multiple of a power of 2 that maps regions to one cache set
)
LIST = 64  # >= 4 * GAMES: entries of a list of games or places
STATES = 16  # >= GAMES + 1
MARGIN = 64  # entries behind the last board that are read, never used

# Regions of `places` (uint16).
CHAIN = U(0)  # the place that stands for the chain; an empty or outer place stands for itself
NEXT = U(1 * SPAN)  # circular list of the chain's places
EMPTIES = U(2 * SPAN)  # of each game: its empty places that may be drawn, from BEGIN to END
PARKED = U(3 * SPAN)  # of each game: its empty places that neither side may play, see `board.park`
PARKED_AT = U(4 * SPAN)  # where a parked place is in PARKED
SUSPECTS = U(5 * SPAN)  # of each game: chains that may be in atari, each once (policies)
LISTED = U(6 * SPAN)  # 1 for a chain that is in SUSPECTS
_LISTS = 7 * SPAN + MARGIN
LIVE, DRAWN, LEGAL, REFUSED, CROWDED, JOIN, JOIN_TO, SETTLE, ENDED, CHOOSING, ESCAPING, CAPTURING = (
    U(_LISTS + k * LIST) for k in range(12)
)
CANDIDATES = U(_LISTS + 12 * LIST)  # of a policy: what one of them chooses among
PLACES = _LISTS + 12 * LIST + SPAN // GAMES

# Regions of `words` (uint32).
CODE = U(0)  # what is at a place, as below
LIBS = U(SPAN + MARGIN)  # at CHAIN: see below
_STATE = 2 * (SPAN + MARGIN)
BEGIN, END, ACTIVE_END, COLOUR, KO, PASSES, MOVES, PLACE, INDEX, JOINED, NOTES, PARKS, NUMBER = (
    U(_STATE + k * STATES) for k in range(13)
)
LAST, FRESH, ATTACKED, FORCED, SUSPECTED, LEAD = (U(_STATE + (13 + k) * STATES) for k in range(6))
WORDS = _STATE + 19 * STATES
"""The state of each game.

BEGIN, END, ACTIVE_END: its part of EMPTIES; behind ACTIVE_END are the places that were refused in this turn.
COLOUR: the code of the side to move. KO: the place forbidden to it. PASSES: in a row. MOVES: made.
PLACE, INDEX: the place drawn and where it is in EMPTIES. JOINED: the chain that its stone becomes part of.
NOTES: see `judge`. PARKS: the number of parked places. NUMBER: which playout of the batch it is.

Only for policies and options: LAST: the place played before, 0 after a pass. FRESH: 1 if nothing has been
drawn in this turn. ATTACKED: 1 if the last move may have put a chain in atari. FORCED: 1 + INDEX of the move
that a policy has chosen, or 0. SUSPECTED: the number of suspects. LEAD: Black's stones minus White's
(mod 2^32).
"""

# Regions of `sums` (uint64), only for policies.
LIB_SUM = U(0)  # at CHAIN: the sum of UNIT over the pseudo-liberties
UNIT = U(SPAN + MARGIN)  # of a place with number k on its board: k + k * k * 2^32
SUMS = 2 * (SPAN + MARGIN)

# What is at a place. The sum of four codes counts them, in fields that do not overflow: bits 0-3 twice the
# black and 4-7 twice the white ones, an outer place counting half (diagonals); 8-10 the black and 11-13 the
# white ones, outer places being both (sides); 14-16 the empty ones; 17-19 those that are parked as an eye of
# Black, 20-22 of White.
BLACK, WHITE, OUTER, EMPTY = U(0x102), U(0x820), U(0x911), U(1 << 14)
BOTH = BLACK ^ WHITE
SIDE_UNITS, DIAGONAL_UNITS = U(0x900), U(0x022)
EMPTY_SHIFT = U(14)
EYE_SHIFT = U(9)  # from the side unit of a colour to the mark of its parked eyes
EYE_OF_BLACK = U(1 << 17)

# LIBS: pseudo-liberties (pairs of a stone and an empty neighbour) that are not parked, 12 bits; parked ones,
# 10 bits; stones, 10 bits. Empty and outer places hold about NEVER, so that they can be counted up and down
# blindly and never reach 0.
UNPARKED = U((1 << 12) - 1)
ONE_PARKED = U(1 << 12)
PARKED_BITS = U(((1 << 10) - 1) << 12)
ALL_LIBERTIES = U((1 << 22) - 1)
ONE_STONE = U(1 << 22)
STONES_SHIFT = U(22)
NEVER = U(0x400)

_0, _1, _2, _3 = U(0), U(1), U(2), U(3)


class Board(NamedTuple):
    """The boards of all games, and their state."""

    places: npt.NDArray[np.uint16]
    words: npt.NDArray[np.uint32]
    sums: npt.NDArray[np.uint64]


def empty_board(*, with_sums: bool) -> Board:
    """Working space; the kernel fills it."""
    return Board(
        np.zeros(PLACES, np.uint16),
        np.zeros(WORDS, np.uint32),
        np.zeros(SUMS if with_sums else 0, np.uint64),
    )
