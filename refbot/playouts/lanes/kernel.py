"""The compiled part of the lane kernel: all lanes move together, games end and restart one by one.

A lane plays one game. A step is `place`, which draws a point and works out the consequences, then `finish`,
which makes the move. A lane whose game has ended starts the next one, until all games are started.
`batch.run` prepares the arrays and calls `play_games`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from refbot.compile.jit import inlined, kernel
from refbot.playouts.lanes import policy, step
from refbot.playouts.lanes.amaf import GAMES_UNTIL_FULL, add_amaf, flush_amaf
from refbot.playouts.lanes.layout import Board, Field, Games
from refbot.playouts.lanes.policy_layout import PolicyLayout
from refbot.playouts.lanes.score import (
    count_areas,
    count_stones,
    decide,
    decided_by_stones,
    flooded_margin,
    popcount,
    read_rows,
)
from refbot.playouts.lanes.simd import lanes_intrinsic, workspace_intrinsic

_MOVES, _ROOT_TURN, _LIVE = int(Field.MOVES), int(Field.ROOT_TURN), int(Field.LIVE)
_RESET, _OPEN = int(Field.RESET), int(Field.OPEN)
_MY_AREA, _THEIR_AREA = int(Field.MY_AREA), int(Field.THEIR_AREA)
_MY_STONES, _THEIR_STONES = int(Field.MY_STONES), int(Field.THEIR_STONES)

_MINE, _THEIRS, _FIRST = int(Board.MINE), int(Board.THEIRS), int(Board.FIRST)
_BOARDS = len(Board)
_ALL_ONES = -1

LENGTHS, LENGTHS_SQUARED, LONGEST, RESULTS, RESULTS_SQUARED, LENGTHS_RESULTS, LEADS, TOTALS = range(8)
"""Indices of the totals of all games, and their number (TOTALS). A length is in moves, a result in Black's
half-points: 2, 1 or 0."""


def _by_layout(uniform: Callable[[Games], Any], by_policy: Callable[[Games], Any]) -> Callable[[Games], Any]:
    """Return a function that emits a part of a step: by `by_policy` for a PolicyLayout, else by `uniform`."""

    @functools.wraps(uniform)
    def emit(games: Games) -> Any:
        return (by_policy if isinstance(games.layout, PolicyLayout) else uniform)(games)

    return emit


_place = workspace_intrinsic(_by_layout(step.place, policy.place), Games)
_finish = workspace_intrinsic(_by_layout(step.finish, policy.finish), Games)
_restart = lanes_intrinsic(_by_layout(step.restart, policy.restart), Games)
_count_stones = lanes_intrinsic(count_stones, Games)
_count_areas = lanes_intrinsic(count_areas, Games)


@inlined
def _margin_of(workspace, lane, size, height, mine, theirs):  # type: ignore[no-untyped-def]
    """Return the lead in area of the side to move in a lane. Call it after `_count_areas`.

    `mine` and `theirs` are working space: one entry for each row of the board.
    """
    fields = _BOARDS * height
    margin = np.int64(workspace[fields + _MY_AREA, lane])
    margin -= np.int64(workspace[fields + _THEIR_AREA, lane])
    if workspace[fields + _OPEN, lane] != 0:
        read_rows(workspace, _MINE, size, height, lane, mine)
        read_rows(workspace, _THEIRS, size, height, lane, theirs)
        margin = flooded_margin(mine, theirs)
    return margin


@inlined
def _lead_in_stones(workspace, lane, height):  # type: ignore[no-untyped-def]
    """Return the lead in stones of the side to move in a lane. Call it after `_count_stones`."""
    fields = _BOARDS * height
    return np.int64(workspace[fields + _MY_STONES, lane]) - np.int64(workspace[fields + _THEIR_STONES, lane])


@inlined
def _add_to_totals(totals, length, result, lead):  # type: ignore[no-untyped-def]
    """Adds a game to the totals: its length, Black's result in half-points, and Black's lead."""
    totals[LENGTHS] += length
    totals[LENGTHS_SQUARED] += length * length
    totals[LONGEST] = max(totals[LONGEST], length)
    totals[RESULTS] += result
    totals[RESULTS_SQUARED] += result * result
    totals[LENGTHS_RESULTS] += length * result
    totals[LEADS] += lead


@inlined
def _move_counts(counts, workspace, lane, first_count):  # type: ignore[no-untyped-def]
    """Adds the counts of a lane's game to `counts`, and sets those of the lane to 0 for its next game."""
    for k in range(counts.size):
        counts[k] += np.int64(workspace[first_count + k, lane])
        workspace[first_count + k, lane] = 0


