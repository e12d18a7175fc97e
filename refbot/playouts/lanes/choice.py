"""The points that a playout policy draws its move from, in every lane.

A policy looks for escapes and captures first (see `POLICIES` in `refbot.deviations.options`). Where it finds
none, it draws from all points that uniform playouts allow.
"""

from __future__ import annotations

from typing import NamedTuple

from refbot.deviations.options import CAPTURE, ESCAPE
from refbot.playouts.lanes.flood import Search
from refbot.playouts.lanes.layout import Board, Games
from refbot.playouts.lanes.policy_layout import Count, PolicyBoard, PolicyField, layout_of
from refbot.playouts.lanes.rng import pick_below, random_halves, random_words
from refbot.playouts.lanes.rows import Rows, all_points, beside, beside_several, false_eyes, number, some
from refbot.playouts.lanes.vec import Vec

QUARTERS_MASK = 3  # a capture is considered three times in four: unless two random bits are 0


class Situation:
    """The boards at the start of a step, and boards derived from them. Own stones are those of the mover."""

    def __init__(self, games: Games) -> None:
        self.features = layout_of(games).features
        self.mine, self.theirs = games.board(Board.MINE), games.board(Board.THEIRS)
        self.atari = games.board(PolicyBoard.ATARI)
        self.all = all_points(self.mine)
        self.empty = self.all & ~(self.mine | self.theirs)
        self.allowed = self.empty & ~games.board(Board.BANNED)
        self.frail, self.prey = self.mine & self.atari, self.theirs & self.atari  # stones in atari
        self.strong = self.theirs & ~self.atari  # enemy stones not in atari
        # Own stones in atari, and enemy stones not in atari: they give a new stone beside them no liberty.
        self.walls = self.mine.like(lambda row: self.atari[row] ^ self.theirs[row])
        self.roomy = beside_several(self.empty)  # points with two empty neighbours


class Choice(NamedTuple):
    """The points to draw from, and their kinds. All fields are masks except `points`."""

    points: Rows
    waits: Vec  # nothing is drawn in this step: a flood is not complete
    takes: Vec  # the points are captures that save a chain
    extends: Vec  # the points are extensions; each may still fail to end the atari
    captures: Vec  # the points are captures anywhere on the board; each may still be refused as worthless


def count(games: Games, what: Count, lanes: Vec) -> None:
    """Adds 1 to the count `what` in the lanes of a mask (a set lane is -1)."""
    index = games.layout.field(PolicyField.COUNT) + what
    games.store(index, games.load(index) - lanes)


def choice(games: Games, now: Situation, again: Vec) -> Choice:
    """Return the points to draw from. The lanes of `again` repeat a held move: they get its point only."""
    points = games.board(PolicyBoard.POINT) & again
    free = ~again
    waits = takes = extends = captures = games.constant(0)
    if now.features & ESCAPE:
        taken, complete = takes_by_escape(games, now)
        extended = extensions(games, now)
        takes = some(taken)
        extends = some(extended) & ~takes
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
    legal = now.allowed & no_eye & beside(now.all & ~now.walls)
    return Choice(points | (legal & free), waits, takes, extends, captures)


def takes_by_escape(games: Games, now: Situation) -> tuple[Rows, Vec]:
    """(Points that capture a chain beside an attacked one, mask of the lanes where the list is complete)."""
    attacked = games.board(PolicyBoard.ATTACKED)
    hunters = Search(games, PolicyBoard.HUNTERS, now.prey, now.prey & beside(attacked))
    taken = beside(hunters.rows) & now.allowed
    return taken, ~some(hunters.left_out)


def extensions(games: Games, now: Situation) -> Rows:
    """The liberties of the attacked chains, without those that cannot end the atari."""
    attacked = games.board(PolicyBoard.ATTACKED)
    useful = now.roomy | beside(now.prey | (now.mine & ~now.atari))
    return beside(attacked) & now.empty & useful & ~games.board(PolicyBoard.FAILED)


def captures_anywhere(games: Games, now: Situation, free: Vec) -> tuple[Rows, Vec]:
    """(Captures that may be worthwhile, mask of the lanes that try one).

    A capture is worthwhile if an enemy stone at its point would get two liberties. The policy draws one of
    all captures and plays it only if it is worthwhile. So the draw here decides only whether the capture is
    among the hopeful ones; the caller then draws one of these.
    """
    found = beside(now.prey) & now.allowed
    hopeful = found & (now.roomy | beside(now.walls))
    (word,) = random_words(games, 1)
    considers = free & (word & QUARTERS_MASK).nonzero() & ~games.get(PolicyField.TRIED)
    count(games, Count.CONSIDERED, considers)
    total = number(found)
    finds = considers & total.nonzero()
    count(games, Count.FOUND, finds)
    tries = finds & (pick_below(total, *random_halves(games)) - number(hopeful)).negative()
    return hopeful, tries
