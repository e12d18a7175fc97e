"""The decorators that every kernel uses: what is compiled, how it is kept on disk, and who compiles it.

A kernel that is not on disk is compiled by one process, while others that want it wait for its lock. A
process that gets SIGTERM while it compiles ends after the kernel is stored.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import IO, Any

import numba
from numba import config
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

from refbot.compile.cache import folder, warn_once
from refbot.compile.kernel_files import CheckedFiles, Impl

Function = Callable[..., Any]

_njit: Any = numba.njit  # its types leave out the options that concern wrappers
_SETTING = "CACHE_DIR"  # numba makes its settings at run time, so that they are named by text
_LOOK_SECONDS = 0.1  # between two looks at the lock of another process


class _Compilation:
    """One compilation: its lock, and SIGTERM put off until it ends."""

    def __init__(self, name: str) -> None:
        self._lock: IO[str] | None = None
        self._terminated = False
        self._before: Any = None
        self._in_main = threading.current_thread() is threading.main_thread()
        kept = folder()
        self._path = kept / "locks" / name if kept is not None else None

    def begin(self) -> None:
        """Waits for the lock, then puts SIGTERM off. Does without a lock where the file system has none."""
        try:
            if self._path is not None:
                self._path.parent.mkdir(exist_ok=True)
                self._lock = self._path.open("w")
                while not self._locked():
                    time.sleep(_LOOK_SECONDS)
        except OSError:
            pass
        if self._in_main:
            self._before = signal.signal(signal.SIGTERM, self._note)

    def end(self) -> None:
        """Frees the lock, and ends the process if it got SIGTERM."""
        if self._lock is not None:
            self._lock.close()
        if self._in_main:
            signal.signal(signal.SIGTERM, self._before if self._before is not None else signal.SIG_DFL)
            if self._terminated:
                os.kill(os.getpid(), signal.SIGTERM)

    def _locked(self) -> bool:
        assert self._lock is not None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _note(self, *_: object) -> None:
        self._terminated = True


class KernelCache(FunctionCache):
    """numba's cache on disk, with a lock for each kernel.

    numba asks for a kernel by `load_overload`, compiles it if the answer is None, and stores it by
    `save_overload`.
    """

    _impl_class = Impl

    def __init__(self, function: Function) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = CheckedFiles(  # type: ignore[no-untyped-call]
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )
        self._compilations: dict[Any, _Compilation] = {}

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None if this process is to compile it; then its lock is held.

        A kernel that is loaded needs numba's runtime, and nothing else of what numba prepares for a compiler:
        that is a fifth of the processor time of a start.
        """
        rtsys.initialize(target_context)
        found = self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is not None or sig in self._compilations:
            return found
        _import_without_scipy()
        compilation = _Compilation(f"{self._py_func.__qualname__}-{_short_hash(repr(sig))}")
        compilation.begin()
        # Another process may have stored it in the meantime.
        found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is None:
            self._compilations[sig] = compilation
        else:
            compilation.end()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Stores a kernel and frees its lock."""
        try:
            with _index_lock(self._py_func.__qualname__):
                super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            warn_once(f"{folder()} cannot be written ({(error.strerror or str(error)).lower()})")
        finally:
            if compilation := self._compilations.pop(sig, None):
                compilation.end()


@cache
def _import_without_scipy() -> None:
    """Imports the module of numba that imports `scipy.linalg` to see whether there is a BLAS.

    No kernel here multiplies matrices, and the import is a fifth of the processor time of a start.
    """
    from numba.np import linalg

    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = ensure_blas


@contextmanager
def _index_lock(name: str) -> Iterator[None]:
    """Keeps two processes from changing the index of one function at the same time."""
    writing = _Compilation(f"{name}-index")
    writing.begin()
    try:
        yield
    finally:
        writing.end()


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


@contextmanager
def _cache_folder() -> Iterator[None]:
    """Makes numba choose our folder for the functions decorated inside, and for no others."""
    assert folder() is not None
    before = getattr(config, _SETTING)
    setattr(config, _SETTING, str(folder()))
    try:
        yield
    finally:
        setattr(config, _SETTING, before)


def kernel(function: Function) -> Function:
    """An entry point from Python: compiled, kept on disk, run without the interpreter lock."""
    compiled: Any = _njit(nogil=True, no_cfunc_wrapper=True)(function)
    if folder() is None:
        return compiled  # type: ignore[no-any-return]
    with _cache_folder():
        compiled._cache = KernelCache(function)  # what `cache=True` does, with numba's own cache
    return compiled  # type: ignore[no-any-return]


def kernel_for(constant: int) -> Callable[[Function], Function]:
    """`kernel` for a function that is made anew for each constant it closes over: each has a name of its own.

    numba distinguishes functions of one name by a number that starts anew in every process. Two of them on
    disk, compiled in two processes, may have the same; a process that then loads both fails in the second
    ("'descr' is NULL", numba 0.68.1).
    """

    def named(function: Function) -> Function:
        function.__name__ = f"{function.__name__}_{constant}"
        function.__qualname__ = f"{function.__qualname__}_{constant}"
        return kernel(function)

    return named


# Parts have no wrappers for callers in Python and C: these take a third of the time of a cold start.


def part(function: Function) -> Function:
    """A function that only kernels call."""
    compiled: Function = _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def leaf(function: Function) -> Function:
    """A part that allocates no array: counting references would cost it 80 cycles a call."""
    compiled: Function = _njit(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def inlined(function: Function) -> Function:
    """A part of a kernel that becomes one with its callers, so that constant arguments cost nothing."""
    compiled: Function = _njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled
