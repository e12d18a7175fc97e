"""The bytes of a record file. Only regular files are read: a pipe or a device could block for ever."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from refbot.sgf.errors import SgfFileError

MAX_BYTES = 64 << 20
"""The largest file that is read. A collection of 30,000 games has about this size."""


def read_file(path: Path) -> bytes:
    """Return the bytes of a file. Raises SgfFileError with the reason in one line."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:
            mode = os.fstat(handle).st_mode
            if not stat.S_ISREG(mode):
                kind = "a folder" if stat.S_ISDIR(mode) else "no regular file"
                raise SgfFileError(f"is {kind}; expected a file in SGF")
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SgfFileError(f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, SgfFileError):
            raise
        raise SgfFileError("cannot be read: no file has such a name") from None  # it has a NUL
    if len(data) > MAX_BYTES:
        raise SgfFileError(f"is longer than {MAX_BYTES >> 20} MiB; split it into shorter files")
    return data
