"""Compiled code on disk: where it is kept, and the two decorators that every kernel uses.

numba does not notice that a function called from another file has changed, so the folder's name
carries a hash of all their sources: a changed source means a new folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba import config

from refbot.faults import kernel_bits

Function = Callable[..., Any]

_SETTING = "CACHE_DIR"  # numba makes its settings at run time, so that they are named by text
PACKAGE = Path(__file__).resolve().parent


@functools.cache
def sources_hash() -> str:
    """A short hash of everything a kernel's meaning depends on."""
    digest = hashlib.sha256(numba.__version__.encode())
    digest.update(repr(kernel_bits()).encode())  # and not the words of faults.py, which mean nothing here
    sources = [PACKAGE / "cache.py", PACKAGE / "options.py"]
    for part_of_kernels in ("rules", "playouts"):
        sources += (PACKAGE / part_of_kernels).rglob("*.py")
    for source in sorted(sources):
        digest.update(source.relative_to(PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def folder() -> Path:
    """The cache folder for these sources, made if need be; a temporary one where nothing is writable."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    wanted = root / "conform" / f"kernels-{sources_hash()}"
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=wanted):
            return wanted
    except OSError:
        return Path(tempfile.mkdtemp(prefix="conform-kernels-"))


@contextmanager
def _cache_folder() -> Iterator[None]:
    """Lets numba choose our folder for the functions decorated inside, and for no others."""
    before = getattr(config, _SETTING)
    setattr(config, _SETTING, str(folder()))
    try:
        yield
    finally:
        setattr(config, _SETTING, before)


def kernel(function: Function) -> Function:
    """An entry point from Python: compiled, kept on disk, run without the interpreter lock."""
    with _cache_folder():
        compiled: Function = numba.njit(cache=True, nogil=True)(function)
    return compiled


def kernel_for(constant: int) -> Callable[[Function], Function]:
    """`kernel` for a function that is made anew for each constant it closes over: each has a name of its own.

    numba tells functions of one name apart by a number that starts anew in every process. Two of them on
    disk, compiled in two processes, may have the same; a process that then loads both fails in the second
    ("'descr' is NULL", numba 0.68.1).
    """

    def named(function: Function) -> Function:
        function.__name__ = f"{function.__name__}_{constant}"
        function.__qualname__ = f"{function.__qualname__}_{constant}"
        return kernel(function)

    return named


def part(function: Function) -> Function:
    """A function that only kernels call."""
    compiled: Function = numba.njit(function)
    return compiled


def inlined(function: Function) -> Function:
    """A part of a kernel that becomes one with its callers, so that constant arguments cost nothing."""
    compiled: Function = numba.njit(forceinline=True)(function)
    return compiled
