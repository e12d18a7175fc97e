# mypy: allow-untyped-defs, allow-untyped-calls
"""The compiled part of the interleaved kernel: GAMES games, a move in each of them per round.

A playout is a chain of loads that wait for each other and of branches that cannot be predicted. Here each
step of a move is a short loop over all games, without branches: the loads of one game are under way while
another is worked on. What only some games need is put on a list (`list[n] = g; n += condition`), and a later
loop works the list off. One kernel is compiled for each set of features, as for the scalar kernel.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from refbot.jit import Function, inlined, kernel_for, leaf
from refbot.options import LOGGED, MERCY
from refbot.playouts.interleaved.board import (
    POLICIES,
    chains_around,
    diagonal_sum,
    framed,
    is_choked,
    is_dead,
    is_eye,
    load,
    merge,
    refuse,
    set_units,
    settle,
    side_sum,
    sides,
    sum_of_empty_sides,
    take_liberty,
)
from refbot.playouts.interleaved.ending import decide, shown_mercy, stone_lead
from refbot.playouts.interleaved.layout import (
    ACTIVE_END,
    ATTACKED,
    BEGIN,
    BLACK,
    BOTH,
    CHAIN,
    CODE,
    COLOUR,
    CROWDED,
    DIAGONAL_UNITS,
    DRAWN,
    EMPTIES,
    EMPTY_SHIFT,
    END,
    ENDED,
    EYE_SHIFT,
    FORCED,
    FRESH,
    GAMES,
    INDEX,
    JOIN,
    JOIN_TO,
    JOINED,
    KO,
    LAST,
    LEAD,
    LEGAL,
    LIB_SUM,
    LIBS,
    LISTED,
    LIVE,
    MOVES,
    NEXT,
    NOTES,
    NUMBER,
    ONE_STONE,
    PARKS,
    PASSES,
    PLACE,
    REFUSED,
    SETTLE,
    SIDE_UNITS,
    SUSPECTED,
    SUSPECTS,
    TEMPLATE,
    WHITE,
)
from refbot.playouts.interleaved.policies import choose, list_suspect, look_for_atari
from refbot.playouts.rng import below, drawn
from refbot.playouts.scalar.amaf import credit
from refbot.playouts.tally import ACCEPTED, CONSIDERED, FOUND, RANDOM, Tally

U = np.uint64
_0, _1, _2, _3, _7, _8, _9 = U(0), U(1), U(2), U(3), U(7), U(8), U(9)
NO_KO = U(0)

MOVES_SUM, MOVES_SQUARED, LONGEST, RESULTS, RESULTS_SQUARED, MOVES_RESULTS, LEADS, TOTALS = range(8)
"""Where a sum is; a result is 2, 1 or 0."""


class Start(NamedTuple):
    """Where playouts start, and when they end: see the fields of the same names in the scalar kernel."""

    stones: npt.NDArray[np.int8]
    size: int
    root: int
    ko: int
    last: int
    limit: int
    komi: float
    mercy: int
    early_score: float


class Sinks(NamedTuple):
    """What playouts are written to."""

    totals: npt.NDArray[np.int64]  # TOTALS of them
    lengths: npt.NDArray[np.int32]  # one a playout in the order in which they are started, or empty
    half_points: npt.NDArray[np.int8]  # the same: Black's result
    log: npt.NDArray[np.uint16]  # the moves of each game: room for `limit` moves times GAMES, or empty
    records: npt.NDArray[np.int64]  # one a place, see `scalar.amaf`
    touched: npt.NDArray[np.uint16]  # one a place: zeros, see `scalar.amaf`
    tally: Tally


@leaf
def draw(board, w, live, s0, s1, limit, log, ended, features):
    """Draws a place in each game and takes its liberty from the chains around it; passes where none is left.

    A place that a policy has chosen needs no draw. Returns (number of DRAWN games, of passes, of ENDED games,
    random state).
    """
    places, words = board.places, board.words
    number, passes = _0, 0
    for k in range(live):
        g = U(places[LIVE + U(k)])
        begin, end = U(words[BEGIN + g]), U(words[ACTIVE_END + g])
        value, s0, s1 = drawn(s0, s1)
        i = begin + below(value, end - begin)
        if features & POLICIES:
            forced = U(words[FORCED + g])
            i = forced - _1 if forced != _0 else i
        if begin == end:
            passes += 1
            ended = make_pass(board, g, limit, log, ended, features)
            continue
        p = U(places[EMPTIES + i])
        places[DRAWN + number] = g
        number += _1
        words[INDEX + g] = i
        words[PLACE + g] = p
        take_liberty(board, p, chains_around(board, p, w), features)
    return number, passes, ended, s0, s1


@inlined
def make_pass(board, g, limit, log, ended, features):
    """A pass in one game. Returns the number of ENDED games."""
    words = board.words
    moves, passes = U(words[MOVES + g]), U(words[PASSES + g]) + _1
    if features & LOGGED:
        log[g * limit + moves] = _0
    words[KO + g] = NO_KO
    words[ACTIVE_END + g] = words[END + g]
    words[COLOUR + g] ^= BOTH
    words[PASSES + g] = passes
    words[MOVES + g] = moves + _1
    if features & POLICIES:
        words[LAST + g] = _0
        words[ATTACKED + g] = _0
        words[FRESH + g] = _1
    board.places[ENDED + ended] = g
    return ended + U((passes >= _2) | (moves + _1 >= limit))


@leaf
def judge(board, w, number, features):
    """Sorts the DRAWN games by whether the place may be played. Returns (number of LEGAL games, of REFUSED).

    Also finds the chain that the stone becomes part of, JOINED, and NOTES: the empty sides in bits 0-2; 1 in
    bit 8 if there are several friendly sides; 1 in bit 9 if it stands on the diagonal of a parked enemy eye.
    """
    places, words = board.places, board.words
    legal, refused = _0, _0
    for k in range(number):
        g = U(places[DRAWN + U(k)])
        p, colour = U(words[PLACE + g]), U(words[COLOUR + g])
        enemy = colour ^ BOTH
        a, b, c, d = chains_around(board, p, w)
        beside, diagonal = side_sum(board, p, w), diagonal_sum(board, p, w)
        own_a, own_b = U(words[CODE + p - w] == colour), U(words[CODE + p - _1] == colour)
        own_c, own_d = U(words[CODE + p + _1] == colour), U(words[CODE + p + w] == colour)
        # A friendly chain with a liberty left, or an enemy chain without one; outer places are neither.
        breathes = (own_a ^ is_dead(board, a)) | (own_b ^ is_dead(board, b))
        breathes |= (own_c ^ is_dead(board, c)) | (own_d ^ is_dead(board, d))
        eye = U(is_eye(beside, diagonal, colour & SIDE_UNITS, (enemy & DIAGONAL_UNITS) >> _1))
        empty_sides = beside >> EMPTY_SHIFT
        # Not by `or` of conditions: the compiler would make a branch of each.
        allowed = empty_sides | (breathes & (eye ^ _1) & U(p != words[KO + g]))
        if features & POLICIES:
            allowed |= U(words[FORCED + g])  # an escape may fill an eye
            words[FORCED + g] = _0
        may_play = U(allowed != _0)
        places[LEGAL + legal] = g
        legal += may_play
        places[REFUSED + refused] = g
        refused += may_play ^ _1
        chain = a if own_a else p
        chain = b if own_b else chain
        chain = c if own_c else chain
        chain = d if own_d else chain
        words[JOINED + g] = chain
        several = U(own_a + own_b + own_c + own_d >= _2)
        marked = U(diagonal & ((enemy & SIDE_UNITS) * (_7 << EYE_SHIFT)) != _0)
        words[NOTES + g] = empty_sides | (several << _8) | (marked << _9)
    return legal, refused


@leaf
def put(board, w, legal, limit, log, features):
    """Puts the stones of the LEGAL games. Returns (number of CROWDED places, of SETTLE games).

    A place is crowded if several sides of it are friendly: their chains may have to be joined.
    """
    places, words = board.places, board.words
    crowded, unsettled = _0, _0
    for k in range(legal):
        g = U(places[LEGAL + U(k)])
        p, i, colour = U(words[PLACE + g]), U(words[INDEX + g]), U(words[COLOUR + g])
        chain, notes = U(words[JOINED + g]), U(words[NOTES + g])
        a, b, c, d = chains_around(board, p, w)
        last = U(words[END + g]) - _1
        # Behind ACTIVE_END are the places refused in this turn; they may be drawn again in the next one.
        places[EMPTIES + i] = places[EMPTIES + last]
        words[END + g] = last
        words[ACTIVE_END + g] = last
        words[CODE + p] = colour
        # A chain of its own is an empty one at p, which the stone then joins as it joins any other.
        places[NEXT + p] = p
        words[LIBS + p] = _0
        if features & POLICIES:
            board.sums[LIB_SUM + p] = _0
        places[CHAIN + p] = chain
        words[LIBS + chain] += ONE_STONE + (notes & _7)
        if features & POLICIES:
            board.sums[LIB_SUM + chain] += sum_of_empty_sides(board, p, w)
        places[NEXT + p] = places[NEXT + chain]
        places[NEXT + chain] = p
        places[CROWDED + crowded] = p
        crowded += (notes >> _8) & _1
        places[SETTLE + unsettled] = g
        unsettled += (
            is_choked(board, a)
            | is_choked(board, b)
            | is_choked(board, c)
            | is_choked(board, d)
            | is_choked(board, chain)
            | (notes >> _9)
        )
        moves = U(words[MOVES + g])
        if features & LOGGED:
            log[g * limit + moves] = p - U(words[BEGIN + g])
        words[KO + g] = NO_KO
        words[PASSES + g] = _0
        words[MOVES + g] = moves + _1
        words[COLOUR + g] = colour ^ BOTH
        if features & POLICIES:
            words[FRESH + g] = _1
        if features & MERCY:
            words[LEAD + g] += _1 if colour == BLACK else -_1
    return crowded, unsettled


@leaf
def put_back(board, w, refused, features):
    """Refuses the places of the REFUSED games."""
    places, words = board.places, board.words
    for k in range(refused):
        g = U(places[REFUSED + U(k)])
        refuse(board, g, U(words[INDEX + g]), U(words[PLACE + g]), w, features)


@leaf
def settle_all(board, w, unsettled, features):
    """Settles the SETTLE games."""
    places, words = board.places, board.words
    for k in range(unsettled):
        g = U(places[SETTLE + U(k)])
        settle(board, g, U(words[PLACE + g]), w, features)


@leaf
def join(board, w, crowded, features):
    """Makes one chain of the chains beside each CROWDED place."""
    places, words = board.places, board.words
    number = _0
    for k in range(crowded):
        p = U(places[CROWDED + U(k)])
        for q in sides(p, w):
            places[JOIN + number] = q
            places[JOIN_TO + number] = p
            number += U(words[CODE + q] == words[CODE + p]) & U(places[CHAIN + q] != places[CHAIN + p])
    for k in range(number):
        x = U(places[CHAIN + places[JOIN + U(k)]])
        y = U(places[CHAIN + places[JOIN_TO + U(k)]])
        if x != y:
            merge(board, x, y, features)


@leaf
def list_ended(board, legal, start, ended, features):
    """Lists the games that their last stone has ended. Returns the number of ENDED games."""
    places, words = board.places, board.words
    for k in range(legal):
        g = U(places[LEGAL + U(k)])
        places[ENDED + ended] = g
        ended += U(words[MOVES + g] >= start.limit) | shown_mercy(board, g, start, features)
    return ended


@leaf
def prepare(board, start, stride, features):
    """Puts the position on the template; returns its number of empty places."""
    places, words = board.places, board.words
    w = U(start.size + 2)
    base = TEMPLATE * stride
    if features & POLICIES:
        for g in range(GAMES + 1):
            set_units(board, start.size, U(g) * stride)
    n = load(board, start.stones, start.size, base, features)
    words[BEGIN + TEMPLATE] = base
    words[LEAD + TEMPLATE] = stone_lead(board, TEMPLATE, w * w)
    suspected = _0
    if features & POLICIES:
        for k in range(w * w):
            suspected = list_suspect(board, base, suspected, U(places[CHAIN + base + U(k)]))
    words[SUSPECTED + TEMPLATE] = suspected
    return n


@leaf
def restart(board, g, number, n, start, stride, features):
    """Puts the template on the board of a game, which becomes the playout with this number."""
    places, words = board.places, board.words
    base, template = g * stride, TEMPLATE * stride
    shift = base - template  # mod 2^64; places are added mod 2^16
    for k in range((start.size + 2) * (start.size + 2)):
        p, q = base + U(k), template + U(k)
        words[CODE + p] = words[CODE + q]
        words[LIBS + p] = words[LIBS + q]
        places[CHAIN + p] = places[CHAIN + q] + shift
        places[NEXT + p] = places[NEXT + q] + shift
        places[EMPTIES + p] = places[EMPTIES + q] + shift
        if features & POLICIES:
            board.sums[LIB_SUM + p] = board.sums[LIB_SUM + q]
            places[SUSPECTS + p] = places[SUSPECTS + q] + shift
            places[LISTED + p] = places[LISTED + q]
    words[BEGIN + g] = base
    words[END + g] = base + n
    words[ACTIVE_END + g] = base + n
    words[COLOUR + g] = BLACK if start.root == 1 else WHITE
    words[KO + g] = base + framed(start.ko, start.size) if start.ko >= 0 else NO_KO
    words[PASSES + g] = _0
    words[MOVES + g] = _0
    words[PARKS + g] = _0
    words[NUMBER + g] = number
    words[LEAD + g] = words[LEAD + TEMPLATE]
    words[LAST + g] = base + framed(start.last, start.size) if start.last >= 0 else _0
    words[ATTACKED + g] = _1 if start.last >= 0 else _0
    words[FRESH + g] = _1
    words[FORCED + g] = _0
    words[SUSPECTED + g] = words[SUSPECTED + TEMPLATE]


@leaf
def conclude(board, g, w, start, sinks, features):
    """Scores a game that has ended and adds it to the sums."""
    lead, result = decide(board, g, w, w * w, start, sinks.tally, features)
    moves = np.int64(board.words[MOVES + g])
    totals = sinks.totals
    totals[MOVES_SUM] += moves
    totals[MOVES_SQUARED] += moves * moves
    totals[LONGEST] = max(totals[LONGEST], moves)
    totals[RESULTS] += result
    totals[RESULTS_SQUARED] += result * result
    totals[MOVES_RESULTS] += moves * result
    totals[LEADS] += lead
    if sinks.lengths.size:
        sinks.lengths[U(board.words[NUMBER + g])] = moves
        sinks.half_points[U(board.words[NUMBER + g])] = result
    if features & LOGGED:
        own = result if start.root == 1 else 2 - result
        log = sinks.log[g * U(start.limit) :]
        credit(log, moves, sinks.touched, sinks.records, np.int64(w * w), own, result, 0)


@inlined
def play_many(board, start, count, state, sinks, features):
    """Plays `count` playouts to their end. Continues from `state` and leaves the new state in it."""
    places = board.places
    w, limit = U(start.size + 2), U(start.limit)
    stride = w * w
    n = prepare(board, start, stride, features)
    s0, s1 = state[0], state[1]
    started, live, passes = _0, _0, 0
    considered_before = sinks.tally[RANDOM, CONSIDERED]
    while started < min(GAMES, count):
        restart(board, started, started, n, start, stride, features)
        places[LIVE + started] = started
        started += _1
        live += _1
    while live > _0:
        if features & POLICIES:
            s0, s1 = choose(board, w, live, s0, s1, sinks.tally, features)
        number, passed, ended, s0, s1 = draw(board, w, live, s0, s1, limit, sinks.log, _0, features)
        passes += passed
        legal, refused = judge(board, w, number, features)
        crowded, unsettled = put(board, w, legal, limit, sinks.log, features)
        put_back(board, w, refused, features)
        join(board, w, crowded, features)
        settle_all(board, w, unsettled, features)
        if features & POLICIES:
            look_for_atari(board, w, legal, features)
        ended = list_ended(board, legal, start, ended, features)
        for k in range(ended):
            g = U(places[ENDED + U(k)])
            conclude(board, g, w, start, sinks, features)
            if started < count:
                restart(board, g, started, n, start, stride, features)
                started += _1
            else:
                live = retire(places, g, live)
    if features & POLICIES:
        moved = sinks.tally[RANDOM, CONSIDERED] - considered_before - passes
        sinks.tally[RANDOM, FOUND] += moved
        sinks.tally[RANDOM, ACCEPTED] += moved
    state[0], state[1] = s0, s1


@inlined
def retire(places, g, live):
    """Takes a game off the list LIVE; returns its new length."""
    k = LIVE
    while places[k] != g:
        k += _1
    places[k] = places[LIVE + live - _1]
    return live - _1


@functools.cache
def compiled(features: int) -> Function:
    """`play_many` compiled for these features."""

    @kernel_for(features, allocates=False)
    def run_interleaved(board, start, count, state, sinks):
        play_many(board, start, count, state, sinks, features)

    return run_interleaved
