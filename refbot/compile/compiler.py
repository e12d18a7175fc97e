"""The compiler, numba, imported without the package `coverage`.

numba imports `coverage` where it is installed, for reports on compiled lines, which nobody asks for here.
That import takes a tenth of the processor time of an engine's start.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _hidden(module: str) -> Iterator[None]:
    """Let the import of a module fail, unless it is loaded already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # as the import system has it
    try:
        yield
    finally:
        del sys.modules[module]


with _hidden("coverage"):
    import numba

__all__ = ["numba"]
