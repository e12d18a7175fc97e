"""One move in every lane at once: the body of the lane kernel, as bit logic on boards.

Everything here runs while a kernel is compiled and emits straight-line vector code (see `simd`). A move is
`place`, then, while they say so, `settle_captures` and `settle_placed`, then `finish`.
"""

from __future__ import annotations

from typing import Any

from refbot.playouts.lane_draw import Draw, candidates
from refbot.playouts.lane_flood import Chains, Flood, swept, union
from refbot.playouts.lane_layout import Board, Field, Games
from refbot.playouts.lane_random import random_halves
from refbot.playouts.lane_rows import Rows, anywhere, beside, empty_points, exactly_one
from refbot.playouts.simd import Vec

OWN_REACH = 3  # how far floods go in one step along a row: less costs extra sweeps, more costs operations
OTHER_REACH = 7


def halves(enclosed: Rows, empty: Rows, high: Vec, low: Vec) -> tuple[Rows, Rows]:
    """The empty points less one half of the enclosed ones, and less the other half: halves at random.

    Two points are in different halves with chance one half, anew in every step and lane.
    """
    bits = high.lanes.bits

    def pattern(row: int) -> Vec:
        return high ^ (low << (bits - 1 - row % 16)).negative()

    patterns = empty.like(pattern)
    return empty & ~(enclosed & patterns), empty & (~enclosed | patterns)


def place(games: Games) -> Any:
    """Draws a point in every lane and places a stone there; not zero if lanes are left to be settled.

    Two floods over the mover's stones start from two classes of liberties. A chain that both reach has a
    liberty beside any one point enclosed by the mover: such a point is suicide for the other side. A chain
    that neither reaches has no liberty. A third flood tells which of the other side's chains have one.
    """
    size = games.layout.size
    mine, theirs = games.board(Board.MINE), games.board(Board.THEIRS)
    high, low = random_halves(games)
    draw = Draw(candidates(mine, theirs, games.board(Board.UNPROVED), games.board(Board.BANNED)), high, low)

    grown = mine | draw.points
    empty = empty_points(grown, theirs)
    by_empty = beside(empty)
    enclosed = empty & ~(by_empty | beside(theirs))
    first_half, second_half = halves(enclosed, empty, high, low)
    own, other = Chains(grown, OWN_REACH), Chains(theirs, OTHER_REACH)
    first = Flood(own, grown & beside(first_half))
    second = Flood(own, grown & beside(second_half))
    alive = Flood(other, theirs & by_empty)
    swept([first, second, alive], size)

    reached = first.rows | second.rows
    lost = theirs & ~alive.rows
    safe, dying, alone, own_open, other_open = [], [], [], [], []
    for row in range(size - 1, -1, -1):
        near = draw.beside(row)
        games.set_row(Board.GROWN, row, grown[row])
        games.set_row(Board.LOST, row, lost[row])
        games.set_row(Board.NEXT_UNPROVED, row, grown[row] & ~(first.rows[row] & second.rows[row]))
        alone.append(near & mine[row])
        dying.append(near & lost[row])
        safe.append(draw.points[row] & reached[row])
    for row in range(size):
        own_open.append(own.left_out(reached, row))
        other_open.append(other.left_out(alive.rows, row))
    placed_mask, dying_mask, safe_mask = draw.bit.nonzero(), union(dying).nonzero(), union(safe).nonzero()
    games.set(Field.PLACED, placed_mask)
    games.set(Field.DYING, dying_mask)
    games.set(Field.SAFE, safe_mask)
    games.set(Field.ALONE, ~union(alone).nonzero())
    doubtful = placed_mask & ~safe_mask & ~dying_mask
    return ((dying_mask & union(other_open)) | (doubtful & union(own_open))).lane_set()


def settle_captures(games: Games) -> Any:
    """One more sweep over the other side's chains; not zero while another is needed."""
    games.barrier()
    mine, theirs, grown = games.board(Board.MINE), games.board(Board.THEIRS), games.board(Board.GROWN)
    chains = Chains(theirs, games.layout.size)
    alive = Flood(chains, theirs & ~games.board(Board.LOST))
    swept([alive], games.layout.size)
    lost = theirs & ~alive.rows
    for row in range(games.layout.size - 1, -1, -1):
        games.set_row(Board.LOST, row, lost[row])
    dying = anywhere(beside(grown & ~mine) & lost).nonzero()
    games.set(Field.DYING, dying)
    for row in range(games.layout.size):
        games.set_row(Board.REACHED, row, grown[row] & ~mine[row])
    return (dying & anywhere(theirs.like(lambda row: chains.left_out(alive.rows, row)))).lane_set()


