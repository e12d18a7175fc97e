"""One move in every lane at once, by a policy: what `step` is for uniform playouts.

The stones of chains with one liberty are kept on a board, and so everything that a policy or the rules ask
is there without a search: what a point captures, whether it is suicide, which chains may be taken or saved.
A move changes the liberties of the chains beside it and of those beside what it captures. A flood for each of
these chains keeps that board exact.

Whether a move ends an atari is seen when it has been placed. A move that does not is taken back: the lane
keeps its turn, and draws again in the next step.
"""

from __future__ import annotations

from enum import IntEnum
from functools import reduce
from operator import or_
from typing import Any

from refbot.options import CAPTURE, ESCAPE
from refbot.playouts.lanes import step
from refbot.playouts.lanes.choice import Situation, choice, count
from refbot.playouts.lanes.counting import beside_several, several, some, some_and_several
from refbot.playouts.lanes.draw import Draw
from refbot.playouts.lanes.flood import swept
from refbot.playouts.lanes.layout import Board, Field, Games
from refbot.playouts.lanes.policy_layout import Count, PolicyBoard, PolicyField
from refbot.playouts.lanes.rng import random_halves
from refbot.playouts.lanes.rows import Rows, beside
from refbot.playouts.lanes.search import Search
from refbot.playouts.lanes.simd import Vec
from refbot.playouts.lanes.step import count_move, touch


def place(games: Games) -> None:
    """Draws a point in every lane and places a stone there.

    A flood of one sweep may leave stones out. A lane where they matter is held, as in `step`. A lane is also
    held if the stone may put more than one chain in atari: a step looks at one of them.
    """
    now = Situation(games)
    was_held = games.get(Field.HELD)
    again = was_held & games.get(Field.PLACED)
    high, low = random_halves(games)
    chosen = choice(games, now, again)
    draw = Draw(chosen.points, high, low)
    point = draw.points
    near = point.like(draw.beside)
    left = now.empty & ~point

    sure = has_two_liberties(now.strong, left)
    examined = games.board(PolicyBoard.EXAMINED) & was_held
    suspects = now.strong & near & ~(sure | beside(sure)) & ~examined
    own = Search(games, PolicyBoard.OWN, now.mine | point, point)
    lost = Search(games, Board.LOST, now.prey, now.prey & near)
    foe = Search(games, PolicyBoard.FOE, now.strong, first_of(draw, suspects))
    swept([own.flood, lost.flood, foe.flood], point.height)
    for row in reversed(range(point.height)):
        lost.finish(row)
        own.finish(row)
        foe.finish(row)
    freed = Search(games, PolicyBoard.FREED, now.frail, now.frail & beside(lost.rows))
    for row in reversed(range(point.height)):
        freed.finish(row)

    placed = draw.bit.nonzero()
    own_left_out = own.left_out()
    # By the rule for extensions, of the stones captured only those beside the point make liberties.
    opened = lost.rows & (near | ~chosen.extends) if now.features & ESCAPE else lost.rows
    own_lives = several(beside(own.rows) & (left | opened))
    held = chosen.waits | some(own_left_out & now.atari) | (some(own_left_out) & ~own_lives)
    held = held | some(lost.left_out()) | some(freed.left_out())
    foe_lives = several(beside(foe.rows) & left)
    foe_unknown = some(foe.left_out()) & ~foe_lives
    held = held | foe_unknown | some(suspects & ~foe.rows)
    seen = examined | (foe.rows & ~foe_unknown)
    attacked = (games.board(PolicyBoard.NEXT_ATTACKED) & was_held) | (foe.rows & ~(foe_lives | foe_unknown))
    rejected = chosen.extends & ~own_lives
    if now.features & CAPTURE:
        # The enemy's chain if it played here, and its liberties if that captured what it can.
        side = point | lost.rows | seen
        worthwhile = several(beside(side) & (left | (own.rows & now.frail & near)))
        worthwhile = worthwhile | some(now.strong & near & (sure | beside(sure)))
        rejected = rejected | (chosen.captures & ~worthwhile)
    rejected = rejected & ~held & placed
    taken_one, taken_two = some_and_several(lost.rows)
    ko = taken_one & ~(taken_two | own_lives | some(near & now.mine))
    for row in range(point.height):
        games.set_row(PolicyBoard.POINT, row, point[row])
        games.set_row(PolicyBoard.NEXT_ATTACKED, row, attacked[row])
        games.set_row(PolicyBoard.EXAMINED, row, seen[row])
        games.set_row(PolicyBoard.FOE, row, foe.rows[row] & foe_unknown)
    games.set(Field.PLACED, placed)
    games.set(Field.HELD, held)
    games.set(Field.SAFE, own_lives)
    games.set(Field.DYING, ko)
    games.set(PolicyField.REJECTED, rejected)
    games.set(PolicyField.EXTENDING, chosen.extends)
    games.set(PolicyField.CAPTURING, chosen.captures)
    moved = ~(held | rejected)
    games.set(PolicyField.TRIED, (games.get(PolicyField.TRIED) | (rejected & chosen.captures)) & ~moved)
    count(games, Count.PASSES, moved & ~placed)
    if now.features & ESCAPE:
        count(games, Count.ATTACKED, moved & some(games.board(PolicyBoard.ATTACKED)))
        count(games, Count.TAKEN, moved & chosen.takes)
        count(games, Count.EXTENDED, moved & chosen.extends)
    if now.features & CAPTURE:
        count(games, Count.CAPTURED, moved & chosen.captures)


