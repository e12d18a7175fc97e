# mypy: allow-untyped-defs, allow-untyped-calls
"""The compiled part of the scalar kernel: one playout after another.

`batch.run` and `batch.trace` call a kernel with a Start, a number of playouts, a random state and Sinks; it
returns the sums of the playouts. One kernel is compiled for each set of features in use. A feature is a bit
for a policy, an option, or the log that all-moves-as-first records are made from. Features are constants, and
so is the fault mask 0 of a kernel without faults: the compiler removes the branches that they do not take.

Names that recur in all functions of this package:

board, w      the framed board and the width of its rows; a place is an index into it (see `packed`)
n             the number of empty places
colour, ko    the side to move, and the place where it may not retake (NO_KO: none)
last          the place of the last move, 0 for a pass or if it does not matter
s0, s1        the state of the random numbers (see `playouts.rng`)
features      the feature bits of the kernel (see `refbot.deviations.options`)
mask          the bits of the faults in force (see `refbot.deviations.bits`)
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from refbot.compile.jit import Function, inlined, kernel_for
from refbot.deviations import bits
from refbot.deviations.options import CUTOFF, ESCAPE, LOGGED, MERCY, TIMED
from refbot.playouts.rng import seeded
from refbot.playouts.scalar.amaf import credit, credit_with_faults
from refbot.playouts.scalar.choose import DROPPED, NO_KO, choose, choose_with_faults, shuffle_empties
from refbot.playouts.scalar.packed import (
    ALL_AROUND,
    BLACK,
    COUNTS,
    EMPTIES,
    LIBS,
    SPAN,
    WORDS,
    framed,
    friends,
    load,
    put,
    remove_chain,
)
from refbot.playouts.scalar.policies import select, select_at_random
from refbot.playouts.scalar.score import decide, decide_by_area, stone_lead
from refbot.playouts.scalar.ticks import count_call, now
from refbot.playouts.tally import PLAY, SCORE, SELECT, Tally

U = np.uint64
_0, _1, _3 = U(0), U(1), U(3)
REGIONS = 7  # of the board, copied for each playout: all but SCRATCH

_SUICIDE = bits.SUICIDE_PLAYOUT | bits.SUICIDE_PLAYOUT_MULTI

PLAYOUTS, MOVES, MOVES_SQUARED, LONGEST, RESULTS, RESULTS_SQUARED, MOVES_RESULTS, LEADS, MADE, SUMS = range(
    10
)
"""Indices of the sums. MADE counts all moves, MOVES those that ref-nodes counts.

