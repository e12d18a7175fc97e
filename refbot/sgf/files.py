"""Reads the bytes of a record file. Only regular files are read: a pipe or a device could block for ever."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from refbot.errors import os_reason
from refbot.sgf.game import SgfFileError

MAX_BYTES = 64 << 20
"""The largest file that is read. A collection of 30,000 games has about this size."""


def read_file(path: Path) -> bytes:
    """Return the bytes of a file. Raises SgfFileError with the reason in one line."""
    if "\0" in str(path):
        raise SgfFileError("cannot be read: no file has such a name")
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise SgfFileError("is no regular file; expected a file in SGF")
            # Python allocates as many bytes as it is asked to read, so it is asked for no more than needed.
            data = file.read(min(MAX_BYTES, found.st_size or MAX_BYTES) + 1)
    except OSError as error:
        raise SgfFileError(f"cannot be read: {os_reason(error)}") from None
    if len(data) > MAX_BYTES:
        raise SgfFileError(f"is longer than {MAX_BYTES >> 20} MiB; split it into shorter files")
    return data


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting: a pipe opens only when a process writes into it."""
    return os.open(path, flags | os.O_NONBLOCK)
