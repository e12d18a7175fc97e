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
from typing import Any

from refbot.options import CAPTURE, ESCAPE
from refbot.playouts.lanes import step
from refbot.playouts.lanes.draw import Draw
from refbot.playouts.lanes.flood import Chains, Flood, swept, union
from refbot.playouts.lanes.layout import Board, Field, Games
from refbot.playouts.lanes.policy_layout import Count, PolicyBoard, PolicyField, PolicyLayout
from refbot.playouts.lanes.rng import random_halves, random_words
from refbot.playouts.lanes.rows import Rows, all_points, beside, false_eyes
from refbot.playouts.lanes.simd import Vec
from refbot.playouts.lanes.step import count_move, touch

QUARTERS_MASK = 3  # a capture is considered three times in four: unless two random bits are 0


def layout_of(games: Games) -> PolicyLayout:
    """The layout of games with a policy."""
    assert isinstance(games.layout, PolicyLayout)
    return games.layout


def count(games: Games, what: Count, lanes: Vec) -> None:
    """Counts something in the lanes of a mask."""
    index = layout_of(games).field(PolicyField.COUNT) + what
    games.store(index, games.load(index) - lanes)


def some(board: Rows) -> Vec:
    """The mask of the lanes with any point."""
    return union(list(board)).nonzero()


def some_and_several(board: Rows) -> tuple[Vec, Vec]:
    """The masks of the lanes with any point, and with two or more."""
    once = twice = board.empty_row
    for row in board:
        twice = twice | (once & row)
        once = once | row
    return once.nonzero(), (twice | (once & (once + -1))).nonzero()


class Search:
    """A flood that goes on from what it reached in the step before, in lanes that are held."""

    def __init__(self, games: Games, board: IntEnum, chains: Chains, start: Rows) -> None:
        before = games.board(board) & games.get(Field.HELD)
        self._games, self._board, self._chains = games, board, chains
        self.flood = Flood(chains, start | before)
        self.rows = self.flood.rows

    def finish(self, row: int) -> None:
        """Emits the way up as far as `row`, and keeps what is reached there."""
        self._games.set_row(self._board, row, self.rows[row])

    def left_out(self) -> Rows:
        """Stones that it would reach in one more sweep."""
        return self.rows.like(lambda row: self._chains.left_out(self.rows, row))


