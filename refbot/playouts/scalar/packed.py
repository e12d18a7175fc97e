# mypy: allow-untyped-defs, allow-untyped-calls
"""The board of the scalar kernel: one uint16 array, chains with pseudo-liberties.

The board has a frame one place wide; its rows have w = size + 2 places. A place is an index into the framed
board: (row + 1) * w + column + 1. On 9x9, w is 11 and A1 is the place 12. The array has eight regions of SPAN
entries at constant offsets, so that one base register reaches all of them. The entry of the place p in a
region is `board[REGION + p]`:

COLOUR  EMPTY, BLACK, WHITE or OFF
COUNTS  neighbours of the place: black + 16 * white + 256 * empty; an OFF neighbour counts as both colours
CHAIN   the place that names the chain, one of its stones; an empty or OFF place names itself
NEXT    circular list of the chain's places
LIBS    at CHAIN: pseudo-liberties (pairs of a stone and an empty neighbour). Empty and OFF places hold
        about NEVER here: code may add to them without a test, and they never reach 0
STONES  at CHAIN: number of stones
EMPTIES the list of empty places, in any order
SCRATCH working space of the policies: a list that a policy draws from

Pseudo-liberties count a liberty once for each stone of the chain beside it: the chain A1 A2 B1 has the
liberties A3, B2 and C1, and four pseudo-liberties, because B2 is beside two of its stones. They are quick to
keep up to date, and a chain has none exactly if it has no liberty.

Indices and constants are uint64: a signed index costs numba a test and an addition. Most functions take the
board and `w`, and are inlined into the kernel.
"""

from __future__ import annotations

import numpy as np

from refbot.compile.jit import inlined, leaf

U = np.uint64
SPAN = 768  # >= (25 + 2) ** 2
WORDS = 8 * SPAN  # entries of a board
EMPTY, BLACK, WHITE, OFF = U(0), U(1), U(2), U(3)
COLOUR, COUNTS, CHAIN, NEXT, LIBS, STONES, EMPTIES, SCRATCH = (U(k * SPAN) for k in range(8))
NEVER = U(0x4000)
ONE_EMPTY = U(256)
_0, _1, _2, _3, _4, _8, _15 = U(0), U(1), U(2), U(3), U(4), U(8), U(15)
ALL_AROUND = _4  # a count of neighbours
BOTH_COLOURS = U(1 + 16)  # in COUNTS: an OFF neighbour


@inlined
def friends(counts, colour):
    """The number of the four neighbours that are `colour` or off the board."""
    return (counts >> (_4 * (colour - _1))) & _15


@inlined
def is_enclosed(counts):
    """Return whether no neighbour is empty."""
    return counts < ONE_EMPTY


@inlined
def diagonals(board, p, w):
    """The four diagonals, counted by colour: empty + 16 * black + 256 * white + 4096 * off."""
    return (
        (_1 << (_4 * board[COLOUR + p - w - _1]))
        + (_1 << (_4 * board[COLOUR + p - w + _1]))
        + (_1 << (_4 * board[COLOUR + p + w - _1]))
        + (_1 << (_4 * board[COLOUR + p + w + _1]))
    )


@inlined
def diagonal_count(packed, colour):
    """One of the counts that `diagonals` has packed."""
    return (packed >> (_4 * colour)) & _15


@inlined
def add_liberties(board, p, w, amount):
    """Adds `amount` (mod 2^16) to the pseudo-liberties of the chain, or empty place, on each side of `p`."""
    board[LIBS + board[CHAIN + p - w]] += amount
    board[LIBS + board[CHAIN + p - _1]] += amount
    board[LIBS + board[CHAIN + p + _1]] += amount
    board[LIBS + board[CHAIN + p + w]] += amount


@inlined
def add_counts(board, p, w, amount):
    """Adds `amount` (mod 2^16) to the neighbour counts on each side of `p`."""
    board[COUNTS + p - w] += amount
    board[COUNTS + p - _1] += amount
    board[COUNTS + p + _1] += amount
    board[COUNTS + p + w] += amount


