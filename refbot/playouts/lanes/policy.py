"""One move in every lane at once, by a policy. The module `step` does this for uniform playouts.

The board ATARI holds the stones of all chains with one liberty. It answers without a search what a point
captures, whether a move there is suicide, and which chains may be taken or saved. A move changes the
liberties of the chains beside it and beside the stones that it captures. A flood of each of these chains
keeps ATARI exact.

The stone of an extension or a capture is placed first and tested then. If the policy does not want the move,
it is taken back: the lane keeps its turn and draws again in the next step.

The kernel calls `place` and then `finish` for each step, and `restart` for games that begin. Everything here
emits code (see `simd`); `flood` says when a lane is held.
"""

from __future__ import annotations

from enum import IntEnum
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from refbot.deviations.options import CAPTURE, ESCAPE
from refbot.playouts.lanes import step
from refbot.playouts.lanes.choice import Situation, choice, count
from refbot.playouts.lanes.draw import Draw
from refbot.playouts.lanes.flood import StoredFlood, emit_sweeps
from refbot.playouts.lanes.layout import Board, Field, Games
from refbot.playouts.lanes.policy_layout import Count, PolicyBoard, PolicyField, layout_of
from refbot.playouts.lanes.rng import random_halves
from refbot.playouts.lanes.rows import Rows, amounts, any_point, beside, beside_several
from refbot.playouts.lanes.step import count_move, follow_lead, touch
from refbot.playouts.lanes.vec import Vec


class Outcome(NamedTuple):
    """The consequences of the stone placed, as masks of lanes; `attacked` is a board."""

    held: Vec  # the lane must repeat its move: a flood is not complete, so the other fields are not final
    own_lives: Vec  # the chain of the new stone has two liberties
    worthwhile: Vec  # a stone of the other side at the same point would get two liberties
    ko: Vec  # one stone was captured, and ko forbids the other side to play there at once
    attacked: Rows  # the chains that the new stone puts in atari


def place(games: Games) -> None:
    """Draws a point in every lane, places a stone there, and stores the consequences for `finish`.

    A lane is also held if the stone may put more than one chain in atari: one step examines one such chain.
    """
    now = Situation(games)
    again = games.get(Field.HELD) & games.get(Field.PLACED)
    high, low = random_halves(games)
    chosen = choice(games, now, again)
    draw = Draw(chosen.points, high, low)
    placed = draw.bit.nonzero()
    result = outcome(games, now, draw, chosen.extends)
    held = result.held | chosen.waits
    fails = chosen.extends & ~result.own_lives & ~held & placed
    in_vain = chosen.captures & ~result.worthwhile & ~held & placed
    moved = ~(held | fails | in_vain)
    for row, point in enumerate(draw.points):
        games.set_row(PolicyBoard.POINT, row, point)
        games.set_row(PolicyBoard.NEXT_ATTACKED, row, result.attacked[row])
    for field, mask in (
        (Field.PLACED, placed),
        (Field.HELD, held),
        (PolicyField.OWN_LIVES, result.own_lives),
        (PolicyField.KO, result.ko),
        (PolicyField.REJECTED, fails | in_vain),
        (PolicyField.FAILS, fails),
        (PolicyField.CAPTURING, chosen.captures),
        (PolicyField.TRIED, (games.get(PolicyField.TRIED) | in_vain) & ~moved),
    ):
        games.set(field, mask)
    count(games, Count.PASSES, moved & ~placed)
    if now.features & ESCAPE:
        count(games, Count.ATTACKED, moved & any_point(games.board(PolicyBoard.ATTACKED)))
        count(games, Count.TAKEN, moved & chosen.takes)
        count(games, Count.EXTENDED, moved & chosen.extends)
    if now.features & CAPTURE:
        count(games, Count.CAPTURED, moved & chosen.captures)


