"""The decorators that compile kernels and their parts. Only kernels, the entry points, are kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refbot.compile.compiler import numba
from refbot.compile.numba_cache import keep_on_disk

Function = Callable[..., Any]


def _compiler(**options: bool) -> Callable[[Function], Function]:
    """`numba.njit` with these options. It is Any here because its types lack the options for wrappers."""
    njit: Any = numba.njit
    return njit(no_cfunc_wrapper=True, **options)  # type: ignore[no-any-return]


def kernel(function: Function) -> Function:
    """Compile a function that Python calls: kept on disk, and run without the interpreter lock."""
    compiled = _compiler(nogil=True)(function)
    keep_on_disk(compiled, function)
    return compiled


def kernel_for(constant: int) -> Callable[[Function], Function]:
    """The decorator `kernel` for a function that closes over a constant, which becomes part of its name.

    numba distinguishes functions of one name by a number that starts at 0 in every process. Two of them on
    disk, compiled in two processes, may have the same number. A process that loads both then fails at the
    second ("'descr' is NULL", numba 0.68.1).
    """

    def named(function: Function) -> Function:
        function.__name__ = f"{function.__name__}_{constant}"
        function.__qualname__ = f"{function.__qualname__}_{constant}"
        return kernel(function)

    return named


# Parts have no wrappers for callers in Python and C: compiling these takes a third of a cold start.

part = _compiler(no_cpython_wrapper=True)
"""Decorates a function that only kernels call."""

leaf = _compiler(no_cpython_wrapper=True, _nrt=False)
"""Decorates a part that allocates no array: counting references would cost it 80 cycles a call."""

inlined = _compiler(no_cpython_wrapper=True, forceinline=True)
"""Decorates a part that is always inlined into its callers, so that constant arguments cost nothing."""
