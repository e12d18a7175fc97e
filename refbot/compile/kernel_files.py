"""The files of compiled kernels: each is checked before it is loaded, and written anew when it is damaged.

To load a kernel means to run what is in its file. So a file counts only if nobody but this user and root can
have written it, and if its content has the checksum that it begins with.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, IndexDataCacheFile, UserProvidedCacheLocator

from refbot.compile.cache import is_trusted

DIGEST = hashlib.sha256().digest_size


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