@inlined
def stone_in_counts(colour):
    """Return the addition to the neighbours' counts by a stone of `colour` on an empty place."""
    return (_1 << (_4 * (colour - _1))) - ONE_EMPTY


@inlined
def chains_around(board, p, w):
    """The CHAIN places on the four sides of `p`."""
    return (
        U(board[CHAIN + p - w]),
        U(board[CHAIN + p - _1]),
        U(board[CHAIN + p + _1]),
        U(board[CHAIN + p + w]),
    )


@inlined
def colours_around(board, p, w, colour):
    """Return whether each of the four neighbours of `p` is of `colour`."""
    return (
        board[COLOUR + p - w] == colour,
        board[COLOUR + p - _1] == colour,
        board[COLOUR + p + _1] == colour,
        board[COLOUR + p + w] == colour,
    )


@inlined
def is_suicide(board, p, w, colour):
    """Return whether a stone of `colour` at `p`, which has no empty neighbour, would have no liberty.

    A friendly chain beside `p` gives it a liberty if the chain has more pseudo-liberties than contacts with
    `p`. An enemy chain gives it one if it has no more: it is captured. An OFF neighbour gives none.
    """
    a, b, c, d = chains_around(board, p, w)
    own_a, own_b, own_c, own_d = colours_around(board, p, w, colour)
    ab, ac, ad, bc, bd, cd = U(a == b), U(a == c), U(a == d), U(b == c), U(b == d), U(c == d)
    alive = own_a != (board[LIBS + a] == _1 + ab + ac + ad)
    alive |= own_b != (board[LIBS + b] == _1 + ab + bc + bd)
    alive |= own_c != (board[LIBS + c] == _1 + ac + bc + cd)
    alive |= own_d != (board[LIBS + d] == _1 + ad + bd + cd)
    return not alive


@inlined
def merge(board, a, b):
    """Makes one chain of the chains of `a` and `b`, given by their CHAIN places; returns its CHAIN place."""
    if board[STONES + a] > board[STONES + b]:
        a, b = b, a
    q = a
    while True:
        board[CHAIN + q] = b
        q = U(board[NEXT + q])
        if q == a:
            break
    after = board[NEXT + a]
    board[NEXT + a] = board[NEXT + b]
    board[NEXT + b] = after
    board[LIBS + b] += board[LIBS + a]
    board[STONES + b] += board[STONES + a]
    return b


@inlined
def join(board, q, colour, chain):
    """Merges the chain at the neighbour `q` with the `chain` of a new stone if it is of the same colour.

    Returns the CHAIN place of the new stone.
    """
    if board[COLOUR + q] == colour:
        other = U(board[CHAIN + q])
        if other != chain:
            chain = merge(board, other, chain)
    return chain


@inlined
def join_one(board, p, w, colour):
    """Makes the new stone at `p` a part of one friendly chain beside it, or a chain of its own.

    The code has no branch: without a friendly chain, the stone joins the empty chain that stands at `p`.
    Returns (CHAIN place of the stone, whether `p` touches another friendly chain, still to be merged).
    """
    a, b, c, d = chains_around(board, p, w)
    own_a, own_b, own_c, own_d = colours_around(board, p, w, colour)
    chain = a if own_a else p
    chain = b if own_b else chain
    chain = c if own_c else chain
    chain = d if own_d else chain
    board[NEXT + p] = p
    board[LIBS + p] = _0
    board[STONES + p] = _0
    board[CHAIN + p] = chain
    board[LIBS + chain] += U(board[COUNTS + p]) >> _8
    board[STONES + chain] += _1
    board[NEXT + p] = board[NEXT + chain]
    board[NEXT + chain] = p
    apart = (own_a & (a != chain)) | (own_b & (b != chain)) | (own_c & (c != chain)) | (own_d & (d != chain))
    return chain, apart


