"""The lock of a folder: one process at a time plays into it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.runs.errors import FolderInUseError, RunError

LOCK = "run.lock"
FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
"""A lock that is a symbolic link is refused: the process id would be written outside the folder."""
MODE = 0o660  # less the mask of the user: a process that can read the file can hold its lock


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder`, which is created if missing. The lock ends with the process.

    Raises FolderInUseError where another process holds it, and RunError where the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(os.open(folder / LOCK, FLAGS, MODE), "r+")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RunError(f"{folder}: cannot be written: {reason}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            owner = file.read().strip()
            raise FolderInUseError(
                f"{folder}: another conform plays into this folder"
                + (f" (process {owner})" if owner else "")
                + "; wait for it, or choose another folder"
            ) from None
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield
