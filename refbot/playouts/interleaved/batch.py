"""A batch of playouts, several of them at once, and a single playout move by move.

A batch of n playouts starts exactly n games and lets all of them finish: to stop at the n-th finish would
favour short games.
"""

from __future__ import annotations

import time

import numpy as np

from refbot.options import LOGGED, NO_OPTIONS, Options, features_of
from refbot.playouts.interleaved.board import POLICIES
from refbot.playouts.interleaved.kernel import (
    LEADS,
    LONGEST,
    MOVES_RESULTS,
    MOVES_SQUARED,
    MOVES_SUM,
    RESULTS,
    RESULTS_SQUARED,
    TOTALS,
    Sinks,
    Start,
    compiled,
)
from refbot.playouts.interleaved.layout import GAMES, empty_board
from refbot.playouts.scalar.amaf import ONE_VISIT, VISITS_SHIFT
from refbot.playouts.scalar.batch import Trace, move_limit, points_of_log, unframed
from refbot.playouts.scalar.kernel import first_state
from refbot.playouts.stats import Amaf, PlayoutStats, Records
from refbot.playouts.tally import Tally, empty_tally, kinds_of
from refbot.rules.position import Position

PART = 1 << 14  # playouts a call of the kernel


def start_of(position: Position, komi: float, options: Options) -> Start:
    """What the kernel is given of a position."""
    return Start(
        np.ascontiguousarray(position.stones, np.int8),
        int(position.size),
        int(position.to_move),
        int(position.ko),
        int(position.last),
        move_limit(position, frozenset()),
        float(komi),
        options.mercy or 0,
        float(options.early_score or 0.0),
    )


def sinks_for(each: Records, start: Start, features: int, totals: np.ndarray, tally: Tally) -> Sinks:
    """Where a call of the kernel writes to."""
    return Sinks(
        totals,
        each.lengths,
        each.half_points,
        np.empty(start.limit * GAMES if features & LOGGED else 0, np.uint16),
        np.zeros((start.size + 2) ** 2, np.int64),
        np.zeros((start.size + 2) ** 2, np.uint16),
        tally,
    )


def run(
    position: Position,
    count: int,
    komi: float,
    stream: np.uint64,
    *,
    amaf: bool = False,
    policy: str = "random",
    options: Options = NO_OPTIONS,
    records: bool = False,
) -> PlayoutStats:
    """Plays `count` playouts from `position` on this thread; `stream` fixes every one of them.

    Returns all sums of the playouts and the seconds they took; the AMAF records if `amaf` is true; the length
    and the result of each playout if `records` is true. The interpreter lock is free while the playouts run,
    and a keyboard interrupt takes effect after at most PART of them. `options` may not cut playouts off.
    """
    began = time.perf_counter()
    features = features_of(policy, options) | (LOGGED if amaf else 0)
    state = first_state(stream)
    start = start_of(position, komi, options)
    board = empty_board(with_sums=bool(features & POLICIES))
    totals, tally = np.zeros(TOTALS, np.int64), empty_tally()
    each = Records.zeros(count if records else 0)
    visits, wins = np.zeros((2, (position.size + 2) ** 2), np.int64)
    for begin in range(0, count, PART):
        part = min(PART, count - begin)
        of_part = Records(each.lengths[begin : begin + part], each.half_points[begin : begin + part])
        sinks = sinks_for(of_part, start, features, totals, tally)
        compiled(features)(board, start, part, state, sinks)
        visits += sinks.records >> VISITS_SHIFT
        wins += sinks.records & (ONE_VISIT - 1)
    return PlayoutStats(
        playouts=count,
        moves=int(totals[MOVES_SUM]),
        moves_squared=int(totals[MOVES_SQUARED]),
        longest=int(totals[LONGEST]),
        black_wins=int(totals[RESULTS]) / 2,
        black_wins_squared=int(totals[RESULTS_SQUARED]) / 4,
        moves_times_result=int(totals[MOVES_RESULTS]) / 2,
        seconds=time.perf_counter() - began,
        kernel="interleaved",
        leads=int(totals[LEADS]),
        kinds=kinds_of(tally),
        amaf=Amaf(unframed(visits, position.size), unframed(wins, position.size) / 2) if amaf else None,
        records=each if records else None,
    )


def trace(
    position: Position,
    komi: float,
    stream: np.uint64,
    *,
    policy: str = "random",
    options: Options = NO_OPTIONS,
) -> Trace:
    """Plays one playout and returns its moves."""
    features = features_of(policy, options) | LOGGED
    start, only = start_of(position, komi, options), Records.zeros(1)
    sinks = sinks_for(only, start, features, np.zeros(TOTALS, np.int64), empty_tally())
    board = empty_board(with_sums=bool(features & POLICIES))
    compiled(features)(board, start, 1, first_state(stream), sinks)
    length = int(only.lengths[0])
    moves = points_of_log(sinks.log[:length], position.size)
    return Trace(moves, length, int(only.half_points[0]) / 2)
