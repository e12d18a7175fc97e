"""One move of uniform playouts in every lane at once: the body of the lane kernel, as bit logic on boards.

Everything here runs while a kernel is compiled and emits straight-line vector code (see `simd`). The kernel
calls `place`, which draws a point and floods chains, then `finish`, which makes the move, and `restart`,
which begins the next games. They communicate by the boards and fields of the workspace (see `layout`).

Liberties are not counted. They have two classes: the empty points in even vectors, and those in odd vectors
(a vector is a row of the board, see `shape`). Two floods over a side's stones start beside the two classes. A
chain that both reach has two liberties: it cannot be captured in the next turn, and for the other side a
point with only such chains around it is suicide. A chain that no complete flood reaches has no liberty. A
chain whose liberties all have one class may have two, but this is not proved. The board UNPROVED has every
point but the stones of the other side in proved chains.
"""

from __future__ import annotations

from typing import Any

from refbot.playouts.lanes.draw import Draw, sensible
from refbot.playouts.lanes.flood import Flood, emit_sweeps, left_out
from refbot.playouts.lanes.layout import Board, Field, Games
from refbot.playouts.lanes.rng import random_halves
from refbot.playouts.lanes.rows import Rows, above_or_below, all_points, exactly_one, sideways
from refbot.playouts.lanes.vec import Vec


def beside_liberties(empty: Rows, level: Rows, parity: int) -> Rows:
    """Return the points beside a liberty of one class: an empty point in a vector of this parity.

    parity   0 for vectors 0, 2, 4 and so on; 1 for vectors 1, 3, 5
    level    the points with an empty point to the left or right
    """

    def near(row: int) -> Vec:
        found = level[row] if row % 2 == parity else empty.empty_row
        for next_row in (row - 1, row + 1):
            if next_row % empty.height % 2 == parity:  # past the edge of its band: see `shape`
                found = found | empty[next_row]
        return found

    return empty.like(near)


def place(games: Games) -> None:
    """Draws a point in every lane, and finds what a stone there captures and whether it may stay.

    `finish` then makes or refuses the move. Two floods run over the mover's stones, `first` and `second`, one
    for each class of liberties. The third, `alive`, finds the chains of the other side that have a liberty.
    It also starts from those that had two liberties before this move. `flood` says why a lane is held.
    """
    # The draw. A held lane draws from one point only: the one that it drew before.
    height = games.layout.shape.height
    mine, theirs = games.board(Board.MINE), games.board(Board.THEIRS)
    unproved_before = games.board(Board.UNPROVED)
    was_held, was_in_danger = games.get(Field.HELD), games.get(Field.IN_DANGER)
    kept = games.board(Board.REACHED) & was_held
    own_reached_before = kept & mine & was_in_danger
    high, low = random_halves(games)
    was_empty = all_points(mine) & ~mine & ~theirs
    allowed = sensible(mine, theirs, unproved_before, games.board(Board.BANNED))
    draw = Draw(was_empty & ((allowed & ~was_held) | kept), high, low)

    # The floods, on the board with the new stone. In a held lane, `alive` continues from the stones that it
    # has reached. If the lane is held because its own stone is in danger, one liberty is all that it needs:
    # `first` continues for both classes, and `second` stays empty.
    grown = mine | draw.points
    empty = all_points(mine) & ~(grown | theirs)
    level, upright = sideways(empty), above_or_below(empty)
    first = Flood(grown, grown & (beside_liberties(empty, level, 0) | own_reached_before))
    second = Flood(grown, grown & beside_liberties(empty, level, 1) & ~was_in_danger)
    alive = Flood(theirs, theirs & (level | upright | ~unproved_before | kept))
    emit_sweeps([first, second, alive], height)
    store_results(games, draw, mine, theirs, grown, first.rows, second.rows, alive.rows)


def store_results(
    games: Games, draw: Draw, mine: Rows, theirs: Rows, grown: Rows, first: Rows, second: Rows, alive: Rows
) -> None:
    """Stores the results of `place`, for `finish` and for the next step of held lanes.

    draw, grown             the point that was drawn in each lane, and the mover's stones with it
    first, second, alive    the stones that the three floods have reached
    """
    reached, unproved, lost = first | second, all_points(mine) & ~(first & second), theirs & ~alive
    # Sets of points. In each lane, only whether a set is empty counts.
    safe = dying = neighbours = games.constant(0)
    own_open = other_open = games.constant(0)  # stones that a flood has left out: their chains are unknown
    for row in reversed(range(mine.height)):
        near = draw.beside(row)
        games.set_row(Board.GROWN, row, grown[row])
        games.set_row(Board.LOST, row, lost[row])
        games.set_row(Board.NEXT_UNPROVED, row, unproved[row])
        games.set_row(Board.REACHED, row, draw.points[row] | reached[row] | alive[row])
        neighbours = neighbours | (near & mine[row])
        dying = dying | (near & lost[row])
        safe = safe | (draw.points[row] & reached[row])
        own_open = own_open | left_out(grown, reached, row)
        other_open = other_open | left_out(theirs, alive, row)
    placed_mask, dying_mask, safe_mask = draw.bit.nonzero(), dying.nonzero(), safe.nonzero()
    alone_mask = ~neighbours.nonzero()
    games.set(Field.PLACED, placed_mask)
    games.set(Field.DYING, dying_mask)
    games.set(Field.SAFE, safe_mask)
    games.set(Field.ALONE, alone_mask)
    in_danger = placed_mask & ~safe_mask & ~dying_mask & ~alone_mask & own_open.nonzero()
    games.set(Field.IN_DANGER, in_danger)
    games.set(Field.HELD, in_danger | (dying_mask & other_open.nonzero()))


