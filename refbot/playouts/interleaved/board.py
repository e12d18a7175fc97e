# mypy: allow-untyped-defs, allow-untyped-calls
"""The boards of the interleaved kernel: chains, their liberties, and the places that nobody may play.

Most places that a plain draw picks in vain are eyes, which their owner may not fill and which are suicide
for the other side. Such a place is *parked*: it is on no list of places to be drawn, and its liberties are
counted apart. Only two events can make it playable again, and `settle` sees both: an enemy stone on one of
its diagonals, or a chain around it left without other liberties. (A stone beside it cannot be captured while
it is empty, and a capture elsewhere only adds liberties.)
"""

from __future__ import annotations

import numpy as np

from refbot.jit import inlined, leaf
from refbot.options import CAPTURE, ESCAPE, MERCY
from refbot.playouts.interleaved.layout import (
    ACTIVE_END,
    ALL_LIBERTIES,
    BEGIN,
    BLACK,
    BOTH,
    CANDIDATES,
    CHAIN,
    CODE,
    EMPTIES,
    EMPTY,
    EMPTY_SHIFT,
    END,
    EYE_OF_BLACK,
    EYE_SHIFT,
    KO,
    LEAD,
    LIB_SUM,
    LIBS,
    LISTED,
    NEVER,
    NEXT,
    ONE_PARKED,
    ONE_STONE,
    OUTER,
    PARKED,
    PARKED_AT,
    PARKS,
    SIDE_UNITS,
    STONES_SHIFT,
    UNIT,
    UNPARKED,
    WHITE,
)

U = np.uint64
POLICIES = ESCAPE | CAPTURE
_0, _1, _3, _4, _7, _15 = U(0), U(1), U(3), U(4), U(7), U(15)
_SIDE_OF_BLACK, _SIDE_OF_WHITE = BLACK & SIDE_UNITS, WHITE & SIDE_UNITS
_DIAGONAL_OF_BLACK, _DIAGONAL_OF_WHITE = U(0x001), U(0x010)
_32 = U(32)


@inlined
def sides(p, w):
    """The four neighbours of a place."""
    return p - w, p - _1, p + _1, p + w


@inlined
def side_sum(board, p, w):
    """The sum of the codes on the four sides of `p`."""
    code = board.words
    return U(code[CODE + p - w]) + U(code[CODE + p - _1]) + U(code[CODE + p + _1]) + U(code[CODE + p + w])


@inlined
def diagonal_sum(board, p, w):
    """The sum of the codes on the four diagonals of `p`."""
    below, above, code = p - w, p + w, board.words
    return (
        U(code[CODE + below - _1])
        + U(code[CODE + below + _1])
        + U(code[CODE + above - _1])
        + U(code[CODE + above + _1])
    )


@inlined
def is_eye(beside, diagonal, side_unit, enemy_unit):
    """Whether an empty place with these sums is an eye of the colour of `side_unit`.

    All neighbours are its own or outside. Diagonals: at most one enemy, and none at the edge; an enemy counts
    two and a place outside one, of which there are two or three at the edge, so that 3 is the limit.
    """
    return (beside & (_7 * side_unit) == _4 * side_unit) & (diagonal & (_15 * enemy_unit) <= _3 * enemy_unit)


@inlined
def is_eye_of_black(beside, diagonal):
    """`is_eye` for Black."""
    return is_eye(beside, diagonal, _SIDE_OF_BLACK, _DIAGONAL_OF_WHITE)


@inlined
def is_eye_of_white(beside, diagonal):
    """`is_eye` for White."""
    return is_eye(beside, diagonal, _SIDE_OF_WHITE, _DIAGONAL_OF_BLACK)


@inlined
def chains_around(board, p, w):
    """The CHAIN places on the four sides of `p`."""
    places = board.places
    return (
        U(places[CHAIN + p - w]),
        U(places[CHAIN + p - _1]),
        U(places[CHAIN + p + _1]),
        U(places[CHAIN + p + w]),
    )


@inlined
def is_dead(board, chain):
    """1 if the chain has no liberty, else 0; always 0 for an empty or outer place."""
    return U(board.words[LIBS + chain] & ALL_LIBERTIES == _0)


@inlined
def is_choked(board, chain):
    """1 if the chain has no liberty but parked ones."""
    return U(board.words[LIBS + chain] & UNPARKED == _0)


@inlined
def add_to_liberties(board, around, amount):
    """Adds `amount` to LIBS of each of four chains, which need not be different ones."""
    libs = board.words
    a, b, c, d = around
    libs[LIBS + a] += amount
    libs[LIBS + b] += amount
    libs[LIBS + c] += amount
    libs[LIBS + d] += amount