@kernel
def play_games(  # type: ignore[no-untyped-def]
    layout, workspace, size, height, games, black_first, rules, totals, tally, planes, visits, half_wins,
    lengths, results, first_count, counts,
):  # fmt: skip
    """Plays `games` games to their end. Writes into `workspace`, and into all arrays from `totals` on.

    workspace           holds the position that every game starts from, in boards of `height` vectors
    black_first         Black moves first in every game
    rules               the EndRules
    totals              sums over the games, TOTALS of them
    tally               counts the ends of games (see `playouts.tally`)
    planes              counters of AMAF at zero, from `amaf_planes`
    visits, half_wins   one entry for each point, or none without AMAF; half-wins of the side that moves first
    lengths, results    one entry for each game, in the order in which games are started, or none; a result is
                        Black's half-points
    counts              the sums of the counts that games have in their vectors from `first_count` on (see
                        `Count`); no entry without a policy
    """
    fields = _BOARDS * height
    lanes = workspace.shape[1]
    game = np.zeros(lanes, np.int64)
    mine, theirs, first = np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    started = min(lanes, games)
    for lane in range(started):
        game[lane] = lane
        workspace[fields + _RESET, lane] = _ALL_ONES
        workspace[fields + _LIVE, lane] = _ALL_ONES
    _restart(layout, workspace, _ALL_ONES)
    running = started
    games_in_planes = 0
    while running > 0:
        _place(layout, workspace)
        ended = all_ended = _finish(layout, workspace)
        if ended == 0:
            continue
        # Decide the games that have ended, one after the other. As soon as one needs its area, the areas of
        # all of them are counted at once.
        areas_counted = False
        if rules.short_cuts:
            _count_stones(layout, workspace, all_ended)
        while ended != 0:
            # Bit k of `ended` stands for lane k: take the lowest one.
            lane = popcount((ended & -ended) - 1)  # type: ignore[call-arg]
            ended &= ended - 1
            length = np.int64(workspace[fields + _MOVES, lane])
            black_to_move = (workspace[fields + _ROOT_TURN, lane] != 0) == black_first
            margin = np.int64(0)
            stones = _lead_in_stones(workspace, lane, height) if rules.short_cuts else np.int64(0)
            if not decided_by_stones(stones, black_to_move, rules):
                if not areas_counted:
                    _count_areas(layout, workspace, all_ended)
                    areas_counted = True
                margin = _margin_of(workspace, lane, size, height, mine, theirs)
            lead, result = decide(margin, stones, black_to_move, rules, tally)
            _add_to_totals(totals, length, result, lead)
            if lengths.size > 0:
                lengths[game[lane]] = length
                results[game[lane]] = result
            _move_counts(counts, workspace, lane, first_count)
            if visits.size > 0:
                own = result if black_first else 2 - result
                read_rows(workspace, _FIRST, size, height, lane, first)
                add_amaf(first, size, own, planes, games_in_planes)
                games_in_planes += 1
                if games_in_planes == GAMES_UNTIL_FULL:
                    flush_amaf(size, planes, games_in_planes, visits, half_wins)
                    games_in_planes = 0
            # `_restart` begins the next game in the lane, because `_finish` has set RESET. Without a next
            # game the lane plays on, and its moves do not count.
            if started < games:
                game[lane] = started
                started += 1
            else:
                workspace[fields + _LIVE, lane] = 0
                workspace[fields + _RESET, lane] = 0
                running -= 1
        _restart(layout, workspace, all_ended)
    if games_in_planes > 0:
        flush_amaf(size, planes, games_in_planes, visits, half_wins)
