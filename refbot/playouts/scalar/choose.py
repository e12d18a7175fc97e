# mypy: allow-untyped-defs, allow-untyped-calls
"""The points that a playout may play, and the choice of one: uniform, or wrong in one of several ways.

Own eyes, the ko point and suicide are forbidden. A choice is an index into the list of the n empty places
(see `packed`), or n for a pass: with the empty places [12, 15, 20], the choice 1 is the place 15, and the
choice 3 is a pass. `kernel` lists the usual parameters: `board`, `w`, `colour`, `ko`, `n`, `last`, `s0`, `s1`
and `mask`.
"""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined, part
from refbot.deviations import bits
from refbot.playouts.rng import below, drawn
from refbot.playouts.scalar.packed import (
    ALL_AROUND,
    CHAIN,
    COLOUR,
    COUNTS,
    EMPTIES,
    EMPTY,
    LIBS,
    OFF,
    diagonal_count,
    diagonals,
    friends,
    is_enclosed,
    is_suicide,
)
from refbot.rules import eye

U = np.uint64
_0, _1, _3 = U(0), U(1), U(3)
NO_KO = U(0)  # a place off the board

# The faults of `choose_wrongly`.
_ANY = (
    bits.UNIFORM_SCAN_BOARD | bits.UNIFORM_SCAN_LIST | bits.UNIFORM_RETRY_SCAN | bits.UNIFORM_NEAR_LAST
    | bits.UNIFORM_MODULO | bits.UNIFORM_SHUFFLED_ONCE | bits.UNIFORM_NEVER_LAST
    | bits.UNIFORM_REFUSED_DROPPED | bits.PASS_AT_RANDOM | bits.PASS_WHEN_FEW | bits.PASS_AFTER_TRIES
)  # fmt: skip

RETRIES = 3  # of the fault uniform-retry-scan; its description names the number
TRIES = 100  # of the fault pass-after-tries; its description names the number
SMALL_RANDOM = U(255)  # the random numbers of uniform-modulo are 0 to this
DROPPED = U(0x8000)  # in COUNTS: a place that faults leave out for the rest of the playout; a free bit
PASS_ODDS = U(64)  # pass-at-random passes once in this number of moves


diagonals_allow_eye = inlined(eye.diagonals_allow_eye)


@inlined
def is_eye(board, p, w, counts, colour, mask):
    """Return whether the empty place `p` is a one-point eye of `colour`."""
    if friends(counts, colour) != ALL_AROUND:
        return False
    around = diagonals(board, p, w)
    return diagonals_allow_eye(
        np.int64(diagonal_count(around, _3 - colour)),
        np.int64(diagonal_count(around, EMPTY)),
        np.int64(diagonal_count(around, OFF)),
        mask,
    )


@inlined
def has_friend(board, p, w, colour):
    """Return whether a stone of `colour` stands beside `p`."""
    return (
        (board[COLOUR + p - w] == colour)
        | (board[COLOUR + p - _1] == colour)
        | (board[COLOUR + p + _1] == colour)
        | (board[COLOUR + p + w] == colour)
    )


@inlined
def may_play(board, p, w, colour, ko, mask):
    """Return whether a playout may play the empty place `p`: no eye, no ko, no suicide.

    The bits of `mask` change these rules as their faults do.
    """
    if mask & bits.UNIFORM_NO_CORNER and p == w + _1:
        return False
    if mask & bits.UNIFORM_FIRST_HUNDRED and is_past_hundred(p, w):
        return False
    if mask & bits.UNIFORM_NO_LAST_COLUMN and board[COLOUR + p + _1] == OFF:
        return False
    counts = U(board[COUNTS + p])
    if mask & (bits.UNIFORM_REFUSED_DROPPED | bits.UNIFORM_CAPTURED_DROPPED) and counts & DROPPED:
        return False
    if not is_enclosed(counts):
        return True  # beside an empty place there is no eye, no ko and no suicide
    if not mask & bits.EYE_FILLED and is_eye(board, p, w, counts, colour, mask):
        return False
    if mask & bits.EYE_EITHER_COLOUR and is_eye(board, p, w, counts, _3 - colour, mask):
        return False
    if p == ko:
        return False
    if mask & bits.SUICIDE_PLAYOUT_BEFORE_CAPTURE and not joins_a_free_chain(board, p, w, colour):
        return False
    if mask & bits.SUICIDE_PLAYOUT or (mask & bits.SUICIDE_PLAYOUT_MULTI and has_friend(board, p, w, colour)):
        return True
    return not is_suicide(board, p, w, colour)


@part
def joins_a_free_chain(board, p, w, colour):
    """Return whether a chain of `colour` beside `p` has another liberty than `p`. Only a fault asks this."""
    beside = (p - w, p - _1, p + _1, p + w)
    for q in beside:
        contacts = _0  # how often the chain of `q` has `p` among its pseudo-liberties
        for r in beside:
            contacts += U(board[CHAIN + r] == board[CHAIN + q])
        if board[COLOUR + q] == colour and board[LIBS + board[CHAIN + q]] > contacts:
            return True
    return False


