# mypy: allow-untyped-defs, allow-untyped-calls
"""The moves that a policy looks for before one is drawn at random (van de Veerdonk, computer-go list).

The same policies as in `refbot.playouts.scalar.policies`, on boards that know the sum of each chain's
liberties: a chain has one liberty exactly if all its pseudo-liberties are the same place, that is, if n times
the sum of their squares is the square of their sum (Cauchy and Schwarz). No chain has to be walked for that.
"""

from __future__ import annotations

import numpy as np

from refbot.jit import inlined, leaf
from refbot.options import CAPTURE, ESCAPE
from refbot.playouts.interleaved.board import chains_around, sides
from refbot.playouts.interleaved.layout import (
    ALL_LIBERTIES,
    ATTACKED,
    BEGIN,
    BOTH,
    CANDIDATES,
    CAPTURING,
    CHAIN,
    CHOOSING,
    CODE,
    COLOUR,
    EMPTIES,
    EMPTY,
    ESCAPING,
    FORCED,
    FRESH,
    KO,
    LAST,
    LEGAL,
    LIB_SUM,
    LIBS,
    LISTED,
    LIVE,
    NEXT,
    PLACE,
    SUSPECTED,
    SUSPECTS,
    UNIT,
    UNPARKED,
)
from refbot.playouts.rng import below, drawn
from refbot.playouts.tally import (
    ACCEPTED,
    ATARI_CAPTURE,
    ATARI_EXTEND,
    CAPTURE_MOVE,
    CONSIDERED,
    FOUND,
    RANDOM,
)

U = np.uint64
_0, _1, _2, _3, _4 = U(0), U(1), U(2), U(3), U(4)
_12, _16, _32 = U(12), U(16), U(32)
_LOW_HALF = U((1 << 32) - 1)
_THIRD = U(21846)  # of 2^16, rounded up
NOWHERE = U(0)
QUARTERS, CAPTURE_QUARTERS = U(4), U(3)  # a capture is considered three times in four


@inlined
def pseudo_liberties(board, chain):
    """The number of pseudo-liberties, parked ones included."""
    libs = U(board.words[LIBS + chain]) & ALL_LIBERTIES
    return (libs & UNPARKED) + (libs >> _12)


@inlined
def unlike(n, total):
    """0 if n places with this sum of their UNITs are all the same (or none)."""
    places, squares = total & _LOW_HALF, total >> _32
    return n * squares - places * places


@inlined
def not_in_atari(board, chain):
    """0 if the chain has exactly one liberty. Not 0 for an empty or outer place.

    One number to compare instead of two conditions: the compiler would make a branch of each.
    """
    n = pseudo_liberties(board, chain)
    return ((n - _1) >> _2) | unlike(n, board.sums[LIB_SUM + chain])


@inlined
def in_atari(board, chain):
    """1 if the chain has exactly one liberty, else 0; also 0 for an empty or outer place."""
    return U(not_in_atari(board, chain) == _0)


@inlined
def sole_liberty(board, g, chain):
    """The liberty of a chain in atari."""
    n = pseudo_liberties(board, chain)
    total = board.sums[LIB_SUM + chain] & _LOW_HALF
    share = (total * _THIRD) >> _16 if n == _3 else total >> (n >> _1)
    return U(board.words[BEGIN + g]) + share


@inlined
def list_suspect(board, begin, number, chain):
    """Lists a chain as one that may be in atari, if it is and is not listed yet.

    `begin` is the BEGIN of its game, `number` how many are listed. Returns the new number.
    """
    places = board.places
    fresh = U(not_in_atari(board, chain) | U(places[LISTED + chain]) == _0)
    places[SUSPECTS + begin + number] = chain
    places[LISTED + chain] |= fresh
    return number + fresh