@inlined
def add_to_sums(board, around, unit):
    """The same with the sums of the liberties."""
    sums = board.sums
    a, b, c, d = around
    sums[LIB_SUM + a] += unit
    sums[LIB_SUM + b] += unit
    sums[LIB_SUM + c] += unit
    sums[LIB_SUM + d] += unit


@inlined
def take_liberty(board, p, around, features):
    """Takes the liberty `p` from the chains around it."""
    add_to_liberties(board, around, -_1)
    if features & POLICIES:
        add_to_sums(board, around, -board.sums[UNIT + p])


@inlined
def give_liberty(board, p, around, features):
    """Gives the liberty `p` to the chains around it."""
    add_to_liberties(board, around, _1)
    if features & POLICIES:
        add_to_sums(board, around, board.sums[UNIT + p])


@inlined
def unit_if_empty(board, p):
    """UNIT of a place that is empty and not parked, 0 of any other that is not empty.

    By a product: of a condition the compiler would make a branch.
    """
    return board.sums[UNIT + p] * (U(board.words[CODE + p]) >> EMPTY_SHIFT)


@inlined
def sum_of_empty_sides(board, p, w):
    """LIB_SUM of a single stone at `p`."""
    a, b, c, d = sides(p, w)
    return (
        unit_if_empty(board, a) + unit_if_empty(board, b) + unit_if_empty(board, c) + unit_if_empty(board, d)
    )


@inlined
def merge(board, x, y, features):
    """Makes one chain of two different ones, given by their CHAIN places. The smaller one is renamed."""
    places, words = board.places, board.words
    swap = words[LIBS + x] >> STONES_SHIFT > words[LIBS + y] >> STONES_SHIFT
    a, b = (y if swap else x), (x if swap else y)
    q = a
    while True:
        places[CHAIN + q] = b
        q = U(places[NEXT + q])
        if q == a:
            break
    after = places[NEXT + a]
    places[NEXT + a] = places[NEXT + b]
    places[NEXT + b] = after
    words[LIBS + b] += words[LIBS + a]
    if features & POLICIES:
        board.sums[LIB_SUM + b] += board.sums[LIB_SUM + a]


@inlined
def remove_chain(board, start, w, n, features):
    """Takes a chain off the board and lists its places as empty ones from `n` on; returns the new `n`."""
    places, words = board.places, board.words
    q = U(start)
    while True:
        after = U(places[NEXT + q])
        words[CODE + q] = EMPTY
        places[CHAIN + q] = q
        words[LIBS + q] = NEVER
        places[EMPTIES + n] = q
        n += _1
        give_liberty(board, q, chains_around(board, q, w), features)
        q = after
        if q == start:
            return n


@inlined
def refuse(board, g, i, p, w, features):
    """Puts back the place `p` that may not be drawn: parks it, or sets it aside until the next turn.

    Its liberty has been taken from the chains around it before.
    """
    places, words = board.places, board.words
    around = chains_around(board, p, w)
    a, b, c, d = around
    taken = is_dead(board, a) | is_dead(board, b) | is_dead(board, c) | is_dead(board, d)
    beside, diagonal = side_sum(board, p, w), diagonal_sum(board, p, w)
    black = is_eye_of_black(beside, diagonal)
    last = U(words[ACTIVE_END + g]) - _1
    places[EMPTIES + i] = places[EMPTIES + last]
    words[ACTIVE_END + g] = last
    give_liberty(board, p, around, features)
    if (taken == _0) & (black | is_eye_of_white(beside, diagonal)):
        end = U(words[END + g]) - _1
        places[EMPTIES + last] = places[EMPTIES + end]
        words[END + g] = end
        park(board, g, p, around, black)
    else:
        places[EMPTIES + last] = p


@inlined
def park(board, g, p, around, black):
    """Parks an eye, of Black or else of White, that no chain around depends on alone."""
    places, words = board.places, board.words
    add_to_liberties(board, around, ONE_PARKED - _1)
    number = U(words[PARKS + g])
    at = U(words[BEGIN + g]) + number
    places[PARKED + at] = p
    places[PARKED_AT + p] = at
    words[PARKS + g] = number + _1
    words[CODE + p] = EMPTY | (EYE_OF_BLACK if black else EYE_OF_BLACK << _3)


