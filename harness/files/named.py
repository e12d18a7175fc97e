"""Reads a file that the user names: a regular file, or a pipe such as `<(command)` or /dev/stdin.

No read waits for ever or fills the memory: a pipe into which no program writes is refused, a file has a
maximal size, and a device is refused.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 64 << 20
"""The largest file that is read. Chosen: several times the longest report of a check."""
_AT_ONCE = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def read_named(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a file that the user names. Raises OSError with the path."""
    with os.fdopen(os.open(path, _AT_ONCE), "rb") as file:
        found = os.fstat(file.fileno())
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        is_pipe = stat.S_ISFIFO(found.st_mode)
        if not stat.S_ISREG(found.st_mode) and not is_pipe and not _is_empty_device(found):
            raise OSError(errno.EINVAL, "it is a device; give a file or a pipe", str(path))
        os.set_blocking(file.fileno(), True)
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is longer than {most:,} bytes", str(path))
    if is_pipe and not data:
        raise OSError(errno.EPIPE, "it is a pipe into which no program writes", str(path))
    return data


def _is_empty_device(found: os.stat_result) -> bool:
    """Return True for /dev/null, which users name in place of an empty file."""
    return stat.S_ISCHR(found.st_mode) and found.st_rdev == os.stat(os.devnull).st_rdev