@leaf
def look_for_atari(board, w, legal, features):
    """Notes in the LEGAL games which chains the last move has put in atari."""
    places, words = board.places, board.words
    for k in range(legal):
        g = U(places[LEGAL + U(k)])
        p = U(words[PLACE + g])
        words[LAST + g] = p
        a, b, c, d = chains_around(board, p, w)
        if features & ESCAPE:
            colour = U(words[COLOUR + g])
            words[ATTACKED + g] = (
                U((U(words[CODE + p - w]) ^ colour) | not_in_atari(board, a) == _0)
                | U((U(words[CODE + p - _1]) ^ colour) | not_in_atari(board, b) == _0)
                | U((U(words[CODE + p + _1]) ^ colour) | not_in_atari(board, c) == _0)
                | U((U(words[CODE + p + w]) ^ colour) | not_in_atari(board, d) == _0)
            )
        if features & CAPTURE:
            begin, number = U(words[BEGIN + g]), U(words[SUSPECTED + g])
            number = list_suspect(board, begin, number, a)
            number = list_suspect(board, begin, number, b)
            number = list_suspect(board, begin, number, c)
            number = list_suspect(board, begin, number, d)
            words[SUSPECTED + g] = list_suspect(board, begin, number, U(places[CHAIN + p]))


@leaf
def choose(board, w, live, s0, s1, tally, features):
    """Sets FORCED where a turn begins and the policy finds a move; returns the random state."""
    places, words = board.places, board.words
    fresh, attacked, forced = _0, _0, 0
    for k in range(live):
        g = U(places[LIVE + U(k)])
        places[CHOOSING + fresh] = g
        places[ESCAPING + attacked] = g
        fresh += words[FRESH + g]
        attacked += words[FRESH + g] & words[ATTACKED + g]
        words[FRESH + g] = _0
    if features & ESCAPE:
        for k in range(attacked):
            g = U(places[ESCAPING + U(k)])
            p, s0, s1 = escape(board, g, w, s0, s1, tally)
            if p != NOWHERE:
                words[FORCED + g] = index_of(board, g, p) + _1
                forced += 1
    if features & CAPTURE:
        considered, suspicious = _0, _0
        for k in range(fresh):
            g = U(places[CHOOSING + U(k)])
            value, s0, s1 = drawn(s0, s1)
            considers = U(words[FORCED + g] == _0) & U(below(value, QUARTERS) < CAPTURE_QUARTERS)
            considered += considers
            places[CAPTURING + suspicious] = g
            suspicious += considers & U(words[SUSPECTED + g] != _0)
        tally[CAPTURE_MOVE, CONSIDERED] += np.int64(considered)
        for k in range(suspicious):
            g = U(places[CAPTURING + U(k)])
            p, s0, s1 = capture_anywhere(board, g, w, s0, s1, tally)
            if p != NOWHERE:
                words[FORCED + g] = index_of(board, g, p) + _1
                forced += 1
    tally[RANDOM, CONSIDERED] += np.int64(fresh) - forced
    return s0, s1


@inlined
def index_of(board, g, p):
    """Where an empty place is in EMPTIES."""
    i = U(board.words[BEGIN + g])
    while board.places[EMPTIES + i] != p:
        i += _1
    return i


@inlined
def escape(board, g, w, s0, s1, tally):
    """Saves a chain of the mover that the last move put in atari. Returns (place or NOWHERE, random state).

    By capturing an enemy chain beside one of them, if it can; else by a stone on the last liberty of one of
    them, if it then has two. Of several such moves, one at random. The ko point may not be taken.
    """
    places, words = board.places, board.words
    last, colour = U(words[LAST + g]), U(words[COLOUR + g])
    found, attacked = _0, False
    for q in sides(last, w):
        chain = U(places[CHAIN + q])
        if words[CODE + q] == colour and in_atari(board, chain) != _0:
            attacked = True
            found = captures_beside(board, g, chain, w, colour, found)
    if not attacked:
        return NOWHERE, s0, s1
    count(tally, ATARI_CAPTURE, found != _0, found != _0)
    if found == _0:
        for q in sides(last, w):
            chain = U(places[CHAIN + q])
            if words[CODE + q] == colour and in_atari(board, chain) != _0:
                p = sole_liberty(board, g, chain)
                if ends_atari(board, p, w, colour):
                    found = listed(places, p, found)
        count(tally, ATARI_EXTEND, True, found != _0)
        if found == _0:
            return NOWHERE, s0, s1
    value, s0, s1 = drawn(s0, s1)
    return U(places[CANDIDATES + below(value, found)]), s0, s1


