# mypy: allow-untyped-defs, allow-untyped-calls
"""How a playout of the interleaved kernel is decided: by the area, or by a short cut."""

from __future__ import annotations

import numpy as np

from refbot.jit import inlined, leaf
from refbot.options import CHECK_EARLY_SCORE, EARLY_SCORE, MERCY
from refbot.playouts.interleaved.board import side_sum, sides
from refbot.playouts.interleaved.layout import (
    BEGIN,
    BLACK,
    CHAIN,
    CODE,
    EMPTIES,
    EMPTY,
    EMPTY_SHIFT,
    END,
    EYE_OF_BLACK,
    LEAD,
    NEXT,
    PARKED,
    PARKS,
    SIDE_UNITS,
    WHITE,
)
from refbot.playouts.tally import CONSIDERED, EARLY_END, FOUND, MERCY_END, WRONG

U = np.uint64
_0, _1, _4, _7 = U(0), U(1), U(4), U(7)
_SIDE_OF_BLACK, _SIDE_OF_WHITE = BLACK & SIDE_UNITS, WHITE & SIDE_UNITS
_ALL_BLACK, _ALL_WHITE = _4 * _SIDE_OF_BLACK, _4 * _SIDE_OF_WHITE


@inlined
def result_of(margin):
    """2, 1 or 0 for a win of Black, a draw, a win of White; `margin` is Black's lead, komi taken off."""
    return np.int64(margin > 0.0) + np.int64(margin >= 0.0)


@inlined
def signed(lead):
    """LEAD as a number below and above 0."""
    return np.int64(np.int32(lead))


@inlined
def shown_mercy(board, g, start, features):
    """1 if the game ends by the mercy rule, else 0."""
    if features & MERCY:
        return U(abs(signed(board.words[LEAD + g])) > start.mercy)
    return _0


@inlined
def decide(board, g, w, places, start, tally, features):
    """(Black's lead without komi, result) of a game that has ended.

    Where the area was not counted, the lead is that in stones.
    """
    if features & MERCY:
        tally[MERCY_END, CONSIDERED] += 1
        stones = signed(board.words[LEAD + g])
        if abs(stones) > start.mercy:
            tally[MERCY_END, FOUND] += 1
            return stones, result_of(np.float64(stones))
    stones = stone_lead(board, g, places)
    if features & EARLY_SCORE:
        tally[EARLY_END, CONSIDERED] += 1
        margin = np.float64(stones) - start.komi
        if abs(margin) > start.early_score:
            tally[EARLY_END, FOUND] += 1
            if features & CHECK_EARLY_SCORE:
                lead = stones + territory(board, g, w)
                tally[EARLY_END, WRONG] += result_of(np.float64(lead) - start.komi) != result_of(margin)
            return stones, result_of(margin)
    lead = stones + territory(board, g, w)
    return lead, result_of(np.float64(lead) - start.komi)


@inlined
def stone_lead(board, g, places):
    """Black's stones minus White's."""
    begin, lead = U(board.words[BEGIN + g]), np.int64(0)
    for k in range(places):
        code = board.words[CODE + begin + U(k)]
        lead += np.int64(code == BLACK) - np.int64(code == WHITE)
    return lead


@inlined
def territory(board, g, w):
    """Black's territory minus White's.

    At the usual end of a playout each empty place is alone, and its neighbours say whose it is; regions of
    several places are flooded.
    """
    begin, end = U(board.words[BEGIN + g]), U(board.words[END + g])
    total, alone = np.int64(0), True
    for i in range(begin, end):
        beside = side_sum(board, U(board.places[EMPTIES + U(i)]), w)
        alone &= beside < EMPTY
        total += np.int64(beside & (_7 * _SIDE_OF_BLACK) == _ALL_BLACK)
        total -= np.int64(beside & (_7 * _SIDE_OF_WHITE) == _ALL_WHITE)
    parks = U(board.words[PARKS + g])
    for i in range(begin, begin + parks):
        black = board.words[CODE + board.places[PARKED + U(i)]] & EYE_OF_BLACK
        total += np.int64(1) if black else np.int64(-1)
    return total if alone else flooded(board, g, w)


@leaf
def flooded(board, g, w):
    """The same on any board: empty regions that reach one colour alone.

    The game is over, so that its chains may be overwritten: NEXT says which places have been seen, CHAIN
    lists those whose neighbours are to be seen.
    """
    places, words = board.places, board.words
    begin, total = U(words[BEGIN + g]), np.int64(0)
    for k in range(w * w):
        places[NEXT + begin + U(k)] = _0
    for k in range(w * w):
        start = begin + U(k)
        if places[NEXT + start] != _0 or words[CODE + start] >> EMPTY_SHIFT == _0:
            continue
        places[NEXT + start] = _1
        places[CHAIN + begin] = start
        found, done, black, white = _1, _0, False, False
        while done < found:
            p = U(places[CHAIN + begin + done])
            done += _1
            for q in sides(p, w):
                code = words[CODE + q]
                black |= code == BLACK
                white |= code == WHITE
                if code >> EMPTY_SHIFT != _0 and places[NEXT + q] == _0:
                    places[NEXT + q] = _1
                    places[CHAIN + begin + found] = q
                    found += _1
        total += np.int64(found) * (np.int64(black) - np.int64(white)) if black != white else 0
    return total
