# mypy: allow-untyped-defs, allow-untyped-calls
"""The moves that a policy looks for before it draws one at random (van de Veerdonk, computer-go list).

Functions that choose a move return (choice, new s0, new s1). A choice is an index into the list of the n
empty places (see `packed`), or n for none. `kernel` lists the usual parameters: `board`, `w`, `colour`, `ko`,
`n`, `last`, `s0`, `s1`, `features`, `mask`. `tally` counts the moves of each kind (see `playouts.tally`).
`docs/seeds.md` lists the readings of the published description that reproduce its figures.
"""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined, leaf
from refbot.deviations.options import CAPTURE, ESCAPE, TIMED
from refbot.playouts.rng import below, drawn
from refbot.playouts.scalar.choose import index_of
from refbot.playouts.scalar.packed import CHAIN, COLOUR, EMPTIES, NEXT, SCRATCH
from refbot.playouts.scalar.tactics import NOWHERE, captures, ends_atari, sides, sole_liberty
from refbot.playouts.scalar.ticks import now, ticks
from refbot.playouts.tally import (
    ACCEPTED,
    ATARI_CAPTURE,
    ATARI_EXTEND,
    CAPTURE_MOVE,
    CONSIDERED,
    FOUND,
    RANDOM,
    TICKS,
)

U = np.uint64
_0, _1, _3 = U(0), U(1), U(3)
PLACES = SCRATCH  # `escape` draws from a list of places
CHOICES = SCRATCH  # `capture_anywhere` draws from a list of choices
QUARTERS, CAPTURE_QUARTERS = U(4), U(3)  # a capture is considered three times in four


@inlined
def select(board, w, colour, ko, n, last, s0, s1, tally, choose, features, mask):
    """Chooses a move that the policy in `features` looks for, else one at random, drawn by `choose`."""
    if features & ESCAPE:
        i, s0, s1 = escape(board, w, colour, ko, n, last, s0, s1, tally, features)
        if i != n:
            return i, s0, s1
    if features & CAPTURE:
        i, s0, s1 = capture_anywhere(board, w, colour, ko, n, s0, s1, tally, features)
        if i != n:
            return i, s0, s1
    return select_at_random(board, w, colour, ko, n, last, s0, s1, tally, choose, features, mask)


@inlined
def select_at_random(board, w, colour, ko, n, last, s0, s1, tally, choose, features, mask):
    """Chooses a move at random by `choose` and tallies it: all that a kernel without a policy needs."""
    began = now(features)
    i, s0, s1 = choose(board, w, colour, ko, n, last, s0, s1, mask)
    if features & (ESCAPE | CAPTURE | TIMED):
        count(tally, RANDOM, i != n, i != n, began, features)
    return i, s0, s1


@leaf
def escape(board, w, colour, ko, n, last, s0, s1, tally, features):
    """Draws a move that saves one of the mover's chains, up to four, that the last move put in atari.

    The moves are the captures of an enemy chain beside one of them, except at the ko point. If there are
    none, the moves are the last liberties of these chains where a stone then has two. Returns the choice n if
    there is no move.
    """
    if last == NOWHERE:
        return n, s0, s1
    began = now(features)
    attacked, found = list_captures(board, w, colour, ko, last)
    if not attacked:
        return n, s0, s1
    count(tally, ATARI_CAPTURE, found != _0, found != _0, began, features)
    if found == _0:
        began = now(features)
        found = list_extensions(board, w, colour, last)
        count(tally, ATARI_EXTEND, True, found != _0, began, features)
        if found == _0:
            return n, s0, s1
    value, s0, s1 = drawn(s0, s1)
    return index_of(board, n, U(board[PLACES + below(value, found)])), s0, s1


@leaf
def list_captures(board, w, colour, ko, last):
    """Lists in PLACES the captures of a chain beside one of the mover's chains in atari that touch `last`.

    Returns (whether there is such a chain in atari, the length of the list).
    """
    attacked, found = False, _0
    for q in sides(last, w):
        if board[COLOUR + q] == colour:
            chain = U(board[CHAIN + q])
            if sole_liberty(board, chain, w) != NOWHERE:
                attacked = True
                found = list_captures_beside(board, chain, w, colour, ko, found)
    return attacked, found


@leaf
def list_captures_beside(board, chain, w, colour, ko, found):
    """Adds the places where an enemy chain beside `chain` can be captured to the `found` places in PLACES.

    Returns the new length of the list.
    """
    stone = U(chain)
    while True:
        for q in sides(stone, w):
            if board[COLOUR + q] == _3 - colour:
                p = sole_liberty(board, U(board[CHAIN + q]), w)
                if p != NOWHERE and p != ko:
                    found = add_place(board, p, found)
        stone = U(board[NEXT + stone])
        if stone == chain:
            return found


@leaf
def list_extensions(board, w, colour, last):
    """Lists in PLACES the last liberties of the mover's chains in atari that touch `last`.

    Leaves out a liberty where a stone would not end the atari. Returns the length of the list.
    """
    found = _0
    for q in sides(last, w):
        if board[COLOUR + q] == colour:
            p = sole_liberty(board, U(board[CHAIN + q]), w)
            if p != NOWHERE and ends_atari(board, p, w, colour):
                found = add_place(board, p, found)
    return found


@inlined
def add_place(board, p, found):
    """Adds `p` to the `found` places in PLACES unless it is there; returns the new length of the list."""
    for k in range(np.int64(found)):
        if board[PLACES + U(k)] == p:
            return found
    board[PLACES + found] = p
    return found + _1


@leaf
def capture_anywhere(board, w, colour, ko, n, s0, s1, tally, features):
    """Draws one of all places where a stone would capture, three times in four.

    Returns n for no move one time in four, without a capture, and if the capture drawn is not worthwhile: an
    enemy stone at its place would not end the atari.
    """
    value, s0, s1 = drawn(s0, s1)
    if below(value, QUARTERS) >= CAPTURE_QUARTERS:
        return n, s0, s1
    began = now(features)
    found = _0
    for k in range(np.int64(n)):
        p = U(board[EMPTIES + U(k)])
        if captures(board, p, w, _3 - colour) and p != ko:
            board[CHOICES + found] = k
            found += _1
    accepted = False
    i = n
    if found != _0:
        value, s0, s1 = drawn(s0, s1)
        i = U(board[CHOICES + below(value, found)])
        accepted = ends_atari(board, U(board[EMPTIES + i]), w, _3 - colour)
    count(tally, CAPTURE_MOVE, found != _0, accepted, began, features)
    return (i if accepted else n), s0, s1


@inlined
def count(tally, row, found, accepted, began, features):
    """Counts a search for a kind of move, which has this row of the tally, and whether it succeeded.

    `found`: a move of this kind exists; `accepted`: it is played. The search began at the tick `began`.
    """
    tally[row, CONSIDERED] += 1
    tally[row, FOUND] += found
    tally[row, ACCEPTED] += accepted
    if features & TIMED:
        tally[row, TICKS] += ticks() - began
