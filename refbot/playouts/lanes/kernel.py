"""The compiled part of the lane kernel: all lanes move together, games end and restart one by one."""

from __future__ import annotations

import numpy as np

from refbot.jit import kernel, part
from refbot.playouts.lanes.amaf import GAMES_UNTIL_FULL, add_amaf, flush_amaf
from refbot.playouts.lanes.layout import Board, Field, Games
from refbot.playouts.lanes.score import area_margin, popcount
from refbot.playouts.lanes.simd import LANE_SET_BITS, workspace_intrinsic
from refbot.playouts.lanes.step import finish, follow_placed, place, restart, settle_captures, settle_placed

_MOVES, _ROOT_TURN, _LIVE = int(Field.MOVES), int(Field.ROOT_TURN), int(Field.LIVE)
_RESET = int(Field.RESET)

_BOARDS = len(Board)
_ALL_ONES = -1
_CAPTURES = (1 << LANE_SET_BITS) - 1  # the first of two sets of lanes

TOTALS = 6  # moves, moves squared, longest, half-wins of Black, their squares, moves x half-wins

_place = workspace_intrinsic(place, Games)
_follow_placed = workspace_intrinsic(follow_placed, Games)
_settle_captures = workspace_intrinsic(settle_captures, Games)
_settle_placed = workspace_intrinsic(settle_placed, Games)
_finish = workspace_intrinsic(finish, Games)
_restart = workspace_intrinsic(restart, Games)


@part
def _half_points(workspace, size, lane, black_first, komi):  # type: ignore[no-untyped-def]
    """The result of a finished game: 2 if Black has won, 1 for a draw, 0 if White has won."""
    margin = area_margin(workspace, size, lane)
    black_to_move = (workspace[_BOARDS * size + _ROOT_TURN, lane] != 0) == black_first
    black_margin = margin if black_to_move else -margin
    return 2 if black_margin > komi else 1 if black_margin == komi else 0


@kernel
def play_games(  # type: ignore[no-untyped-def]
    layout, workspace, size, games, black_first, komi, totals, planes, visits, half_wins, lengths, results
):
    """Plays `games` games to their end. Writes into `totals`, `visits`, `half_wins`, `lengths`, `results`.

    `workspace` holds the position that every game starts from. `totals` has TOTALS entries. `planes` are
    counters at zero from `amaf_planes`. `visits` and
    `half_wins` have one entry a point, or none if AMAF is not wanted. `lengths` and `results` have one entry
    a game, in the order in which the games are started, or none. A result is Black's half-points;
    `half_wins` are those of the side that moves first.
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
    uncounted = 0
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
