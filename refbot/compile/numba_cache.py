"""numba's cache on disk, made safe for several processes and users; and the processor numba compiles for.

This module uses internal parts of numba, which may change. `tests/refbot/test_numba_interface.py` names each
of them, and pyproject.toml has an upper bound of numba's version.

One process compiles a kernel that is not on disk; other processes that need it wait for its lock. A process
that gets SIGTERM while its main thread compiles ends after the kernel is stored, or after the compilation has
failed.

Loading a kernel runs the content of its file. So a file is used only if nobody but this user and root can
have written it, and if its content matches the checksum at its start.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
import signal
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    InTreeCacheLocator,
)
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

from refbot.compile.cache import folder_name, is_trusted, make_folder, warn_once

DIGEST = hashlib.sha256().digest_size
_LOOK_SECONDS = 0.1  # between two tries to take a lock; chosen: a compilation takes seconds


def target_of(context: Any = None) -> tuple[str, str, str]:
    """Return (LLVM triple, processor, features) that numba compiles for, in `context` or by default."""
    return (context or cpu_target.target_context).codegen().magic_tuple()  # type: ignore[no-any-return]


@contextmanager
def _locked(name: str) -> Iterator[None]:
    """Holds the lock `name`, and in the main thread postpones SIGTERM, during the block.

    Waits until no other process holds the lock. Without a cache folder, or where the file system has no
    locks, it holds none.
    """
    lock: IO[str] | None = None
    with suppress(OSError):
        if kept := make_folder():
            path = kept / "locks" / name
            path.parent.mkdir(exist_ok=True)
            lock = path.open("w")
            while not _try_lock(lock):
                time.sleep(_LOOK_SECONDS)
    in_main, terminated = threading.current_thread() is threading.main_thread(), []
    before = signal.signal(signal.SIGTERM, lambda *_: terminated.append(True)) if in_main else None
    try:
        yield
    finally:
        if lock is not None:
            lock.close()
        if in_main:
            signal.signal(signal.SIGTERM, before if before is not None else signal.SIG_DFL)
            if terminated:
                os.kill(os.getpid(), signal.SIGTERM)


def _try_lock(lock: IO[str]) -> bool:
    """Try to take a lock without waiting; return True if this process took it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class CheckedFiles(IndexDataCacheFile):
    """numba's index and data files of one function, with owner, mode and checksum checked.

    A file that fails a check counts as missing: the kernel is compiled again, and its file replaced.
    """

    def _load_index(self) -> dict[Any, str]:
        data = self._read(self._index_path)
        if data is None:
            return {}
        version, stamp, overloads = pickle.loads(data)
        fresh = (version, stamp) == (self._version, self._source_stamp)
        return dict(overloads) if fresh else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        """The stored kernel. Raises FileNotFoundError also for a file that fails a check."""
        data = self._read(self._data_path(name))  # type: ignore[no-untyped-call]
        if data is None:
            raise FileNotFoundError(name)
        return pickle.loads(data)

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)  # type: ignore[no-untyped-call]

    def _write(self, path: str, value: Any) -> None:
        data = self._dump(value)  # type: ignore[no-untyped-call]
        with self._open_for_write(path) as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(hashlib.sha256(data).digest())
            file.write(data)

    @staticmethod
    def _read(path: str) -> bytes | None:
        """The content of a file after its checksum; None if the file is missing or fails a check."""
        try:
            with Path(path).open("rb") as file:
                state = os.fstat(file.fileno())
                data = file.read() if stat.S_ISREG(state.st_mode) and is_trusted(state) else b""
        except OSError:
            return None
        return data[DIGEST:] if hashlib.sha256(data[DIGEST:]).digest() == data[:DIGEST] else None


class _Locator(InTreeCacheLocator):
    """numba's object for the folder of a function. This one accepts a read-only folder too.

    The folder is inside ours. Every copy of the same sources uses it: another checkout, a new environment.
    For a function of another file, numba's rule of names applies: it depends on the path of the file.

    numba's setting CACHE_DIR is not used: all threads share it. While one thread changed it, another could
    get the current folder instead.
    """

    def get_cache_path(self) -> str:
        name = folder_name(self._py_file) or self.get_suitable_cache_subpath(self._py_file)  # type: ignore[no-untyped-call]
        return os.path.join(str(make_folder()), name)

    def ensure_cache_path(self) -> None:
        try:
            super().ensure_cache_path()  # type: ignore[no-untyped-call]
        except OSError:
            if not os.path.isdir(self.get_cache_path()):
                raise


class _FilesOfFunction(CompileResultCacheImpl):
    """numba's object for the location and content of the files of a function."""

    _locator_classes = [_Locator]  # noqa: RUF012  # numba's own attribute


class KernelCache(FunctionCache):
    """numba's cache on disk of one function. A kernel is its code for one signature, with a lock of its own.

    numba calls `load_overload` for a kernel. If that returns None, numba compiles the kernel and stores it by
    `save_overload`. In the end `keep_on_disk` calls `release_lock`, also after a compilation that failed.
    """

    _impl_class = _FilesOfFunction

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = CheckedFiles(  # type: ignore[no-untyped-call]
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )
        self._held_locks: dict[Any, ExitStack] = {}  # by signature: locks of kernels that are being compiled

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored kernel, or None: then this process holds its lock and must compile it.

        First the kernel is loaded with numba's runtime alone. The rest of numba's preparation is for
        compiling and takes a fifth of the processor time of a start.
        """
        rtsys.initialize(target_context)
        found = self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is not None:
            return found
        _import_without_scipy()
        kind = hashlib.sha256(repr(sig).encode()).hexdigest()[:8]
        with ExitStack() as lock:
            lock.enter_context(_locked(f"{self._py_func.__qualname__}-{kind}"))
            # Another process may have stored the kernel during the wait. If not, this process compiles it:
            # numba's own method looks again, and makes the preparation that compiling needs.
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
            if found is None:
                self._held_locks[sig] = lock.pop_all()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Stores a kernel. A second lock keeps other processes from the index."""
        try:
            with _locked(f"{self._py_func.__qualname__}-index"):
                super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            warn_once(f"{make_folder()} cannot be written ({(error.strerror or str(error)).lower()})")

    def release_lock(self, sig: Any) -> None:
        """Releases the lock of a kernel if this process holds it. A postponed SIGTERM then takes effect."""
        if lock := self._held_locks.pop(sig, None):
            lock.close()


@cache
def _import_without_scipy() -> None:
    """Imports numba's array module without its import of `scipy.linalg`, which looks for a BLAS.

    No kernel here multiplies matrices, and that import takes a fifth of the processor time of a start.
    """
    from numba.np import linalg

    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = ensure_blas


def keep_on_disk(compiled: Any, function: Callable[..., Any]) -> None:
    """Gives a compiled function a KernelCache in our folder, in place of numba's `cache=True`."""
    if make_folder() is None:
        return
    compiled._cache = kept = KernelCache(function)
    load_or_compile = compiled.compile

    def compile_and_release(sig: Any) -> Any:
        try:
            return load_or_compile(sig)
        finally:
            kept.release_lock(sig)

    compiled.compile = compile_and_release