def finish(games: Games) -> Any:
    """Makes the moves of the lanes that are not held: removes captured stones, sets ko, changes sides.

    A move that is suicide is refused: its point is banned, and the lane keeps its turn. Returns the set of
    lanes whose game has ended.
    """
    games.barrier()
    mine, theirs = games.board(Board.MINE), games.board(Board.THEIRS)
    grown, lost = games.board(Board.GROWN), games.board(Board.LOST)
    unproved, banned = games.board(Board.UNPROVED), games.board(Board.BANNED)
    next_unproved = games.board(Board.NEXT_UNPROVED)
    placed, dying, safe = games.get(Field.PLACED), games.get(Field.DYING), games.get(Field.SAFE)

    held = games.get(Field.HELD)
    rejected = placed & ~dying & ~safe & ~held
    waits = rejected | held
    # One stone was taken by a single stone that has no other liberty.
    ko = exactly_one(lost) & dying & games.get(Field.ALONE) & ~safe
    for row in range(games.layout.shape.height):
        if games.layout.amaf:
            touch(games, row, grown[row] & ~mine[row] & ~waits)
        after = (
            # `grown` bans the old stones with the refused one: no stone is drawn anyway.
            (Board.BANNED, (banned[row] & waits) | (grown[row] & rejected) | (lost[row] & ko)),
            (Board.UNPROVED, waits.select(unproved[row], next_unproved[row])),
            (Board.MINE, waits.select(mine[row], theirs[row] & ~(lost[row] & dying))),
            (Board.THEIRS, waits.select(theirs[row], grown[row])),
        )
        for board, vec in after:
            games.set_row(board, row, vec)
    follow_lead(games, placed, waits, lost & dying)
    return count_move(games, ~placed, ~waits)


def touch(games: Games, row: int, point: Vec) -> None:
    """Records, for AMAF, which side was the first to play at the points of a row that are played now."""
    touched, first = games.board(Board.TOUCHED), games.board(Board.FIRST)
    fresh = point & ~touched[row]
    games.set_row(Board.FIRST, row, first[row] | (fresh & games.get(Field.ROOT_TURN)))
    games.set_row(Board.TOUCHED, row, touched[row] | point)


def follow_lead(games: Games, placed: Vec, waits: Vec, captured: Rows) -> None:
    """Updates the lead in stones, which only the mercy rule needs. The sign changes with the side to move."""
    if not games.layout.mercy:
        return
    taken = sum((row.popcount() for row in captured), games.constant(0))
    lead = games.get(Field.LEAD)
    games.set(Field.LEAD, waits.select(lead, placed - lead - taken))  # `placed` is -1 for a stone


def count_move(games: Games, passes: Vec, moved: Vec) -> Any:
    """Counts the moves; returns the set of lanes whose game has ended: by two passes, the cap, or mercy.

    `passes` and `moved` are masks of the lanes that pass if they move, and of those that move.
    """
    moves = games.get(Field.MOVES) - moved  # `moved` is -1 in a lane that moves
    passed = games.get(Field.PASSED)
    over = (passes & passed) | ~moves.less(games.get(Field.LIMIT))
    if games.layout.mercy:
        lead, mercy = games.get(Field.LEAD), games.get(Field.MERCY)
        over = over | mercy.less(lead) | mercy.less(-lead)
    ended = over & moved & games.get(Field.LIVE)
    games.set(Field.MOVES, moves)
    games.set(Field.PASSED, moved.select(passes, passed))
    games.set(Field.ROOT_TURN, games.get(Field.ROOT_TURN) ^ moved)
    games.set(Field.RESET, ended)
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
            (Board.TOUCHED, Board.FIRST), Rows(games.layout.shape, nothing, lambda _: nothing)
        )
    for board, start in starts.items():
        for row, before in enumerate(games.board(board)):
            games.set_row(board, row, reset.select(start[row], before))
    if games.layout.mercy:
        games.set(Field.LEAD, reset.select(games.get(Field.ROOT_LEAD), games.get(Field.LEAD)))
    games.set(Field.MOVES, games.get(Field.MOVES) & ~reset)
    games.set(Field.PASSED, games.get(Field.PASSED) & ~reset)
    games.set(Field.ROOT_TURN, games.get(Field.ROOT_TURN) | reset)