@leaf
def unpark(board, g, p, w):
    """Puts a parked place back on the list of those to be drawn."""
    places, words = board.places, board.words
    number = U(words[PARKS + g]) - _1
    words[PARKS + g] = number
    at = U(places[PARKED_AT + p])
    last = U(places[PARKED + U(words[BEGIN + g]) + number])
    places[PARKED + at] = last
    places[PARKED_AT + last] = at
    words[CODE + p] = EMPTY
    add_to_liberties(board, chains_around(board, p, w), _1 - ONE_PARKED)
    end = U(words[END + g])
    places[EMPTIES + end] = p
    words[END + g] = end + _1
    words[ACTIVE_END + g] = end + _1


@leaf
def unpark_last_liberty(board, g, chain, w):
    """Unparks the only liberty of a chain that has none but parked ones: there the enemy can capture it."""
    places, words = board.places, board.words
    parked = U(words[LIBS + chain]) & ALL_LIBERTIES
    if parked > _4 * ONE_PARKED:
        return
    stone = U(chain)
    while True:
        for q in sides(stone, w):
            if words[CODE + q] & EMPTY:
                a, b, c, d = chains_around(board, q, w)
                contacts = U(a == chain) + U(b == chain) + U(c == chain) + U(d == chain)
                if contacts * ONE_PARKED == parked:
                    unpark(board, g, q, w)
                return
        stone = U(places[NEXT + stone])


@inlined
def settle(board, g, p, w, features):
    """What follows from a stone at `p`: captures, ko, parked places that may be playable again.

    It may be called when nothing follows, and twice for the same stone.
    """
    places, words = board.places, board.words
    enemy = U(words[CODE + p]) ^ BOTH
    before = U(words[END + g])
    n, found = before, _0
    for q in sides(p, w):
        chain = U(places[CHAIN + q])
        places[CANDIDATES + found] = chain
        found += U(words[CODE + q] == enemy) & is_dead(board, chain)
    for k in range(found):
        chain = U(places[CANDIDATES + U(k)])
        if is_dead(board, chain) != _0:  # else it was there twice
            n = remove_chain(board, chain, w, n, features)
    words[END + g] = n
    words[ACTIVE_END + g] = n
    if n - before == _1 and places[CHAIN + p] == p and words[LIBS + p] == ONE_STONE + _1:
        words[KO + g] = places[EMPTIES + before]
    if features & MERCY:
        words[LEAD + g] += before - n if enemy == BLACK else n - before
    if words[PARKS + g] != _0:
        for q in (p - w, p - _1, p + _1, p + w, p):
            chain = U(places[CHAIN + q])
            if is_choked(board, chain) & (is_dead(board, chain) ^ _1) != _0:
                unpark_last_liberty(board, g, chain, w)
        eyes_of_enemy = (enemy & SIDE_UNITS) * (_7 << EYE_SHIFT)
        for q in (p - w - _1, p - w + _1, p + w - _1, p + w + _1):
            if words[CODE + q] & eyes_of_enemy:
                unpark(board, g, q, w)


@leaf
def load(board, stones, size, base, features):
    """Puts the stones of a Position on the board that begins at `base`; returns how many places are empty."""
    places, words = board.places, board.words
    w = U(size + 2)
    for k in range((size + 2) * (size + 2)):
        p = base + U(k)
        words[CODE + p] = OUTER
        words[LIBS + p] = NEVER
        places[CHAIN + p] = p
        places[NEXT + p] = p
        places[LISTED + p] = _0
    n = _0
    for point in range(size * size):
        p = base + framed(point, size)
        if stones[point] == 0:
            words[CODE + p] = EMPTY
            places[EMPTIES + base + n] = p
            n += _1
        else:
            words[CODE + p] = BLACK if stones[point] == 1 else WHITE
    for point in range(size * size):
        p = base + framed(point, size)
        if stones[point] != 0:
            words[LIBS + p] = ONE_STONE + (side_sum(board, p, w) >> EMPTY_SHIFT)
            if features & POLICIES:
                board.sums[LIB_SUM + p] = sum_of_empty_sides(board, p, w)
    for point in range(size * size):
        p = base + framed(point, size)
        for q in (p + _1, p + w):
            x, y = U(places[CHAIN + p]), U(places[CHAIN + q])
            if stones[point] != 0 and words[CODE + q] == words[CODE + p] and x != y:
                merge(board, x, y, features)
    return n


@inlined
def framed(point, size):
    """The number of the place of a point of a Position on its board."""
    return U((point // size + 1) * (size + 2) + point % size + 1)


@inlined
def set_units(board, size, base):
    """Sets UNIT of the places of the board that begins at `base`."""
    for k in range((size + 2) * (size + 2)):
        board.sums[UNIT + base + U(k)] = U(k) + (U(k) * U(k) << _32)