def has_two_liberties(stones: Rows, empty: Rows) -> Rows:
    """Stones that have two liberties themselves, or one and a neighbour with another one.

    Two stones side by side share no neighbour.
    """
    breathing = stones & beside(empty)
    return stones & (beside_several(empty) | (breathing & beside(breathing)))


def first_of(draw: Draw, stones: Rows) -> Rows:
    """One of the stones beside the point drawn: the first in the order above, below, left, right."""
    point = draw.points
    above = some(stones.like(lambda row: stones[row] & point[row - 1]))
    below = some(stones.like(lambda row: stones[row] & point[row + 1]))
    level = reduce(or_, [stones[row] & draw.here[row] for row in range(stones.height)])
    upright = above | below
    left = level & (draw.bit >> 1) & ~upright
    right = level & (draw.bit << 1) & ~(upright | left.nonzero())
    wings = left | right

    def row_of(row: int) -> Vec:
        return stones[row] & (point[row - 1] | (point[row + 1] & ~above) | (wings & draw.here[row]))

    return stones.like(row_of)


def finish(games: Games) -> Any:
    """Makes the moves that are to be played; returns the set of lanes whose game has ended."""
    games.barrier()
    mine, theirs, banned = games.board(Board.MINE), games.board(Board.THEIRS), games.board(Board.BANNED)
    atari, attacked = games.board(PolicyBoard.ATARI), games.board(PolicyBoard.ATTACKED)
    failed, next_attacked = games.board(PolicyBoard.FAILED), games.board(PolicyBoard.NEXT_ATTACKED)
    point, lost = games.board(PolicyBoard.POINT), games.board(Board.LOST)
    own, freed = games.board(PolicyBoard.OWN), games.board(PolicyBoard.FREED)
    placed, held, rejected = games.get(Field.PLACED), games.get(Field.HELD), games.get(PolicyField.REJECTED)
    own_lives, ko = games.get(Field.SAFE), games.get(Field.DYING)
    fails = rejected & games.get(PolicyField.EXTENDING)
    waits = held | rejected
    for row in range(games.layout.shape.height):
        if games.layout.amaf:
            touch(games, row, point[row] & ~waits)
        safe = lost[row] | freed[row] | (own[row] & own_lives)
        in_danger = (own[row] & ~own_lives) | next_attacked[row]
        after: tuple[tuple[IntEnum, Vec], ...] = (
            (Board.BANNED, waits.select(banned[row], lost[row] & ko)),
            (Board.MINE, waits.select(mine[row], theirs[row] & ~lost[row])),
            (Board.THEIRS, waits.select(theirs[row], mine[row] | point[row])),
            (PolicyBoard.ATARI, waits.select(atari[row], (atari[row] & ~safe) | in_danger)),
            (PolicyBoard.ATTACKED, waits.select(attacked[row], next_attacked[row])),
            (PolicyBoard.FAILED, (failed[row] & waits) | (point[row] & fails)),
        )
        for board, vec in after:
            games.set_row(board, row, vec)
    return count_move(games, ~placed, ~waits)


def restart(games: Games) -> None:
    """Puts the root position into the lanes that are to start the next game."""
    reset = games.get(Field.RESET)
    for board, start in (
        (PolicyBoard.ATARI, PolicyBoard.ROOT_ATARI),
        (PolicyBoard.ATTACKED, PolicyBoard.ROOT_ATTACKED),
    ):
        before, root = games.board(board), games.board(start)
        for row in range(before.height):
            games.set_row(board, row, reset.select(root[row], before[row]))
    step.restart(games)