def settle_placed(games: Games) -> Any:
    """Follows the chain of the placed stone by one more sweep; not zero while another is needed."""
    games.barrier()
    theirs, grown = games.board(Board.THEIRS), games.board(Board.GROWN)
    chains = Chains(grown, games.layout.size)
    chain = Flood(chains, games.board(Board.REACHED))
    swept([chain], games.layout.size)
    for row in range(games.layout.size - 1, -1, -1):
        games.set_row(Board.REACHED, row, chain.rows[row])
    safe = games.get(Field.SAFE) | anywhere(chain.rows & beside(empty_points(grown, theirs))).nonzero()
    games.set(Field.SAFE, safe)
    doubtful = games.get(Field.PLACED) & ~safe & ~games.get(Field.DYING)
    return (doubtful & anywhere(grown.like(lambda row: chains.left_out(chain.rows, row)))).lane_set()


def finish(games: Games) -> Any:
    """Takes dead stones off; returns the set of lanes whose game has ended."""
    games.barrier()
    mine, theirs = games.board(Board.MINE), games.board(Board.THEIRS)
    grown, lost = games.board(Board.GROWN), games.board(Board.LOST)
    unproved, banned = games.board(Board.UNPROVED), games.board(Board.BANNED)
    next_unproved = games.board(Board.NEXT_UNPROVED)
    placed, dying, safe = games.get(Field.PLACED), games.get(Field.DYING), games.get(Field.SAFE)

    rejected = placed & ~dying & ~safe
    captured = lost & dying
    ko = exactly_one(captured) & games.get(Field.ALONE) & ~safe
    for row in range(games.layout.size):
        point = grown[row] & ~mine[row]
        if games.layout.amaf:
            _touch(games, row, point & ~rejected)
        after = (
            (Board.BANNED, rejected.select(banned[row] | point, captured[row] & ko)),
            (Board.UNPROVED, rejected.select(unproved[row], next_unproved[row])),
            (Board.MINE, rejected.select(mine[row], theirs[row] & ~captured[row])),
            (Board.THEIRS, rejected.select(theirs[row], grown[row])),
        )
        for board, vec in after:
            games.set_row(board, row, vec)
    return _count_move(games, ~placed, ~rejected)


def _touch(games: Games, row: int, point: Vec) -> None:
    """Notes the first use of a point, for AMAF."""
    touched, first = games.board(Board.TOUCHED), games.board(Board.FIRST)
    fresh = point & ~touched[row]
    games.set_row(Board.FIRST, row, first[row] | (fresh & games.get(Field.ROOT_TURN)))
    games.set_row(Board.TOUCHED, row, touched[row] | point)


def _count_move(games: Games, passes: Vec, moved: Vec) -> Any:
    """Counts the moves; returns the set of lanes whose game has ended, by two passes or by the cap."""
    moves = games.get(Field.MOVES) - moved
    passed = games.get(Field.PASSED)
    ended = ((passes & passed) | ~moves.less(games.get(Field.LIMIT))) & moved & games.get(Field.LIVE)
    games.set(Field.MOVES, moves)
    games.set(Field.PASSED, moved.select(passes, passed))
    games.set(Field.ROOT_TURN, games.get(Field.ROOT_TURN) ^ moved)
    return ended.lane_set()


def restart(games: Games) -> None:
    """Puts the root position into the lanes that are to start the next game."""
    reset = games.get(Field.RESET)
    starts = {
        Board.MINE: games.board(Board.ROOT_MINE),
        Board.THEIRS: games.board(Board.ROOT_THEIRS),
        Board.UNPROVED: games.board(Board.ROOT_THEIRS),
        Board.BANNED: games.board(Board.ROOT_BANNED),
    }
    if games.layout.amaf:
        nothing = games.constant(0)
        starts |= dict.fromkeys(
            (Board.TOUCHED, Board.FIRST), Rows(games.layout.size, nothing, lambda _: nothing)
        )
    for board, start in starts.items():
        for row, before in enumerate(games.board(board)):
            games.set_row(board, row, reset.select(start[row], before))
    games.set(Field.MOVES, games.get(Field.MOVES) & ~reset)
    games.set(Field.PASSED, games.get(Field.PASSED) & ~reset)
    games.set(Field.ROOT_TURN, games.get(Field.ROOT_TURN) | reset)
    games.set(Field.RESET, games.constant(0))
