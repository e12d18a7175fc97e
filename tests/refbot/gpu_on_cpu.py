"""The GPU kernels on the CPU, with a warp of one thread: compiled for many games, or as Python for a few.

The code that runs is the source of `refbot.playouts.gpu`, as on a GPU. Its compilation takes seven seconds,
as do seven thousand games of Python on 2x2.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
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


COMPILED = Target(numba.njit, numba.njit, machine, 1, _popcount, _zero, _ballot, _broadcast, _add, _maximum)
_MEMORY = SimpleNamespace(local=SimpleNamespace(array=np.zeros))
PYTHON = Target(
    lambda function: function, lambda function: function, _MEMORY, 1,
    *(function.py_func for function in (_popcount, _zero, _ballot, _broadcast, _add, _maximum)),
)  # fmt: skip


@cache
def _kernel(size: int, *, compiled: bool) -> Any:
    """The kernel with AMAF, also for runs without it: one compilation serves all."""
    return kernel(Layout.of(size), COMPILED if compiled else PYTHON, amaf=True, records=True)


def run(
    position: Position, count: int, komi: float, seed: int, *, amaf: bool = False, compiled: bool = True
) -> PlayoutStats:
    """`refbot.playouts.gpu.run` with records. Compiled and as Python, a seed gives the same games."""
    layout = Layout.of(position.size)
    sums = np.zeros((1, len(Sum)), np.int64)
    counters = np.zeros((1, 2, layout.shape.height * WORD_BITS), np.int64)
    lengths, results = np.zeros(count, np.int32), np.zeros(count, np.int8)
    chunk_games = min(count, GAMES_A_CHUNK)
    with np.errstate(over="ignore"):  # words wrap around
        _kernel(position.size, compiled=compiled)(
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
