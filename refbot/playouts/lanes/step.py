"""One move in every lane at once: the body of the lane kernel, as bit logic on boards.

Everything here runs while a kernel is compiled and emits straight-line vector code (see `simd`). A move is
`place`, then, while they say so, `settle_captures` and `settle_placed`, then `finish`.
"""

from __future__ import annotations

from typing import Any

from refbot.playouts.lanes.draw import Draw, candidates
from refbot.playouts.lanes.flood import Chains, Flood, swept, union
from refbot.playouts.lanes.layout import Board, Field, Games
from refbot.playouts.lanes.rng import random_halves
from refbot.playouts.lanes.rows import (
    Rows,
    above_or_below,
    all_points,
    anywhere,
    beside,
    exactly_one,
    sideways,
)
from refbot.playouts.lanes.simd import Vec

OWN_REACH = 3  # how far a flood fills a row in one step: less costs sweeps, more costs operations
OTHER_REACH = 7


def level_classes(board: Rows, random: Vec) -> Rows:
    """For every point, the class of the liberties to its left and right; the others beside it are not in it.

    Liberties are divided by the parity of their row or of their column, at random in every lane and step.
    """
    by_row = random.negative()
    odd_columns = sum(1 << column for column in range(1, board.size, 2))
    even, odd = by_row | odd_columns, ~by_row & odd_columns
    return board.like(lambda row: odd if row % 2 else even)


def choose(mask: Rows, yes: Rows, no: Rows) -> Rows:
    """The points of `yes` where the mask is set, those of `no` elsewhere."""
    return mask.like(lambda row: mask[row].select(yes[row], no[row]))


def place(games: Games) -> Any:
    """Draws a point in every lane and places a stone there.

    Returns two sets of lanes: in the lower half those for `settle_captures`, in the upper half those for
    `settle_placed`.

    Two floods over the mover's stones start from two classes of liberties. A chain that both reach has two
    liberties: next turn it cannot be captured, and a point with nothing but such chains around it is suicide.
    A chain that none of them reaches has no liberty. A third flood finds the chains of the other side that
    have one; it starts also from those that had two before this move.
    """
    size = games.layout.size
    mine, theirs = games.board(Board.MINE), games.board(Board.THEIRS)
    high, low = random_halves(games)
    draw = Draw(candidates(mine, theirs, games.board(Board.UNPROVED), games.board(Board.BANNED)), high, low)

    grown = mine | draw.points
    empty = all_points(mine) & ~(grown | theirs)
    level, upright = sideways(empty), above_or_below(empty)
    class_of_level = level_classes(empty, low)
    own, other = Chains(grown, OWN_REACH), Chains(theirs, OTHER_REACH)
    first = Flood(own, grown & choose(class_of_level, level, upright))
    second = Flood(own, grown & choose(class_of_level, upright, level))
    alive = Flood(other, theirs & (level | upright | ~games.board(Board.UNPROVED)))
    swept([first, second, alive], size)

    reached = first.rows | second.rows
    unproved = all_points(mine) & ~(first.rows & second.rows)
    lost = theirs & ~alive.rows
    safe, dying, alone, own_open, other_open = [], [], [], [], []
    for row in range(size - 1, -1, -1):
        near = draw.beside(row)
        games.set_row(Board.GROWN, row, grown[row])
        games.set_row(Board.LOST, row, lost[row])
        games.set_row(Board.NEXT_UNPROVED, row, unproved[row])
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
    unsettled_captures, unsettled_stones = dying_mask & union(other_open), doubtful & union(own_open)
    return unsettled_captures.lane_sets(unsettled_stones)


def settle_captures(games: Games) -> Any:
    """One more sweep over the other side's chains.

    Returns two sets of lanes as `place` does: those that need another sweep, and those whose stone captures
    nothing, as it seems, and so must have a liberty.
    """
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
    open_ends = anywhere(theirs.like(lambda row: chains.left_out(alive.rows, row)))
    suspected = games.get(Field.PLACED) & ~dying & ~games.get(Field.SAFE)
    return (dying & open_ends).lane_sets(suspected)


def follow_placed(games: Games) -> None:
    """Starts to follow the chain of the placed stone, with that stone alone."""
    games.barrier()
    for row, placed in enumerate(games.board(Board.GROWN) & ~games.board(Board.MINE)):
        games.set_row(Board.REACHED, row, placed)


def settle_placed(games: Games) -> Any:
    """Follows the chain of the placed stone by one more sweep; not zero while another is needed."""
    games.barrier()
    theirs, grown = games.board(Board.THEIRS), games.board(Board.GROWN)
    chains = Chains(grown, games.layout.size)
    chain = Flood(chains, games.board(Board.REACHED))
    swept([chain], games.layout.size)
    for row in range(games.layout.size - 1, -1, -1):
        games.set_row(Board.REACHED, row, chain.rows[row])
    liberties = chain.rows & beside(all_points(grown) & ~(grown | theirs))
    safe = games.get(Field.SAFE) | anywhere(liberties).nonzero()
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
        Board.UNPROVED: all_points(games.board(Board.ROOT_MINE)),
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
