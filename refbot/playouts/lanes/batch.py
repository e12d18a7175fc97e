"""A batch of playouts in lanes, uniform or with a policy.

A batch of n playouts starts exactly n games and finishes all of them. Stopping at the n-th finished game
would favour short games.
"""

from __future__ import annotations

import time
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from refbot.deviations.options import NO_OPTIONS, Options, features_of
from refbot.playouts.lanes.amaf import amaf_planes
from refbot.playouts.lanes.kernel import LENGTHS, TOTALS, play_games
from refbot.playouts.lanes.layout import RANDOM_VECTORS, Board, Field, LaneLayout, lane_layout
from refbot.playouts.lanes.policy_layout import (
    Count,
    PolicyBoard,
    PolicyField,
    PolicyLayout,
    atari_of,
    note_moves,
    policy_layout,
)
from refbot.playouts.lanes.rng import generator_state
from refbot.playouts.lanes.score import EndRules
from refbot.playouts.lanes.width import workspace_array
from refbot.playouts.stats import Amaf, PlayoutStats, Records
from refbot.playouts.tally import empty_tally, kinds_of
from refbot.rules.position import BLACK, NO_POINT, WHITE, Position


def run(
    position: Position,
    count: int,
    komi: float,
    seed: int,
    *,
    amaf: bool = False,
    policy: str = "random",
    options: Options = NO_OPTIONS,
    records: bool = False,
) -> PlayoutStats:
    """Plays `count` playouts from `position` on this thread. Equal seeds give equal results.

    Returns all sums of the playouts and the seconds they took; the AMAF records if `amaf` is true; the length
    and the result of each playout if `records` is true. The interpreter lock is free while the playouts run.
    `options` must not have a cutoff; `cap_from_root` has no effect here, `playouts` applies it.
    """
    size, features = position.size, features_of(policy, NO_OPTIONS)
    mercy = options.mercy is not None
    layout = (
        policy_layout(size, features, amaf=amaf, mercy=mercy)
        if features
        else lane_layout(size, amaf=amaf, mercy=mercy)
    )
    counts = np.zeros(len(Count) if features else 0, np.int64)
    totals, tally = np.zeros(TOTALS, np.int64), empty_tally()
    visits, half_wins = np.zeros((2, size * size if amaf else 0), np.int64)
    each = Records.zeros(count if records else 0)
    workspace = prepare_workspace(layout, position, seed, options.mercy)
    started = time.perf_counter()
    play_games(
        layout, workspace, size, layout.shape.height, count, position.to_move == BLACK,
        EndRules.of(komi, options), totals, tally, amaf_planes(size), visits, half_wins,
        each.lengths, each.half_points, layout.field(PolicyField.COUNT) if features else 0, counts,
    )  # fmt: skip
    seconds = time.perf_counter() - started
    if features:
        note_moves(tally, counts, int(totals[LENGTHS]))
    return PlayoutStats.of_sums(
        count, totals, seconds, "lanes",
        amaf=Amaf(visits, half_wins / 2) if amaf else None,
        kinds=kinds_of(tally),
        records=each if records else None,
    )  # fmt: skip


def prepare_workspace(
    layout: LaneLayout, position: Position, seed: int, mercy: int | None = None
) -> npt.NDArray[Any]:
    """Return a workspace (see `layout`) whose games start from `position`.

    The boards ROOT_… have the position. The games themselves do not exist yet: every lane has a full board,
    where nothing can be drawn, until the kernel starts a game in it. `mercy` is that of `Options`.
    """
    size, shape = layout.shape.size, layout.shape
    workspace = workspace_array(layout.lanes, layout.vectors)
    columns = 1 << np.arange(size)

    def fill(board: IntEnum, points: npt.NDArray[np.bool_]) -> None:
        rows = (points.reshape(size, size) * columns).sum(axis=1)
        for row in range(shape.height):
            workspace[layout.row(board, row)] = shape.pattern(row, lambda row: int(rows[row]))

    mine, theirs = position.stones == position.to_move, position.stones == BLACK + WHITE - position.to_move
    fill(Board.ROOT_MINE, mine)
    fill(Board.ROOT_THEIRS, theirs)
    fill(Board.ROOT_BANNED, (np.arange(size * size) == position.ko) & (position.ko != NO_POINT))
    if isinstance(layout, PolicyLayout):
        atari, attacked = atari_of(position)
        fill(PolicyBoard.ROOT_ATARI, atari)
        fill(PolicyBoard.ROOT_ATTACKED, attacked)
    fill(Board.MINE, np.ones(size * size, np.bool_))
    workspace[layout.field(Field.LIMIT)] = max(1, position.move_cap - position.moves_made)
    workspace[layout.field(Field.ROOT_LEAD)] = int(mine.sum() - theirs.sum()) % (1 << layout.lanes.bits)
    workspace[layout.field(Field.MERCY)] = min(size * size, mercy or 0)
    first = layout.field(Field.RANDOM)
    workspace[first : first + RANDOM_VECTORS] = generator_state(seed).view(workspace.dtype)
    return workspace
