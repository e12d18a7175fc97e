"""A batch of playouts one after another, and a single playout move by move.

A point is an index into the board of a Position. A place is an index into the framed board of the kernel, on
which a row has size + 2 places (see `packed`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from refbot.deviations.fault import Fault
from refbot.deviations.faults import Faults, mask
from refbot.deviations.options import LOGGED, NO_OPTIONS, TIMED, Options, features_of
from refbot.playouts.scalar.amaf import ONE_VISIT, VISITS_SHIFT
from refbot.playouts.scalar.kernel import (
    LONGEST,
    MADE,
    MOVES,
    PLAYOUTS,
    SUMS,
    Sinks,
    Start,
    first_state,
    kernel_with_faults,
    kernel_without_faults,
)
from refbot.playouts.stats import Amaf, PlayoutStats, Records
from refbot.playouts.tally import empty_tally, kinds_of
from refbot.rules.position import Position

PART = 1 << 14  # playouts per call of the kernel; chosen: an interrupt takes effect within a second
BYTE = 256  # values, of the fault cap-in-a-byte
CAP_OF_NINE = 3 * 9 * 9  # moves, of the fault cap-of-nine
NO_CAP = 100  # in multiples of N N moves, of the fault cap-none: far beyond a usual playout; chosen
WRONG_CAPS = {Faults.CAP_NONE: NO_CAP, Faults.CAP_TWO: 2}  # the cap of a fault, in multiples of N N moves


def move_limit(position: Position, faults: frozenset[Fault]) -> int:
    """The most moves that a playout from `position` may make: what the cap leaves, but at least one.

    Faults change the cap, or may allow no move. For `Options.cap_from_root`, the caller gives a position with
    moves_made 0.
    """
    points = position.size * position.size
    cap = next((times * points for fault, times in WRONG_CAPS.items() if fault in faults), position.move_cap)
    if Faults.CAP_OF_NINE in faults:
        cap = CAP_OF_NINE
    if Faults.CAP_IN_A_BYTE in faults:
        cap %= BYTE
    left = cap - position.moves_made
    if Faults.CAP_NOT_AT_ROOT in faults and left <= 0:
        return NO_CAP * points
    if Faults.CAP_OFF_BY_ONE in faults:
        left += 1
    return max(left, 0 if Faults.CAP_NO_FIRST_MOVE in faults else 1)


def room_for_moves(limit: int, faults: frozenset[Fault]) -> int:
    """The most moves that a playout with this limit makes, so that its log has room for them."""
    # With the fault each pass raises the limit by one. Before the end, at most one pass follows a move, or
    # two if a playout ends after three (THREE_PASSES_END).
    return 3 * limit + 2 if Faults.CAP_PLAYOUT_PASSES_UNCOUNTED in faults else limit


def komi_in_force(komi: float, faults: frozenset[Fault]) -> float:
    """The komi that a playout is scored with."""
    if Faults.KOMI_IGNORED in faults:
        return 0.0
    if Faults.KOMI_TRUNCATED in faults:
        komi = float(int(komi))
    return -komi if Faults.KOMI_TO_BLACK in faults else komi


def start_of(
    position: Position, komi: float, faults: frozenset[Fault] = frozenset(), options: Options = NO_OPTIONS
) -> Start:
    """Return the kernel's input for a position; the faults change its move limit and its komi."""
    return Start(
        np.ascontiguousarray(position.stones, np.int8),
        int(position.size),
        int(position.to_move),
        int(position.ko),
        int(position.passes),
        int(position.last),
        move_limit(position, faults),
        float(komi_in_force(komi, faults)),
        options.mercy or 0,
        float(options.early_score or 0.0),
        options.cutoff or 0,
    )