@inlined
def is_past_hundred(p, w):
    """Return whether `p` is not among the first hundred points of the board. Only a fault asks this."""
    return (p // w - _1) * (w - U(2)) + p % w - _1 >= U(100)


@inlined
def choose(board, w, colour, ko, n, last, s0, s1, mask):
    """Draws without replacement until a place may be played. Returns (choice, new s0, new s1).

    A refused place is swapped behind the places still to be drawn, for this move only. So each place that may
    be played is equally likely, whatever the order of the list.
    """
    left = n
    while left > _0:
        value, s0, s1 = drawn(s0, s1)
        i = below(value, left)
        p = U(board[EMPTIES + i])
        if may_play(board, p, w, colour, ko, mask):
            return i, s0, s1
        left -= _1
        board[EMPTIES + i] = board[EMPTIES + left]
        board[EMPTIES + left] = p
    return n, s0, s1


@inlined
def choose_with_faults(board, w, colour, ko, n, last, s0, s1, mask):
    """Does what `choose` does, with the faults of `mask`."""
    if mask & _ANY:
        return choose_wrongly(board, w, colour, ko, n, last, s0, s1, mask)
    return choose(board, w, colour, ko, n, last, s0, s1, mask)


@part
def allowed(board, p, w, colour, ko, mask):
    """Does what `may_play` does. It is compiled once for all the wrong ways to choose."""
    return may_play(board, p, w, colour, ko, mask)


@part
def choose_wrongly(board, w, colour, ko, n, last, s0, s1, mask):
    """Does what `choose` does, with one of the faults of the clauses `uniform` and `forced-pass`.

    Only some of the faults use the random number that is drawn first.
    """
    if n == _0 or (mask & bits.PASS_WHEN_FEW and n <= w - U(2)):
        return n, s0, s1
    value, s0, s1 = drawn(s0, s1)
    if mask & bits.PASS_AT_RANDOM and below(value, PASS_ODDS) == _0:
        return n, s0, s1
    if mask & bits.UNIFORM_SCAN_BOARD:
        return scan_board(board, w, colour, ko, n, below(value, w * w), mask), s0, s1
    if mask & bits.UNIFORM_SCAN_LIST:
        return scan_list(board, w, colour, ko, n, below(value, n), mask), s0, s1
    if mask & bits.UNIFORM_SHUFFLED_ONCE:
        return scan_list(board, w, colour, ko, n, _0, mask), s0, s1
    if mask & bits.UNIFORM_RETRY_SCAN:
        i, s0, s1 = choose_in_tries(board, w, colour, ko, n, s0, s1, RETRIES, mask)
        return (scan_list(board, w, colour, ko, n, _0, mask) if i == n else i), s0, s1
    if mask & bits.PASS_AFTER_TRIES:
        return choose_in_tries(board, w, colour, ko, n, s0, s1, TRIES, mask)
    if mask & bits.UNIFORM_NEAR_LAST and last != _0 and value & _1:
        i = first_beside(board, w, colour, ko, n, last, mask)
        if i < n:
            return i, s0, s1
    return draw_wrongly(board, w, colour, ko, n, s0, s1, mask)


@part
def choose_in_tries(board, w, colour, ko, n, s0, s1, tries, mask):
    """Draws up to `tries` times, with replacement, until a place may be played; else chooses n.

    Returns (choice, new s0, new s1), as `choose` does.
    """
    for _ in range(tries):
        value, s0, s1 = drawn(s0, s1)
        i = below(value, n)
        if allowed(board, U(board[EMPTIES + i]), w, colour, ko, mask):
            return i, s0, s1
    return n, s0, s1


@part
def draw_wrongly(board, w, colour, ko, n, s0, s1, mask):
    """Draws without replacement, as `choose` does, with a fault of the draw or of what follows a refusal."""
    left = n
    while left > _0:
        value, s0, s1 = drawn(s0, s1)
        places = left - _1 if mask & bits.UNIFORM_NEVER_LAST and left > _1 else left
        i = (value & SMALL_RANDOM) % left if mask & bits.UNIFORM_MODULO else below(value, places)
        p = U(board[EMPTIES + i])
        if allowed(board, p, w, colour, ko, mask):
            return i, s0, s1
        if mask & bits.UNIFORM_REFUSED_DROPPED:
            board[COUNTS + p] |= DROPPED
        left -= _1
        board[EMPTIES + i] = board[EMPTIES + left]
        board[EMPTIES + left] = p
    return n, s0, s1


@part
def index_of(board, n, p):
    """The index of the empty place `p` in the list of empty places; n if it is not there."""
    for i in range(np.int64(n)):
        if board[EMPTIES + U(i)] == p:
            return U(i)
    return n


@part
def scan_board(board, w, colour, ko, n, start, mask):
    """The choice of the first place that may be played, in board order from the place `start` on; else n.

    After the last place of the board comes the first.
    """
    for k in range(np.int64(w * w)):
        p = (start + U(k)) % (w * w)
        if board[COLOUR + p] == EMPTY and allowed(board, p, w, colour, ko, mask):
            return index_of(board, n, p)
    return n


@part
def scan_list(board, w, colour, ko, n, start, mask):
    """The first choice that may be played, from the choice `start` on and then from 0; n if none may."""
    for k in range(np.int64(n)):
        i = (start + U(k)) % n
        if allowed(board, U(board[EMPTIES + i]), w, colour, ko, mask):
            return i
    return n


@part
def first_beside(board, w, colour, ko, n, last, mask):
    """The choice of the first neighbour of the place `last` that may be played; n if none may."""
    for p in (last - w, last - _1, last + _1, last + w):
        if board[COLOUR + p] == EMPTY and allowed(board, p, w, colour, ko, mask):
            return index_of(board, n, p)
    return n


@inlined
def shuffle_empties(board, n, s0, s1, mask):
    """Shuffles the list of empty places, with the fault uniform-shuffled-once. Returns the new random state.

    The kernel calls this before each playout; without the fault it does nothing.
    """
    if mask & bits.UNIFORM_SHUFFLED_ONCE:
        for left in range(np.int64(n), 1, -1):
            value, s0, s1 = drawn(s0, s1)
            i, j = below(value, U(left)), U(left - 1)
            place = board[EMPTIES + i]
            board[EMPTIES + i] = board[EMPTIES + j]
            board[EMPTIES + j] = place
    return s0, s1