def place(games: Games) -> None:
    """Draws a point in every lane and places a stone there.

    A flood of one sweep may leave stones out. A lane where they matter is held, as in `step`.
    """
    features = layout_of(games).features
    mine, theirs, atari = games.board(Board.MINE), games.board(Board.THEIRS), games.board(PolicyBoard.ATARI)
    was_held = games.get(Field.HELD)
    again = was_held & games.get(Field.PLACED)
    empty = all_points(mine) & ~(mine | theirs)
    allowed = empty & ~games.board(Board.BANNED)
    frail, prey, strong = mine & atari, theirs & atari, theirs & ~atari
    prey_chains = Chains(prey)
    high, low = random_halves(games)

    points = games.board(PolicyBoard.POINT) & again
    free = ~again
    waits = takes = extends = captures = games.constant(0)
    if features & ESCAPE:
        attacked = games.board(PolicyBoard.ATTACKED)
        hunters = Search(games, PolicyBoard.HUNTERS, prey_chains, prey & beside(attacked))
        for row in reversed(range(mine.height)):
            hunters.finish(row)
        waits = some(hunters.left_out()) & free
        taken = beside(hunters.rows) & allowed
        extended = beside(attacked) & empty & ~games.board(PolicyBoard.FAILED)
        takes = some(taken)
        extends = some(extended) & ~takes
        free = free & ~waits
        points = points | (taken & (takes & free)) | (extended & (extends & free))
        free = free & ~(takes | extends)
    if features & CAPTURE:
        found = beside(prey) & allowed
        (word,) = random_words(games, 1)
        considers = free & (word & QUARTERS_MASK).nonzero() & ~games.get(PolicyField.TRIED)
        chosen = considers & some(found)
        points = points | (found & chosen)
        free = free & ~chosen
        count(games, Count.CONSIDERED, considers)
        count(games, Count.FOUND, chosen)
        captures = chosen | (again & games.get(PolicyField.CAPTURING))
    # Empty points, own chains with two liberties, and enemy chains with one: what a stone can breathe by.
    air = all_points(mine) & ~Rows(mine.shape, mine.empty_row, lambda row: atari[row] ^ theirs[row])
    no_eye = beside(all_points(mine) & ~mine) | false_eyes(theirs)
    points = points | (allowed & no_eye & beside(air) & free)
    draw = Draw(points, high, low)
    point = draw.points
    near = mine.like(draw.beside)

    own = Search(games, PolicyBoard.OWN, Chains(mine | point), point)
    lost = Search(games, Board.LOST, prey_chains, prey & near)
    strong_chains = Chains(strong)
    sides = {
        PolicyBoard.NORTH: point.like(lambda row: point[row - 1]),
        PolicyBoard.SOUTH: point.like(lambda row: point[row + 1]),
        PolicyBoard.WEST: point.like(lambda row: point[row] >> 1),
        PolicyBoard.EAST: point.like(lambda row: point[row] << 1),
    }
    foes = [Search(games, board, strong_chains, strong & side) for board, side in sides.items()]
    swept([search.flood for search in (own, lost, *foes)], mine.height)
    for row in reversed(range(mine.height)):
        for search in (lost, own, *foes):
            search.finish(row)
    freed = Search(games, PolicyBoard.FREED, Chains(frail), frail & beside(lost.rows))
    for row in reversed(range(mine.height)):
        freed.finish(row)

    left = empty & ~point
    placed = draw.bit.nonzero()
    own_left_out = own.left_out()
    # By the rule for extensions, of the stones captured only those beside the point make liberties.
    opened = lost.rows & (near | ~extends) if features & ESCAPE else lost.rows
    _, own_lives = some_and_several(beside(own.rows) & (left | opened))
    held = some(own_left_out & atari) | (some(own_left_out) & ~own_lives)
    held = held | some(lost.left_out()) | some(freed.left_out())
    next_attacked, all_foes = [], []
    for foe in foes:
        _, lives = some_and_several(beside(foe.rows) & left)
        held = held | (some(foe.left_out()) & ~lives)
        next_attacked.append(foe.rows & ~lives)
        all_foes.append(foe.rows)
    held = held | waits
    rejected = extends & ~own_lives
    if features & CAPTURE:
        # The enemy's chain if it played here, and its liberties if that captured what it can.
        north, south, west, east = all_foes
        side = point | lost.rows | north | south | west | east
        _, worthwhile = some_and_several(beside(side) & (left | (own.rows & frail & near)))
        rejected = rejected | (captures & ~worthwhile)
    rejected = rejected & ~held & placed
    taken_one, taken_two = some_and_several(lost.rows)
    ko = taken_one & ~(taken_two | own_lives | some(near & mine))
    north, south, west, east = next_attacked
    attacked_now = north | south | west | east
    for row in range(mine.height):
        games.set_row(PolicyBoard.POINT, row, point[row])
        games.set_row(PolicyBoard.NEXT_ATTACKED, row, attacked_now[row])
    games.set(Field.PLACED, placed)
    games.set(Field.HELD, held)
    games.set(Field.SAFE, own_lives)
    games.set(Field.DYING, ko)
    games.set(PolicyField.REJECTED, rejected)
    games.set(PolicyField.EXTENDING, extends)
    games.set(PolicyField.CAPTURING, captures)
    moved = ~(held | rejected)
    games.set(PolicyField.TRIED, (games.get(PolicyField.TRIED) | (rejected & captures)) & ~moved)
    count(games, Count.PASSES, moved & ~placed)
    if features & ESCAPE:
        count(games, Count.ATTACKED, moved & some(attacked))
        count(games, Count.TAKEN, moved & takes)
        count(games, Count.EXTENDED, moved & extends)
    if features & CAPTURE:
        count(games, Count.CAPTURED, moved & captures)


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