def run(
    position: Position,
    count: int,
    komi: float,
    stream: np.uint64,
    *,
    amaf: bool = False,
    faults: frozenset[Fault] = frozenset(),
    policy: str = "random",
    options: Options = NO_OPTIONS,
    records: bool = False,
    timed: bool = False,
) -> PlayoutStats:
    """Plays `count` playouts from `position` on this thread.

    `stream` is a seed (see `playouts.rng.stream`): equal ones give equal playouts.

    Returns all sums of the playouts and the seconds they took; the AMAF records if `amaf` is true; the length
    and the result of each playout if `records` is true; the costs of board functions and kinds of moves if
    `timed` is true, which slows the playouts down. The interpreter lock is free while the playouts run, and a
    keyboard interrupt takes effect after at most PART of them.
    """
    began = time.perf_counter()
    fault_mask = mask(faults)
    places = (position.size + 2) ** 2
    credited = np.zeros(places, np.int64)
    visits, wins = np.zeros(places, np.int64), np.zeros(places, np.int64)
    state = first_state(stream)
    total = np.zeros(SUMS, np.int64)
    start = start_of(position, komi, faults, options)
    features = features_of(policy, options) | (LOGGED if amaf else 0) | (TIMED if timed else 0)
    log = np.empty(room_for_moves(start.limit, faults) if amaf else 0, np.uint16)
    tally = empty_tally()
    each = Records.zeros(count if records else 0)
    longest = 0
    for begin in range(0, count, PART):
        part = min(PART, count - begin)
        sinks = Sinks(
            each.lengths[begin : begin + part], each.half_points[begin : begin + part], log, credited, tally
        )
        sums = _call_kernel(start, part, state, sinks, features, fault_mask)
        longest = max(longest, int(sums[LONGEST]))
        total += sums  # the entry of LONGEST is no sum: it is set at the end
        # A record has its visits above its results (see ONE_VISIT), which more parts would make too large.
        visits += credited >> VISITS_SHIFT
        wins += credited & (ONE_VISIT - 1)
        credited[:] = 0
    total[LONGEST] = longest
    return PlayoutStats.of_sums(
        int(total[PLAYOUTS]), total[MOVES:MADE],  # in the order that `of_sums` names
        time.perf_counter() - began, "scalar",
        kinds=kinds_of(tally),
        tally=tally if timed else None,
        amaf=Amaf(unframed(visits, position.size), unframed(wins, position.size) / 2) if amaf else None,
        records=each if records else None,
    )  # fmt: skip


def _call_kernel(
    start: Start, count: int, state: npt.NDArray[np.uint64], sinks: Sinks, features: int, fault_mask: int
) -> npt.NDArray[np.int64]:
    """Play `count` playouts with the kernel of these features; return the sums."""
    sums: npt.NDArray[np.int64]
    if fault_mask:
        sums = kernel_with_faults(features)(start, count, state, sinks, fault_mask)
    else:
        sums = kernel_without_faults(features)(start, count, state, sinks)
    return sums


@dataclass(frozen=True)
class Trace:
    """One playout, move by move."""

    moves: list[int | None]  # points, None for a pass; the colours take turns
    counted: int  # number of moves that ref-nodes would count; differs from len(moves) with a fault only
    black_result: float  # 1, ½ or 0


def trace(
    position: Position,
    komi: float,
    stream: np.uint64,
    faults: frozenset[Fault] = frozenset(),
    *,
    policy: str = "random",
    options: Options = NO_OPTIONS,
) -> Trace:
    """Plays one playout and returns its moves."""
    start, state = start_of(position, komi, faults, options), first_state(stream)
    size = position.size
    only = Records.zeros(1)
    log = np.empty(room_for_moves(start.limit, faults), np.uint16)
    sinks = Sinks(only.lengths, only.half_points, log, np.zeros((size + 2) ** 2, np.int64), empty_tally())
    features = features_of(policy, options) | LOGGED
    sums = _call_kernel(start, 1, state, sinks, features, mask(faults))
    moves = points_of_log(log[: int(sums[MADE])], size)
    return Trace(moves, int(only.lengths[0]), int(only.half_points[0]) / 2)


def points_of_log(log: npt.NDArray[np.uint16], size: int) -> list[int | None]:
    """Return the points of logged places: on 9x9, places 12, 0, 13 are the points 0, None (a pass), 1."""
    rows, columns = np.divmod(log.astype(np.int64), size + 2)
    points = (rows - 1) * size + columns - 1
    return [None if row == 0 else int(point) for row, point in zip(rows, points, strict=True)]


def unframed(places: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    """The entries of the points of the board, out of an array with an entry for each place."""
    return places.reshape(size + 2, size + 2)[1:-1, 1:-1].ravel()
