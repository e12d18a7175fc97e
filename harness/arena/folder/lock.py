"""The lock of the folder of a run: one process at a time writes into it."""

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
"""Seconds to wait for the child processes of a killed owner, and seconds between two tries.
Chosen: engines end within a few seconds, and a try costs microseconds."""
MODE = 0o660  # less the mask of the user: a process that can read the file can hold its lock


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder`, which is created if missing.

    The lock ends with its owner and the owner's child processes, which need a moment to end after a kill.

    Raises FolderInUseError where another process holds it, and RunError where the folder cannot be written
    or locked.
    """
    try:
        make_folder(folder)
        file = os.fdopen(open_file(folder / LOCK, os.O_RDWR | os.O_CREAT, mode=MODE), "r+")
    except UnsafeFileError as error:
        raise RunError(f"{error.filename}: {os_reason(error)}") from None
    except OSError as error:
        raise RunError(f"{folder}: cannot be written: {os_reason(error)}") from None
    with file:
        try:
            taken = _take(file)
        except OSError as error:
            raise RunError(f"{folder / LOCK}: cannot be locked: {os_reason(error)}") from None
        if not taken:
            raise FolderInUseError(f"{folder}: {_explain_refusal(_owner(file))}")
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield


def _take(file: IO[str]) -> bool:
    """Take the lock. Return False if its owner still runs.

    If its owner was killed, wait until the owner's child processes are gone. Return False after LEAVING.
    Raises OSError if the file system has no locks.
    """
    deadline = time.monotonic() + LEAVING
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline or _is_running(_owner(file)):
                return False
            time.sleep(PAUSE)
        else:
            return True


def _explain_refusal(owner: str) -> str:
    """Say who holds the lock, and what to do. `owner`: its process id; empty if not known."""
    if not _is_running(owner):
        return (
            f"process {owner} has ended, but its child processes still hold {LOCK}; end them (fuser lists "
            "them), or choose another folder"
        )
    process = f" (process {owner})" if owner else ""
    return f"another conform uses this folder{process}; wait for it, or choose another folder"


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
