"""The points that a playout policy draws its move from, in every lane.

A policy looks for escapes and captures first (see `POLICIES` in `refbot.deviations.options`). An escape saves
own stones that the last move put in atari: it takes a chain beside them, or extends them to their last
liberty. Where the policy finds no escape and no capture, it draws from all points that uniform
playouts allow. `policy.place` calls `choice`, draws one of its points and tries the stone there.

Everything here emits code (see `simd`). A mask is a vector whose lanes are all ones or all zeros.
"""

from __future__ import annotations

from typing import NamedTuple

from refbot.deviations.options import CAPTURE, ESCAPE
from refbot.playouts.lanes.flood import StoredFlood
from refbot.playouts.lanes.layout import Board, Games
from refbot.playouts.lanes.policy_layout import Count, PolicyBoard, PolicyField, layout_of
from refbot.playouts.lanes.rng import pick_below, random_halves, random_words
from refbot.playouts.lanes.rows import Rows, all_points, any_point, beside, beside_several, false_eyes, number
from refbot.playouts.lanes.vec import Vec

QUARTERS_MASK = 3  # a capture is considered three times in four: unless two random bits are 0


class Situation:
    """The boards at the start of a step, and boards derived from them.

    mine, theirs      stones of the side to move, and of the other side
    atari             stones of both sides in chains with one liberty
    mine_in_atari     and `theirs_in_atari`: those of one side
    theirs_safe       enemy stones whose chain has two liberties or more
    airless           own stones in atari, and safe enemy stones: a new stone beside them gets no liberty
    beside_two_empty  points with two empty neighbours or more
    allowed           empty points that are not forbidden by ko
    """

    def __init__(self, games: Games) -> None:
        self.features = layout_of(games).features
        self.mine, self.theirs = games.board(Board.MINE), games.board(Board.THEIRS)
        self.atari = games.board(PolicyBoard.ATARI)
        self.all = all_points(self.mine)
        self.empty = self.all & ~(self.mine | self.theirs)
        self.allowed = self.empty & ~games.board(Board.BANNED)
        self.mine_in_atari, self.theirs_in_atari = self.mine & self.atari, self.theirs & self.atari
        self.theirs_safe = self.theirs & ~self.atari
        self.airless = self.mine.like(lambda row: self.atari[row] ^ self.theirs[row])
        self.beside_two_empty = beside_several(self.empty)


class Choice(NamedTuple):
    """The points to draw from, and masks of the lanes where these points are of a kind.

    A lane that waits has no points, and its other masks mean nothing.
    """

    points: Rows
    waits: Vec  # nothing is drawn in this step: the flood that finds the escapes by capture is not complete
    takes: Vec  # the points are captures that save a chain
    extends: Vec  # the points are extensions; each may still fail to end the atari
    captures: Vec  # the points are captures anywhere on the board; each may still be refused as worthless


def count(games: Games, what: Count, lanes: Vec) -> None:
    """Adds 1 to the count `what` in the lanes of a mask (a set lane is -1)."""
    index = games.layout.field(PolicyField.COUNT) + what
    games.store(index, games.load(index) - lanes)


def choice(games: Games, now: Situation, again: Vec) -> Choice:
    """Return the points to draw from. The lanes of `again` repeat a held move: they get its point alone."""
    points = games.board(PolicyBoard.POINT) & again
    free = ~again
    waits = takes = extends = captures = games.constant(0)
    if now.features & ESCAPE:
        taken, complete = takes_by_escape(games, now)
        extended = extensions(games, now)
        takes = any_point(taken)
        extends = any_point(extended) & ~takes
        waits = free & ~complete
        free = free & complete
        points = points | (taken & (takes & free)) | (extended & (extends & free))
        free = free & ~(takes | extends)
    if now.features & CAPTURE:
        worth_a_try, tries = captures_anywhere(games, now, free)
        points = points | (worth_a_try & tries)
        free = free & ~tries
        captures = tries | (again & games.get(PolicyField.CAPTURING))
    no_eye = beside(now.all & ~now.mine) | false_eyes(now.theirs)
    legal = now.allowed & no_eye & beside(now.all & ~now.airless)
    return Choice(points | (legal & free), waits, takes, extends, captures)


def takes_by_escape(games: Games, now: Situation) -> tuple[Rows, Vec]:
    """Return the points that capture a chain beside an own chain that the last move put in atari.

    The second value is the mask of the lanes where all of these points have been found; the others need more
    steps. Only an opponent's chain that is in atari can be captured: a flood finds its stones, and its last
    liberty is beside them.
    """
    attacked = games.board(PolicyBoard.ATTACKED)
    hunters = StoredFlood(
        games, PolicyBoard.HUNTERS, now.theirs_in_atari, now.theirs_in_atari & beside(attacked)
    )
    taken = beside(hunters.rows) & now.allowed
    return taken, ~any_point(hunters.left_out)


def extensions(games: Games, now: Situation) -> Rows:
    """Return the liberties of the attacked own chains, without those that cannot end the atari."""
    attacked = games.board(PolicyBoard.ATTACKED)
    useful = now.beside_two_empty | beside(now.theirs_in_atari | (now.mine & ~now.atari))
    return beside(attacked) & now.empty & useful & ~games.board(PolicyBoard.FAILED)


def captures_anywhere(games: Games, now: Situation, free: Vec) -> tuple[Rows, Vec]:
    """Return the captures that may be worthwhile, and the mask of the lanes that try one of them.

    A capture is worthwhile if an enemy stone at its point would get two liberties. The policy draws one of
    all captures and plays it only if it is worthwhile. Captures that cannot be worthwhile are known at once;
    the others are called hopeful. The draw here decides only whether the drawn capture is a hopeful one: with
    2 of 5 captures hopeful, a lane tries one with probability 2/5. The caller then draws one of the hopeful
    ones.
    """
    found = beside(now.theirs_in_atari) & now.allowed
    hopeful = found & (now.beside_two_empty | beside(now.airless))
    (word,) = random_words(games, 1)
    considers = free & (word & QUARTERS_MASK).nonzero() & ~games.get(PolicyField.TRIED)
    count(games, Count.CONSIDERED, considers)
    total = number(found)
    finds = considers & total.nonzero()
    count(games, Count.FOUND, finds)
    tries = finds & (pick_below(total, *random_halves(games)) - number(hopeful)).negative()
    return hopeful, tries
