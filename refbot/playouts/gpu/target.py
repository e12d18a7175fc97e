# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The machine that runs the GPU kernels: its compiler, registers, bit counts, and the votes of a warp."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

ALL_LANES = 0xFFFFFFFF
THREADS_A_BLOCK = 256  # faster than two blocks of 128: 16.2 in place of 14.6 million playouts/s on 19x19
REGISTERS = 65_536  # of a multiprocessor of NVIDIA
MOST_REGISTERS = 255  # of a thread, since compute capability 3.5
REGISTERS_AT_ONCE = 8  # a thread gets a multiple of them


def blocks_a_processor(height: int) -> int:
    """Return the number of blocks that are to run at once on a multiprocessor, for a board of `height` words.

    Chosen: a larger board needs more registers for each thread, so fewer blocks fit (`most_registers`).
    """
    return 3 if height <= 4 else 2 if height <= 8 else 1


def most_registers(height: int) -> int:
    """Return the compiler's limit of registers of a thread: with it, `blocks_a_processor` blocks fit."""
    fitting = REGISTERS // (THREADS_A_BLOCK * blocks_a_processor(height))
    return min(MOST_REGISTERS, fitting // REGISTERS_AT_ONCE * REGISTERS_AT_ONCE)


class Target(NamedTuple):
    """The machine that runs the kernels, a GPU or a simulator. Fields from `popcount` on are for kernels."""

    device: Callable[..., Any]  # decorates a function that kernels call
    kernel: Callable[..., Any]  # decorates a kernel
    machine: Any  # its `local.array` makes an array; it is in registers if every index is a constant
    warp: int  # threads that run in step, its lanes
    popcount: Callable[..., Any]  # the number of ones in a word
    lane: Callable[..., Any]  # the number of a thread in its warp
    ballot: Callable[..., Any]  # a word whose bit k is the condition of lane k
    broadcast: Callable[..., Any]  # (word, lane): the word of that lane, in all lanes
    add: Callable[..., Any]  # (array, index, value): adds atomically; returns the entry before
    maximum: Callable[..., Any]  # (array, index, value): raises the entry to the value, atomically


def make_target(height: int, *, simulated: bool) -> Target:
    """Return a GPU of NVIDIA, for boards of `height` words; or the simulator of numba, for all boards.

    In the simulator a warp is one thread, and the kernels are Python functions. A function that they call
    then needs no decorator, unless it uses `cuda` itself, as `add` and `maximum` do.
    """
    jit: Any = cuda.jit  # mypy sees that of the simulator, which has fewer options
    device = jit(device=True) if simulated else jit(device=True, forceinline=True)

    @device
    def add(array, index, value):
        return cuda.atomic.add(array, index, value)

    @device
    def maximum(array, index, value):
        return cuda.atomic.max(array, index, value)

    if simulated:
        return Target(
            lambda function: function, jit, SimpleNamespace(local=SimpleNamespace(array=np.zeros)), 1,
            popcount=lambda word: int(word).bit_count(), lane=lambda: 0, ballot=np.uint32,
            broadcast=lambda value, _: value, add=add, maximum=maximum,
        )  # fmt: skip

    @device
    def popcount(word):
        return np.int32(cuda.popc(word))

    @device
    def lane():
        return np.int32(cuda.laneid)

    @device
    def ballot(condition):
        return np.uint32(cuda.ballot_sync(ALL_LANES, condition))

    @device
    def broadcast(value, from_lane):
        return np.uint32(cuda.shfl_sync(ALL_LANES, np.int32(value), from_lane))

    compiled = jit(max_registers=most_registers(height))
    return Target(device, compiled, cuda, 32, popcount, lane, ballot, broadcast, add, maximum)