@inlined
def captures_beside(board, g, chain, w, colour, found):
    """Lists the places where an enemy chain beside this one can be captured behind those `found` before."""
    places, words = board.places, board.words
    stone = U(chain)
    while True:
        for q in sides(stone, w):
            enemy = U(places[CHAIN + q])
            if words[CODE + q] == colour ^ BOTH and in_atari(board, enemy) != _0:
                p = sole_liberty(board, g, enemy)
                if p != words[KO + g]:
                    found = listed(places, p, found)
        stone = U(places[NEXT + stone])
        if stone == chain:
            return found


@inlined
def listed(places, p, found):
    """Puts `p` on the list of `found` candidates unless it is there; returns the new number."""
    for k in range(found):
        if places[CANDIDATES + U(k)] == p:
            return found
    places[CANDIDATES + found] = p
    return found + _1


@inlined
def capture_anywhere(board, g, w, s0, s1, tally):
    """A random one of the places where something can be captured. Returns (place or NOWHERE, random state).

    Taken only if the enemy would end an atari by playing there itself. Suspects that are no chains in atari
    any more leave the list.
    """
    places, words = board.places, board.words
    begin, enemy = U(words[BEGIN + g]), U(words[COLOUR + g]) ^ BOTH
    kept, found = _0, _0
    for k in range(U(words[SUSPECTED + g])):
        chain = U(places[SUSPECTS + begin + U(k)])
        still = U(places[CHAIN + chain] == chain) & in_atari(board, chain)
        places[SUSPECTS + begin + kept] = chain
        places[LISTED + chain] = still
        kept += still
        if still & U(words[CODE + chain] == enemy) != _0:
            p = sole_liberty(board, g, chain)
            if p != words[KO + g]:
                found = listed(places, p, found)
    words[SUSPECTED + g] = kept
    p = NOWHERE
    if found != _0:
        value, s0, s1 = drawn(s0, s1)
        p = U(places[CANDIDATES + below(value, found)])
        p = p if ends_atari(board, p, w, enemy) else NOWHERE
    tally[CAPTURE_MOVE, FOUND] += found != _0
    tally[CAPTURE_MOVE, ACCEPTED] += p != NOWHERE
    return p, s0, s1


@inlined
def ends_atari(board, p, w, colour):
    """Whether a stone of `colour` at the empty place `p` would have two liberties or more.

    Its liberties are the empty places beside it, those of captured stones, and those of the chains it joins.
    """
    words, sums = board.words, board.sums
    around = chains_around(board, p, w)
    a, b, c, d = around
    n, total = _0, _0
    for k in range(4):
        q = sides(p, w)[k]
        chain = around[k]
        code = words[CODE + q]
        contacts = U(chain == a) + U(chain == b) + U(chain == c) + U(chain == d)
        if code == EMPTY or (code == colour ^ BOTH and pseudo_liberties(board, chain) == contacts):
            n += _1
            total += sums[UNIT + q]
        elif code == colour:
            n -= _1
            total -= sums[UNIT + p]
            first = (k == 0) | ((chain != a) & ((k == 1) | ((chain != b) & ((k == 2) | (chain != c)))))
            if first:
                n += pseudo_liberties(board, chain)
                total += sums[LIB_SUM + chain]
    return unlike(n, total) != _0


@inlined
def count(tally, row, found, accepted):
    """Counts a kind of move that was considered."""
    tally[row, CONSIDERED] += 1
    tally[row, FOUND] += found
    tally[row, ACCEPTED] += accepted
