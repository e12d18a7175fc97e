"""The GPU kernels compiled for the CPU, with a warp of one thread. Exact tests need many games.

The code that runs is the source of `refbot.playouts.gpu`, as on a GPU.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np

from refbot.playouts.gpu.batch import least_leads, starts_of
from refbot.playouts.gpu.kernel import GAMES_A_CHUNK, Sum, kernel
from refbot.playouts.gpu.layout import WORD_BITS, Layout
from refbot.playouts.gpu.philox import round_keys
from refbot.playouts.gpu.target import Target
from refbot.playouts.stats import Amaf, PlayoutStats, Records
from refbot.rules.position import Position
from tests.refbot import machine


@numba.njit
def _popcount(word):
    count = np.int32(0)
    while word:
        word &= word - np.uint32(1)
        count += np.int32(1)
    return count


@numba.njit
def _zero():
    return np.int32(0)


@numba.njit
def _ballot(condition):
    return np.uint32(1) if condition else np.uint32(0)


@numba.njit
def _broadcast(value, from_lane):
    return np.uint32(value)


@numba.njit
def _add(array, index, value):
    before = array[index]
    array[index] += value
    return before


@numba.njit
def _maximum(array, index, value):
    array[index] = max(array[index], value)


CPU = Target(numba.njit, numba.njit, machine, 1, _popcount, _zero, _ballot, _broadcast, _add, _maximum)


@cache
def _kernel(size: int) -> Any:
    """The kernel with AMAF, also for runs without it: one compilation serves all."""
    return kernel(Layout.of(size), CPU, amaf=True, records=True)


def run(position: Position, count: int, komi: float, seed: int, *, amaf: bool = False) -> PlayoutStats:
    """`refbot.playouts.gpu.run` with records."""
    layout = Layout.of(position.size)
    sums = np.zeros((1, len(Sum)), np.int64)
    counters = np.zeros((1, 2, layout.shape.height * WORD_BITS), np.int64)
    lengths, results = np.zeros(count, np.int32), np.zeros(count, np.int8)
    chunk_games = min(count, GAMES_A_CHUNK)
    _kernel(position.size)(
        round_keys(seed),
        *starts_of(layout, [position]),
        *least_leads(komi),
        np.int64(0),
        np.int32(count),
        np.int32(chunk_games),
        np.int32(-(-count // chunk_games)),
        np.int64(count),
        np.zeros(1, np.int32),
        sums,
        counters,
        lengths,
        results,
    )
    places = layout.places()
    tables = Amaf(counters[0, 0, places], counters[0, 1, places] / 2) if amaf else None
    return PlayoutStats.of_sums(count, sums[0], 0.0, "gpu", amaf=tables, records=Records(lengths, results))
