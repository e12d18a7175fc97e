"""The result of a game that has ended: by its area, or by a short cut, an option such as `mercy`.

Areas are counted in all lanes at once. Larger empty regions, which are rare, are flooded lane by lane.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from refbot.compile.jit import leaf, part
from refbot.deviations.options import Options
from refbot.playouts.lanes.layout import Board, Field, Games
from refbot.playouts.lanes.rows import all_points, beside
from refbot.playouts.tally import CONSIDERED, EARLY_END, FOUND, MERCY_END, WRONG

_NONE, _ONE = np.uint64(0), np.uint64(1)


@intrinsic
def popcount(_context: Any, number: Any) -> Any:
    """The number of ones of an unsigned integer."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.zext(builder.ctpop(arguments[0]), ir.IntType(64))

    return types.int64(number), generate


def count_areas(games: Games) -> None:
    """Emits code that counts the area of both sides in every lane, into MY_AREA and THEIR_AREA.

    When both sides have passed, every empty point stands alone among stones: it belongs to the one colour
    around it. Larger empty regions exist only if the move cap ended the game. They need a flood; this
    function only sets OPEN in their lanes.
    """
    mine, theirs = games.board(Board.MINE), games.board(Board.THEIRS)
    empty = all_points(mine) & ~(mine | theirs)
    beside_mine, beside_theirs = beside(mine), beside(theirs)
    my_area = their_area = larger = games.constant(0)
    for row in range(mine.height):
        my_area = my_area + (mine[row] | (empty[row] & ~beside_theirs[row])).popcount()
        their_area = their_area + (theirs[row] | (empty[row] & ~beside_mine[row])).popcount()
        larger = larger | (empty[row] & (empty[row - 1] | (empty[row] << 1)))
    games.set(Field.MY_AREA, my_area)
    games.set(Field.THEIR_AREA, their_area)
    games.set(Field.OPEN, larger.nonzero())


def count_stones(games: Games) -> None:
    """Emits code that counts the stones of both sides in every lane."""
    for board, field in ((Board.MINE, Field.MY_STONES), (Board.THEIRS, Field.THEIR_STONES)):
        games.set(field, sum((row.popcount() for row in games.board(board)), games.constant(0)))


@leaf
def read_rows(workspace, board, size, height, lane, rows):  # type: ignore[no-untyped-def]
    """Writes the rows of a board of one lane into `rows`, bit c for column c.

    A lane holds several bands of `height` rows side by side, and the workspace one row of each; see `shape`.
    """
    full_row, stride = (_ONE << np.uint64(size)) - _ONE, np.uint64(size + 1)
    shift = np.uint64(0)
    for band in range(0, size, height):
        for row in range(min(height, size - band)):
            rows[band + row] = (np.uint64(workspace[board * height + row, lane]) >> shift) & full_row
        shift += stride


@part
def flooded_margin(all_mine, all_theirs):  # type: ignore[no-untyped-def]
    """Area of the side to move less that of the other side, by floods of empty regions from both sides."""
    size = all_mine.size
    mine, theirs = np.zeros(size + 2, np.uint64), np.zeros(size + 2, np.uint64)
    near_mine, near_theirs = np.zeros(size + 2, np.uint64), np.zeros(size + 2, np.uint64)
    full = (np.uint64(1) << np.uint64(size)) - np.uint64(1)
    one = np.uint64(1)
    for r in range(size):
        mine[r + 1] = near_mine[r + 1] = all_mine[r]
        theirs[r + 1] = near_theirs[r + 1] = all_theirs[r]
    changed = True
    while changed:
        changed = False
        for r in range(1, size + 1):
            empty = full & ~(mine[r] | theirs[r])
            a, b = near_mine[r], near_theirs[r]
            near_mine[r] = a | (((a << one) | (a >> one) | near_mine[r - 1] | near_mine[r + 1]) & empty)
            near_theirs[r] = b | (((b << one) | (b >> one) | near_theirs[r - 1] | near_theirs[r + 1]) & empty)
            changed |= near_mine[r] != a or near_theirs[r] != b
    margin = np.int64(0)
    for r in range(1, size + 1):
        for c in range(size):
            column = np.uint64(c)
            margin += np.int64((near_mine[r] & ~near_theirs[r]) >> column & one)
            margin -= np.int64((near_theirs[r] & ~near_mine[r]) >> column & one)
    return margin


class EndRules(NamedTuple):
    """The komi, and the limits of the short cuts; the limit of an option that is off is infinite."""

    komi: float
    short_cuts: bool  # mercy or early_score is on
    mercy: float  # in stones
    early_score: float  # in points
    check_early_score: bool  # compare the result of `early_score` with that by area

    @classmethod
    def of(cls, komi: float, options: Options) -> EndRules:
        """The rules for playouts with this komi and these options."""
        return cls(
            float(komi),
            options.mercy is not None or options.early_score is not None,
            float("inf") if options.mercy is None else float(options.mercy),
            float("inf") if options.early_score is None else float(options.early_score),
            options.check_early_score,
        )


@leaf
def _result(margin):  # type: ignore[no-untyped-def]
    """2 if Black has won, 1 for a draw, 0 if White has won; `margin` is Black's.

    The sum has no branch, of which the processor would mispredict every second one.
    """
    return np.int64(margin > 0.0) + np.int64(margin >= 0.0)


@leaf
def decided_by_stones(stones, black_to_move, rules):  # type: ignore[no-untyped-def]
    """Return True if an ended game needs no area, because a short cut decides it by stones.

    `stones` is the lead of the side to move. Never with `check_early_score`, which compares with the area.
    """
    if not rules.short_cuts or rules.check_early_score:
        return False
    lead = stones if black_to_move else -stones
    return abs(lead) > rules.mercy or abs(lead - rules.komi) > rules.early_score


@leaf
def decide(margin, stones, black_to_move, rules, tally):  # type: ignore[no-untyped-def]
    """Return (Black's lead without komi, the result: 2 if Black has won, 1 for a draw, 0) of an ended game.

    margin   the lead in area of the side to move; unused if `decided_by_stones`
    stones   the lead in stones of the side to move; unused without short cuts

    Where a short cut decides, the lead that is returned is in stones, and `tally` counts this kind of end.
    """
    sign = 1 if black_to_move else -1
    lead, lead_in_stones = sign * margin, sign * stones
    by_area = _result(lead - rules.komi)
    if rules.mercy < np.inf:
        tally[MERCY_END, CONSIDERED] += 1
        if abs(lead_in_stones) > rules.mercy:
            tally[MERCY_END, FOUND] += 1
            return lead_in_stones, _result(np.float64(lead_in_stones))
    if rules.early_score < np.inf:
        tally[EARLY_END, CONSIDERED] += 1
        if abs(lead_in_stones - rules.komi) > rules.early_score:
            tally[EARLY_END, FOUND] += 1
            result = _result(lead_in_stones - rules.komi)
            if rules.check_early_score:
                tally[EARLY_END, WRONG] += by_area != result
            return lead_in_stones, result
    return lead, by_area
