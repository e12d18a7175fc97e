"""The lock of a folder: one process at a time plays into it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil

from harness.arena.folder.errors import FolderInUseError, RunError
from harness.arena.store.opening import LOCK
from harness.files import UnsafeFileError, make_folder, open_file, os_reason

LEAVING, PAUSE = 30.0, 0.05
"""Seconds in which the child processes of a killed owner must end, and seconds between two tries.
Chosen: engines end within a few seconds, and a try costs microseconds."""
MODE = 0o660  # less the mask of the user: a process that can read the file can hold its lock


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder`, which is created if missing.

    The lock ends with its owner and the owner's child processes, which need a moment to end after a kill.

    Raises FolderInUseError where another process holds it, and RunError where the folder cannot be written.
    """
    try:
        make_folder(folder)
        file = os.fdopen(open_file(folder / LOCK, os.O_RDWR | os.O_CREAT, mode=MODE), "r+")
    except UnsafeFileError as error:
        raise RunError(f"{error.filename}: {os_reason(error)}") from None
    except OSError as error:
        raise RunError(f"{folder}: cannot be written: {os_reason(error)}") from None
    with file:
        if not _take(file):
            owner = _owner(file)
            raise FolderInUseError(
                f"{folder}: another conform plays into this folder"
                + (f" (process {owner})" if owner else "")
                + "; wait for it, or choose another folder"
            )
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield


def _take(file: IO[str]) -> bool:
    """Take the lock. Return False if its owner still runs.

    If its owner was killed, the lock is free once the owner's child processes are gone: wait for them.
    """
    deadline = time.monotonic() + LEAVING
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > deadline or _is_running(_owner(file)):
                return False
            time.sleep(PAUSE)
        else:
            return True


def _owner(file: IO[str]) -> str:
    """The process id in a lock; empty where none was written."""
    file.seek(0)
    return file.read().strip()


def _is_running(owner: str) -> bool:
    """Return True if the owner may still run. A zombie has ended: it only waits for its parent."""
    try:
        return psutil.Process(int(owner)).status() != psutil.STATUS_ZOMBIE
    except (ValueError, psutil.NoSuchProcess):
        return not owner.isdecimal()
    except psutil.Error:
        return True