@leaf
def remove_chain(board, start, w, colour, n):
    """Takes the chain of `colour` with the stone `start` off the board.

    Returns the new number of empty places, of which there were `n`.
    """
    gone = -stone_in_counts(colour)
    q = U(start)
    while True:
        after = U(board[NEXT + q])
        board[COLOUR + q] = EMPTY
        board[CHAIN + q] = q
        board[LIBS + q] = NEVER
        board[EMPTIES + n] = q
        n += _1
        add_counts(board, q, w, gone)
        add_liberties(board, q, w, _1)
        q = after
        if q == start:
            return n


@inlined
def capture(board, q, w, enemy, n):
    """Takes the chain at `q` off the board if it is the enemy's and has no liberty.

    Returns the new number of empty places, of which there were `n`.
    """
    if board[COLOUR + q] == enemy and board[LIBS + board[CHAIN + q]] == _0:
        n = remove_chain(board, q, w, enemy, n)
    return n


@inlined
def put(board, i, w, colour, n):
    """Puts a legal stone on place number `i` of the `n` empty ones, and removes what it captures.

    Returns (new number of empty places, the CHAIN place of the stone). Places of captured stones are at the
    end of the list EMPTIES.
    """
    p = U(board[EMPTIES + i])
    n -= _1
    board[EMPTIES + i] = board[EMPTIES + n]
    board[COLOUR + p] = colour
    add_counts(board, p, w, stone_in_counts(colour))
    add_liberties(board, p, w, -_1)
    a, b, c, d = chains_around(board, p, w)
    # Without a choked chain there is nothing to capture. An own chain that is choked is joined to the stone.
    choked = (
        (board[LIBS + a] == _0) | (board[LIBS + b] == _0) | (board[LIBS + c] == _0) | (board[LIBS + d] == _0)
    )
    chain, apart = join_one(board, p, w, colour)
    if apart:
        chain = join(board, p - w, colour, chain)
        chain = join(board, p - _1, colour, chain)
        chain = join(board, p + _1, colour, chain)
        chain = join(board, p + w, colour, chain)
    if choked:
        enemy = _3 - colour
        n = capture(board, p - w, w, enemy, n)
        n = capture(board, p - _1, w, enemy, n)
        n = capture(board, p + _1, w, enemy, n)
        n = capture(board, p + w, w, enemy, n)
    return n, chain


@leaf
def load(board, stones, size):
    """Fills `board` from the stones of a Position. Returns the number of empty places."""
    w = U(size + 2)
    for p in range(SPAN):
        board[COLOUR + U(p)] = OFF
        board[COUNTS + U(p)] = _0
        board[CHAIN + U(p)] = p
        board[NEXT + U(p)] = p
        board[LIBS + U(p)] = NEVER
        board[STONES + U(p)] = _1
    for point in range(size * size):
        board[COLOUR + framed(point, size)] = stones[point]
    # The counts, the empty places, and each stone as a chain of its own.
    n = _0
    for point in range(size * size):
        p = framed(point, size)
        colour = U(stones[point])
        for q in (p - w, p - _1, p + _1, p + w):
            beside = U(board[COLOUR + q])
            board[COUNTS + p] += BOTH_COLOURS if beside == OFF else ONE_EMPTY
            if beside in (BLACK, WHITE):
                board[COUNTS + p] += stone_in_counts(beside)
        if colour == EMPTY:
            board[EMPTIES + n] = p
            n += _1
        else:
            board[LIBS + p] = U(board[COUNTS + p]) >> _8
    # The chains: each stone is merged with those to the right and above.
    for point in range(size * size):
        p = framed(point, size)
        if stones[point] != 0:
            for q in (p + _1, p + w):
                if board[COLOUR + q] == stones[point] and board[CHAIN + p] != board[CHAIN + q]:
                    merge(board, U(board[CHAIN + p]), U(board[CHAIN + q]))
    return n


@inlined
def framed(point, size):
    """The place of a point of a Position."""
    return U((point // size + 1) * (size + 2) + point % size + 1)
