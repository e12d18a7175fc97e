"""Copies a file of a run. A file of some bytes can claim to have any size, so its holes are not copied."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from harness.files.guarded import open_file

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
"""Flags that open a file only if it does not exist yet."""
COPIED_AT_ONCE = 1 << 20
"""Bytes that are held in memory at once."""


def copy_file(source: Path, target: Path) -> int:
    """Copy a file to a new one without its holes, with its rights and times. Return the number of bytes.

    Raises FileExistsError if `target` exists, UnsafeFileError and OSError.
    """
    with (
        os.fdopen(open_file(source), "rb") as old,
        os.fdopen(open_file(target, NEW, mode=0o600), "wb") as new,
    ):
        status = os.fstat(old.fileno())
        size, end, copied = status.st_size, 0, 0
        while end < size:
            try:
                start = os.lseek(old.fileno(), end, os.SEEK_DATA)
                end = os.lseek(old.fileno(), start, os.SEEK_HOLE)
            except OSError as error:
                if error.errno != errno.ENXIO:
                    raise
                break  # only a hole is left
            for place in range(start, end, COPIED_AT_ONCE):
                data = os.pread(old.fileno(), min(COPIED_AT_ONCE, end - place), place)
                copied += os.pwrite(new.fileno(), data, place)
        new.truncate(size)
        os.fchmod(new.fileno(), status.st_mode & 0o777 | stat.S_IRUSR | stat.S_IWUSR)
        os.utime(new.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))
    return copied