A result is Black's, in half points: 2, 1 or 0.
"""


class Rules(NamedTuple):
    """The functions that differ between kernels. A kernel compiles only the variants that it needs."""

    select: Function  # a move: that of the policy, else one drawn by `choose`
    choose: Function  # a move at random
    decide: Function  # the lead and the result of a playout that has ended
    credit: Function  # adds a playout to the all-moves-as-first records


class Start(NamedTuple):
    """The start of playouts, and the rules of their end.

    `stones` to `last` are fields of a Position, `root` its `to_move`; `limit` is the most moves of a playout.
    `mercy`, `early_score` and `cutoff` are options; only a kernel that is compiled for them reads them.
    """

    stones: npt.NDArray[np.int8]
    size: int
    root: int
    ko: int
    passes: int
    last: int
    limit: int
    komi: float
    mercy: int
    early_score: float
    cutoff: int


class Sinks(NamedTuple):
    """Arrays that playouts write to, beside their sums."""

    lengths: npt.NDArray[np.int32]  # moves of each playout; empty if they are not wanted
    half_points: npt.NDArray[np.int8]  # Black's result of each playout; empty if they are not wanted
    log: npt.NDArray[np.uint16]  # places of the moves of the last playout, 0 for a pass; room for all
    records: npt.NDArray[np.int64]  # the all-moves-as-first record of each place, see `credit`
    tally: Tally


@inlined
def passes_needed(mask):
    """The number of passes in a row that ends a playout."""
    if mask & bits.ONE_PASS_ENDS:
        return 1
    return 3 if mask & bits.THREE_PASSES_END else 2


@inlined
def ko_after(board, counts, captured, n, colour, mask):
    """The place where the enemy may not retake, after a stone of `colour` that took `captured` stones.

    A ko needs one captured stone, and a stone that stands alone among enemies: `counts` has the neighbours of
    its place before the move.
    """
    if mask & bits.KO_NONE:
        return NO_KO
    if captured == 1 and (mask & bits.KO_ANY_SINGLE or friends(counts, _3 - colour) == ALL_AROUND):
        return U(board[EMPTIES + n - _1])  # the place of the captured stone: see `put`
    return NO_KO


@inlined
def nodes_of(moves, passed, by_passes, mask):
    """The number of moves that ref-nodes counts: all of them, unless `mask` has a fault.

    `passed` of the moves were passes; `by_passes`: the playout ended by passes.
    """
    if mask & bits.NODES_OWN_MOVES:
        return (moves + 1) // 2
    counted = moves
    if mask & bits.NODES_NO_PASSES:
        counted -= passed
    if mask & bits.NODES_ONE_PASS and by_passes:
        counted -= 1
    return counted


@inlined
def play_out(board, start, n, black, root, ko, last, passes, log, s0, s1, tally, rules, features, mask):
    """Plays one playout on `board` to its end.

    `start` has the limits and the komi; `board` has the position. `black` is the number of Black's stones.
    The colour `root` moves first. `passes` passes in a row were made before. Returns (moves made, moves that
    ref-nodes counts, result, Black's lead without komi, new s0, new s1).

    The effects of a stone are not in a function of their own: to return them costs a playout 13 % more time.
    """
    w = U(start.size + 2)
    colour = root
    moves, passed = 0, 0  # moves of this playout, and the passes among them
    extra = np.int64(0)  # Black's captures less White's: a fault adds them to the area
    limit = min(start.limit, start.cutoff) if features & CUTOFF else start.limit
    mercy = False
    s0, s1 = shuffle_empties(board, n, s0, s1, mask)
    while moves < limit:
        began = now(features)
        i, s0, s1 = rules.select(board, w, colour, ko, n, last, s0, s1, tally, rules.choose, features, mask)
        began = count_call(tally, SELECT, began, features)
        if i == n:  # a pass
            last = _0
            passes += 1
            passed += 1
            if not mask & bits.KO_KEPT:
                ko = NO_KO
            if mask & bits.CAP_PLAYOUT_PASSES_UNCOUNTED:
                limit += 1
        else:
            last = U(board[EMPTIES + i])
            if not mask & bits.PASSES_IN_ALL:
                passes = 0
            counts = U(board[COUNTS + last])
            after, chain = put(board, i, w, colour, n)
            # One empty place less for the stone, and one more for each captured stone.
            captured = np.int64(after - n) + 1
            n = after
            if mask & bits.UNIFORM_CAPTURED_DROPPED:  # the captured places are the last of the list
                for k in range(n - U(captured), n):
                    board[COUNTS + board[EMPTIES + U(k)]] |= DROPPED
            black += 1 if colour == BLACK else -captured
            if mask & bits.AREA_CAPTURES:
                extra += captured if colour == BLACK else -captured
            ko = ko_after(board, counts, captured, n, colour, mask)
            if mask & _SUICIDE and board[LIBS + chain] == _0:
                n = remove_chain(board, chain, w, colour, n)
                if colour == BLACK:
                    black -= np.int64(n - after)
            count_call(tally, PLAY, began, features)
        if features & LOGGED:
            log[moves] = last
        moves += 1
        colour = _3 - colour
        if features & MERCY and abs(stone_lead(start.size, n, black)) > start.mercy:
            mercy = True
            break
        if passes >= passes_needed(mask):
            break
    by_passes = passes >= passes_needed(mask)
    began = now(features)
    cut = not mercy and moves == start.cutoff and not by_passes
    lead, result = rules.decide(board, start, n, black, extra, root, mercy, cut, tally, features, mask)
    if mask & bits.CAP_IS_DRAW and not by_passes:
        result = 1
    count_call(tally, SCORE, began, features)
    return moves, nodes_of(moves, passed, by_passes, mask), result, lead, s0, s1


@inlined
def play_many(start, count, state, sinks, rules, features, mask):
    """Plays `count` playouts and returns their sums. Continues from `state` and leaves the new state in it.

    The log and the records are written only with the feature LOGGED.
    """
    size = start.size
    first_board = np.empty(WORDS, np.uint16)
    board = np.empty(WORDS, np.uint16)
    places = (size + 2) * (size + 2)
    touched = np.zeros(SPAN, np.uint16)  # working space of `credit`
    n = load(first_board, start.stones, size)
    black = np.int64(0)
    for point in range(size * size):
        black += np.int64(start.stones[point] == 1)
    root = U(start.root)
    ko = NO_KO if start.ko < 0 or mask & bits.KO_ROOT_IGNORED else framed(start.ko, size)
    last = framed(start.last, size) if features & ESCAPE and start.last >= 0 else _0
    passes = start.passes if mask & bits.GAME_PASS_COUNTS else 0
    sums = np.zeros(SUMS, np.int64)
    s0, s1 = state[0], state[1]
    for k in range(count):
        for region in range(REGIONS):
            for p in range(places):
                board[U(region * SPAN + p)] = first_board[U(region * SPAN + p)]
        moves, counted, result, lead, s0, s1 = play_out(
            board, start, n, black, root, ko, last, passes, sinks.log, s0, s1, sinks.tally, rules,
            features, mask,
        )  # fmt: skip
        sums[PLAYOUTS] += 1
        sums[MADE] += moves
        sums[MOVES] += counted
        sums[MOVES_SQUARED] += counted * counted
        sums[LONGEST] = max(sums[LONGEST], counted)
        sums[RESULTS] += result
        sums[RESULTS_SQUARED] += result * result
        sums[MOVES_RESULTS] += counted * result
        sums[LEADS] += lead
        if sinks.lengths.size:
            sinks.lengths[k] = counted
            sinks.half_points[k] = result
        if features & LOGGED:
            own = result if root == BLACK else 2 - result
            rules.credit(sinks.log, moves, touched, sinks.records, places, own, result, mask)
    state[0], state[1] = s0, s1
    return sums


ADDITIONS = ~(LOGGED | TIMED)
"""The features that change a playout: its choice of moves, or its end. A kernel without them is simpler."""


@functools.cache
def kernel_without_faults(features: int) -> Function:
    """Return `play_many` compiled for these features: a function of (start, count, state, sinks)."""
    if features & ADDITIONS:

        @kernel_for(features)
        def run_without_faults(start, count, state, sinks):
            rules = Rules(select, choose, decide, credit)
            return play_many(start, count, state, sinks, rules, features, 0)
    else:

        @kernel_for(features)
        def run_without_faults(start, count, state, sinks):
            rules = Rules(select_at_random, choose, decide_by_area, credit)
            return play_many(start, count, state, sinks, rules, features, 0)

    return run_without_faults


@functools.cache
def kernel_with_faults(features: int) -> Function:
    """Return `play_many` compiled for these features: a function of (start, count, state, sinks, mask)."""
    if features & ADDITIONS:

        @kernel_for(features)
        def run_with_faults(start, count, state, sinks, mask):
            rules = Rules(select, choose_with_faults, decide, credit_with_faults)
            return play_many(start, count, state, sinks, rules, features, mask)
    else:

        @kernel_for(features)
        def run_with_faults(start, count, state, sinks, mask):
            rules = Rules(select_at_random, choose_with_faults, decide_by_area, credit_with_faults)
            return play_many(start, count, state, sinks, rules, features, mask)

    return run_with_faults


def first_state(seed: np.uint64) -> npt.NDArray[np.uint64]:
    """Return the random state that belongs to a seed."""
    return np.array(seeded(int(seed)), np.uint64)
