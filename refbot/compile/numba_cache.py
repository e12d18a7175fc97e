"""The insides of numba that we use: its cache on disk, with locks, and the processor it compiles for.

numba does not promise to keep these parts. `tests/refbot/test_numba_interface.py` names each of them, and
pyproject.toml has an upper bound of the version.

A kernel that is not on disk is compiled by one process, while others that want it wait for its lock. A
process that gets SIGTERM while it compiles ends after the kernel is stored.

To load a kernel means to run what is in its file. So a file counts only if this user and root alone can
have written it, and if its content has the checksum that it begins with.
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
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from numba import config
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

from refbot.compile.cache import folder, is_trusted, warn_once

DIGEST = hashlib.sha256().digest_size
_SETTING = "CACHE_DIR"  # numba makes its settings at run time, so that they are named by text
_LOOK_SECONDS = 0.1  # between two looks at the lock of another process; chosen: short beside a compilation


def target_of(context: Any = None) -> tuple[str, str, str]:
    """(Triple, processor, features) that numba compiles for, in a context or by default."""
    return (context or cpu_target.target_context).codegen().magic_tuple()  # type: ignore[no-any-return]


@contextmanager
def _compilation(name: str) -> Iterator[None]:
    """One compilation: its lock is held, and SIGTERM is put off until it ends.

    Does without a lock where the file system has none.
    """
    lock: IO[str] | None = None
    with suppress(OSError):
        if kept := folder():
            path = kept / "locks" / name
            path.parent.mkdir(exist_ok=True)
            lock = path.open("w")
            while not _is_locked(lock):
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


def _is_locked(lock: IO[str]) -> bool:
    """Take a lock, and return whether it is taken."""
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
        """The stored kernel. Raises OSError for a file that is not sound, which numba takes for missing."""
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
        """The content of a file; None if it is missing or not sound."""
        try:
            with Path(path).open("rb") as file:
                state = os.fstat(file.fileno())
                data = file.read() if stat.S_ISREG(state.st_mode) and is_trusted(state) else b""
        except OSError:
            return None
        return data[DIGEST:] if hashlib.sha256(data[DIGEST:]).digest() == data[:DIGEST] else None


class _Locator(UserProvidedCacheLocator):
    """numba's folder of a function, which may also be one that can only be read."""

    def ensure_cache_path(self) -> None:
        try:
            super().ensure_cache_path()  # type: ignore[no-untyped-call]
        except OSError:
            if not os.path.isdir(self.get_cache_path()):  # type: ignore[no-untyped-call]
                raise


class Impl(CompileResultCacheImpl):
    """Where numba looks for the files of a function."""

    _locator_classes = [_Locator]  # noqa: RUF012  # numba's own attribute


class KernelCache(FunctionCache):
    """numba's cache on disk, with a lock for each kernel.

    numba asks for a kernel by `load_overload`, compiles it if the answer is None, and stores it by
    `save_overload`.
    """

    _impl_class = Impl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = CheckedFiles(  # type: ignore[no-untyped-call]
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )
        self._compilations: dict[Any, Any] = {}

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
        kind = hashlib.sha256(repr(sig).encode()).hexdigest()[:8]
        compilation = _compilation(f"{self._py_func.__qualname__}-{kind}")
        compilation.__enter__()
        # Another process may have stored it in the meantime.
        found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is None:
            self._compilations[sig] = compilation
        else:
            compilation.__exit__(None, None, None)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Stores a kernel and frees its lock. Two processes must not change one index at the same time."""
        try:
            with _compilation(f"{self._py_func.__qualname__}-index"):
                super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            warn_once(f"{folder()} cannot be written ({(error.strerror or str(error)).lower()})")
        finally:
            if compilation := self._compilations.pop(sig, None):
                compilation.__exit__(None, None, None)


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


def keep_on_disk(compiled: Any, function: Callable[..., Any]) -> None:
    """Does to a compiled function what `cache=True` does, with our folder and files, if there is a folder."""
    if folder() is None:
        return
    before = getattr(config, _SETTING)
    setattr(config, _SETTING, str(folder()))
    try:
        compiled._cache = KernelCache(function)
    finally:
        setattr(config, _SETTING, before)
