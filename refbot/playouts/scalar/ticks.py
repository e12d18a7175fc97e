# mypy: allow-untyped-defs, allow-untyped-calls
"""The tick counter of the processor, which times board functions too short for a clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from refbot.compile.jit import inlined
from refbot.deviations.options import TIMED
from refbot.playouts.tally import CONSIDERED, TICKS


@intrinsic
def _ticks(_typing_context: Any) -> Any:
    """The counter now; always 0 on a processor without one. Ticks are not cycles: see `measure.cycles`."""

    def generate(_context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", fnty=kind), [])

    return types.int64(), generate


ticks = cast("Callable[[], int]", _ticks)  # the context is numba's, not the caller's


@inlined
def now(features):
    """The tick counter in a kernel that is compiled with TIMED, else 0."""
    return ticks() if features & TIMED else 0


@inlined
def count_call(tally, row, began, features):
    """Counts a call of a board function, with its ticks since `began`, in its row of the tally.

    Returns the current tick, at which the next call begins; 0 in a kernel that is compiled without TIMED.
    """
    if features & TIMED:
        ended = ticks()
        tally[row, CONSIDERED] += 1
        tally[row, TICKS] += ended - began
        return ticks()
    return 0