def outcome(games: Games, now: Situation, draw: Draw, extends: Vec) -> Outcome:
    """Floods the chains beside the point drawn, and the own chains in atari beside captured stones.

    own       the chain of the new stone
    lost      the enemy chains in atari beside it, which it captures
    suspects  enemy stones beside it whose chains may be in atari now
    foe       the chain of one of them, which this step examines
    known     enemy chains beside it that earlier steps of a held move have examined
    freed     own chains in atari beside captured stones

    A name with `rest` is for stones that a flood has left out.
    """
    was_held, point, near = games.get(Field.HELD), draw.points, draw.points.like(draw.beside)
    still_empty = now.empty & ~point
    known, attacked_before = (
        games.board(board) & was_held for board in (PolicyBoard.EXAMINED, PolicyBoard.NEXT_ATTACKED)
    )
    # `sure`: enemy stones with two liberties that are seen without a flood.
    sure = has_two_liberties(now.theirs_safe, still_empty)
    suspects = now.theirs_safe & near & ~(sure | beside(sure) | known)
    own = StoredFlood(games, PolicyBoard.OWN, now.mine | point, point)
    lost = StoredFlood(games, Board.LOST, now.theirs_in_atari, now.theirs_in_atari & near)
    foe = StoredFlood(games, PolicyBoard.FOE, now.theirs_safe, first_of(draw, suspects))
    emit_sweeps([own.flood, lost.flood, foe.flood], point.height)

    # In the rule for extensions, only captured stones beside the point count as new liberties.
    captured = lost.rows & (near | ~extends)
    # Suppose that the other side played at the point: its chain, and the possible liberties of this chain.
    their_chain, their_room = point | lost.rows | foe.rows | known, still_empty | (now.mine_in_atari & near)
    found = amounts(
        own_liberties=beside(own.rows) & (still_empty | captured),
        own_rest=own.left_out,
        own_rest_in_atari=own.left_out & now.atari,
        lost=lost.rows,
        lost_rest=lost.left_out,
        foe_liberties=beside(foe.rows) & still_empty,
        foe_rest=foe.left_out,
        other_suspects=suspects & ~foe.rows,
        their_liberties=beside(their_chain) & their_room,
        sure_beside=now.theirs_safe & near & ~(suspects | known),
        friends=near & now.mine,
    )
    freed = StoredFlood(games, PolicyBoard.FREED, now.mine_in_atari, now.mine_in_atari & beside(lost.rows))

    own_lives, foe_lives = found["own_liberties"].several, found["foe_liberties"].several
    foe_unknown = found["foe_rest"].any & ~foe_lives
    for row in range(point.height):
        games.set_row(PolicyBoard.EXAMINED, row, known[row] | (foe.rows[row] & ~foe_unknown))
        games.set_row(PolicyBoard.FOE, row, foe.rows[row] & foe_unknown)
    # The lane is held if stones that were left out, or another chain, could change the result.
    unknown = (found["own_rest"].any & ~own_lives) | foe_unknown | any_point(freed.left_out)
    for rest in ("own_rest_in_atari", "lost_rest", "other_suspects"):
        unknown = unknown | found[rest].any
    return Outcome(
        held=unknown,
        own_lives=own_lives,
        worthwhile=found["their_liberties"].several | found["sure_beside"].any,
        ko=found["lost"].any & ~(found["lost"].several | own_lives | found["friends"].any),
        attacked=attacked_before | (foe.rows & ~(foe_lives | foe_unknown)),
    )


def has_two_liberties(stones: Rows, empty: Rows) -> Rows:
    """Stones with two liberties of their own, or with one and a neighbour stone that has one.

    Two stones side by side share no liberty, so two such liberties differ.
    """
    breathing = stones & beside(empty)
    return stones & (beside_several(empty) | (breathing & beside(breathing)))


def first_of(draw: Draw, stones: Rows) -> Rows:
    """One of the stones beside the point drawn: the first in the order above, below, left, right."""
    point = draw.points
    above = any_point(stones.like(lambda row: stones[row] & point[row - 1]))
    below = any_point(stones.like(lambda row: stones[row] & point[row + 1]))
    level = reduce(or_, [stones[row] & draw.here[row] for row in range(stones.height)])
    upright = above | below
    left = level & (draw.bit >> 1) & ~upright
    right = level & (draw.bit << 1) & ~(upright | left.nonzero())
    wings = left | right

    def row_of(row: int) -> Vec:
        return stones[row] & (point[row - 1] | (point[row + 1] & ~above) | (wings & draw.here[row]))

    return stones.like(row_of)


def finish(games: Games) -> Any:
    """Makes the moves of the lanes that are not held or rejected; returns the lanes whose game has ended."""
    games.barrier()
    mine, theirs, banned = games.board(Board.MINE), games.board(Board.THEIRS), games.board(Board.BANNED)
    atari, next_attacked = games.board(PolicyBoard.ATARI), games.board(PolicyBoard.NEXT_ATTACKED)
    attacked, failed = games.board(PolicyBoard.ATTACKED), games.board(PolicyBoard.FAILED)
    point, lost = games.board(PolicyBoard.POINT), games.board(Board.LOST)
    own, freed = games.board(PolicyBoard.OWN), games.board(PolicyBoard.FREED)
    placed, held, rejected = games.get(Field.PLACED), games.get(Field.HELD), games.get(PolicyField.REJECTED)
    own_lives, ko = games.get(PolicyField.OWN_LIVES), games.get(PolicyField.KO)
    fails, waits = games.get(PolicyField.FAILS), held | rejected
    for row in range(games.layout.shape.height):
        if games.layout.amaf:
            touch(games, row, point[row] & ~waits)
        safe = lost[row] | freed[row] | (own[row] & own_lives)
        in_danger = (own[row] & ~own_lives) | next_attacked[row]
        after: list[tuple[IntEnum, Vec]] = [
            (Board.BANNED, waits.select(banned[row], lost[row] & ko)),
            (Board.MINE, waits.select(mine[row], theirs[row] & ~lost[row])),
            (Board.THEIRS, waits.select(theirs[row], mine[row] | point[row])),
            (PolicyBoard.ATARI, waits.select(atari[row], (atari[row] & ~safe) | in_danger)),
        ]
        if layout_of(games).features & ESCAPE:
            after += [
                (PolicyBoard.ATTACKED, waits.select(attacked[row], next_attacked[row])),
                (PolicyBoard.FAILED, (failed[row] & waits) | (point[row] & fails)),
            ]
        for board, vec in after:
            games.set_row(board, row, vec)
    follow_lead(games, placed, waits, lost)
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
