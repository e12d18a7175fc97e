"""Uniform playouts, many games side by side in the lanes of vectors.

A batch of n playouts starts exactly n games and lets all of them finish: to stop at the n-th finish would
favour short games. Equal seeds give equal results.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from refbot.cache import inlined, kernel
from refbot.playouts.lane_amaf import GAMES_UNTIL_FULL, add_amaf, amaf_planes, flush_amaf
from refbot.playouts.lane_layout import (
    MAX_SIZE,
    MIN_SIZE,
    RANDOM_VECTORS,
    Board,
    Field,
    Games,
    LaneLayout,
    lane_layout,
)
from refbot.playouts.lane_random import generator_state
from refbot.playouts.lane_score import area_margin, popcount
from refbot.playouts.lane_step import finish, follow_placed, place, restart, settle_captures, settle_placed
from refbot.playouts.simd import LANE_SET_BITS, workspace_array, workspace_intrinsic
from refbot.playouts.stats import Amaf, PlayoutStats
from refbot.rules.position import BLACK, NO_POINT, WHITE, Position

_MOVES, _ROOT_TURN, _LIVE = int(Field.MOVES), int(Field.ROOT_TURN), int(Field.LIVE)
_RESET = int(Field.RESET)

_BOARDS = len(Board)
_ALL_ONES = -1
_CAPTURES = (1 << LANE_SET_BITS) - 1  # of two sets of lanes, the first

TOTALS = 6  # moves, moves squared, longest, half-wins of Black, their squares, moves x half-wins

_place = workspace_intrinsic(place, Games)
_follow_placed = workspace_intrinsic(follow_placed, Games)
_settle_captures = workspace_intrinsic(settle_captures, Games)
_settle_placed = workspace_intrinsic(settle_placed, Games)
_finish = workspace_intrinsic(finish, Games)
_restart = workspace_intrinsic(restart, Games)


@inlined
def _half_points(workspace, size, lane, black_first, komi):  # type: ignore[no-untyped-def]
    """The result of a finished game: 2 if Black has won, 1 for a draw, 0 if White has won."""
    margin = area_margin(workspace, size, lane)
    black_to_move = (workspace[_BOARDS * size + _ROOT_TURN, lane] != 0) == black_first
    black_margin = margin if black_to_move else -margin
    return 2 if black_margin > komi else 1 if black_margin == komi else 0


@kernel
def play_games(  # type: ignore[no-untyped-def]
    layout, workspace, size, games, black_first, komi, totals, visits, half_wins, lengths, results
):
    """Plays `games` games in a workspace made by `prepared`; adds up totals, AMAF and records in place.

    `visits` is empty when AMAF is not wanted, `lengths` and `results` when records are not.
    """
    fields = _BOARDS * size
    lanes = workspace.shape[1]
    game = np.zeros(lanes, np.int64)
    started = min(lanes, games)
    for lane in range(started):
        game[lane] = lane
        workspace[fields + _RESET, lane] = _ALL_ONES
        workspace[fields + _LIVE, lane] = _ALL_ONES
    _restart(layout, workspace)
    running = started
    planes, uncounted = amaf_planes(size), 0
    while running > 0:
        unsettled = _place(layout, workspace)
        while unsettled & _CAPTURES:
            unsettled = (unsettled & ~_CAPTURES) | _settle_captures(layout, workspace)
        if unsettled != 0:
            _follow_placed(layout, workspace)
            while _settle_placed(layout, workspace) != 0:
                pass
        ended = _finish(layout, workspace)
        if ended == 0:
            continue
        while ended != 0:
            lane = popcount((ended & -ended) - 1)  # type: ignore[call-arg]
            ended &= ended - 1
            length = np.int64(workspace[fields + _MOVES, lane])
            result = _half_points(workspace, size, lane, black_first, komi)
            totals[0] += length
            totals[1] += length * length
            totals[2] = max(totals[2], length)
            totals[3] += result
            totals[4] += result * result
            totals[5] += length * result
            if lengths.size > 0:
                lengths[game[lane]] = length
                results[game[lane]] = result
            if visits.size > 0:
                add_amaf(workspace, size, lane, result if black_first else 2 - result, planes)
                uncounted += 1
                if uncounted == GAMES_UNTIL_FULL:
                    flush_amaf(size, planes, visits, half_wins)
                    uncounted = 0
            if started < games:
                game[lane] = started
                started += 1
                workspace[fields + _RESET, lane] = _ALL_ONES
            else:
                workspace[fields + _LIVE, lane] = 0
                running -= 1
        _restart(layout, workspace)
    if uncounted > 0:
        flush_amaf(size, planes, visits, half_wins)


def lanes_fit(size: int) -> bool:
    """Whether boards of this size can be played in lanes, and faster than one game after another."""
    return MIN_SIZE <= size <= MAX_SIZE


def prepared(layout: LaneLayout, position: Position, seed: int) -> npt.NDArray[Any]:
    """A workspace whose games start from `position`; lanes that no game uses stay on a full board."""
    size = layout.size
    workspace = workspace_array(layout.lanes, layout.vectors)
    columns = 1 << np.arange(size)

    def fill(board: Board, points: npt.NDArray[np.bool_]) -> None:
        rows = (points.reshape(size, size) * columns).sum(axis=1)
        workspace[layout.row(board, 0) : layout.row(board, size)] = rows[:, None].astype(workspace.dtype)

    fill(Board.ROOT_MINE, position.stones == position.to_move)
    fill(Board.ROOT_THEIRS, position.stones == BLACK + WHITE - position.to_move)
    fill(Board.ROOT_BANNED, (np.arange(size * size) == position.ko) & (position.ko != NO_POINT))
    fill(Board.MINE, np.ones(size * size, np.bool_))
    workspace[layout.field(Field.LIMIT)] = max(1, position.move_cap - position.moves_made)
    first = layout.field(Field.RANDOM)
    workspace[first : first + RANDOM_VECTORS] = generator_state(seed).view(workspace.dtype)
    return workspace


@dataclass(frozen=True, eq=False)
class Records:
    """Every playout by itself, in the order in which they were started."""

    lengths: npt.NDArray[np.int64]  # moves, both closing passes included
    half_points: npt.NDArray[np.int8]  # Black's: 2 for a win, 1 for a draw, 0 for a loss


def lane_playouts(position: Position, n: int, *, komi: float, seed: int, amaf: bool = False) -> PlayoutStats:
    """Sums over `n` uniform playouts from `position`."""
    return _play(position, n, komi, seed, amaf, Records(_NO_LENGTHS, _NO_RESULTS))


def lane_records(position: Position, n: int, *, komi: float, seed: int) -> Records:
    """The length and the result of each of `n` uniform playouts from `position`."""
    records = Records(np.zeros(n, np.int64), np.zeros(n, np.int8))
    _play(position, n, komi, seed, False, records)
    return records


_NO_LENGTHS = np.zeros(0, np.int64)
_NO_RESULTS = np.zeros(0, np.int8)


def _play(position: Position, n: int, komi: float, seed: int, amaf: bool, records: Records) -> PlayoutStats:
    size = position.size
    layout = lane_layout(size, amaf=amaf)
    totals = np.zeros(TOTALS, np.int64)
    visits, half_wins = np.zeros((2, size * size if amaf else 0), np.int64)
    workspace = prepared(layout, position, seed)
    started = time.perf_counter()
    play_games(
        layout,
        workspace,
        size,
        n,
        position.to_move == BLACK,
        float(komi),
        totals,
        visits,
        half_wins,
        records.lengths,
        records.half_points,
    )
    seconds = time.perf_counter() - started
    moves, moves_squared, longest, half, half_squared, moves_half = (int(total) for total in totals)
    return PlayoutStats(
        playouts=n,
        moves=moves,
        moves_squared=moves_squared,
        longest=longest,
        black_wins=half / 2,
        black_wins_squared=half_squared / 4,
        moves_times_result=moves_half / 2,
        seconds=seconds,
        kernel="lanes",
        amaf=Amaf(visits, half_wins / 2) if amaf else None,
    )
