"""Takes over the database of a run, before a process writes into it.

No run is trusted, not even our own: at each start, the database is read from a private copy, checked, and
written anew. So a process writes only into files that this version has made. SQLite undoes the unfinished
write of a killed process in the copy.

The new database replaces the old one in three steps: it gets the name NEW; the journals of the old database
are removed, since SQLite would apply them to the new one; it gets the name of the old one. The process may be
killed after each step. From the first step on, the new database is the true one.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from harness.arena.store.errors import LOCKED, StoreError, no_run
from harness.arena.store.file import check_undamaged, store_errors
from harness.arena.store.opening import INDEX, SIDE_FILES, check_beside, open_copy
from harness.arena.store.recognition import check_recognised
from harness.files import READ_WRITE, open_file, os_reason, remove_file, replace_file

NEW = "run.db.new"
"""The name of the new database of a folder until it has replaced the old one."""
WRITE_LOCKS = (
    ("", fcntl.LOCK_EX, 0x40000000, 2),
    ("", fcntl.LOCK_SH, 0x40000002, 510),
    (INDEX, fcntl.LOCK_EX, 120, 1),
)
"""The locks that nobody can hold beside a writer: ending of the file, kind, first byte, number of bytes.
They are part of SQLite's file format; the last one is that of the write-ahead log."""

LEAVING_SECONDS = 10.0
"""Time limit for a lock to be released. Chosen: a worker of a killed match ends after its last write."""
BETWEEN_LOOKS = 0.1
"""Seconds between two looks at the locks. Chosen: nobody notices the wait, and a look costs microseconds."""


def take_over(path: Path, patience: float = LEAVING_SECONDS) -> None:
    """Check the database at `path` and write it anew. The caller holds the lock of the folder.

    Waits up to `patience` seconds while another program writes into the database. Nothing that is stored is
    lost, whenever the process is killed. Raises StoreError; DamagedStoreError for damage.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        finish_replacement(path)
        check_beside(path, write=True)
        _await_unlocked(path, patience)
        with store_errors(path), _checked_copy(path) as db:
            db.execute("VACUUM INTO ?", (str(beside),))
        begin_replacement(path, beside)
        finish_replacement(path)
    except OSError as error:
        raise StoreError(path, f"cannot be written anew: {os_reason(error)}") from None
    finally:
        remove_file(beside)


def check_at_rest(path: Path) -> None:
    """Raise StoreError unless the database at `path` is sound; DamagedStoreError for damage.

    The caller holds the lock of the folder. Another program that writes is not noticed.
    """
    try:
        check_beside(path, write=True)
        with store_errors(path), _checked_copy(path):
            pass
    except FileNotFoundError:
        raise no_run(path.parent, path.name) from None
    except OSError as error:
        raise StoreError(path, f"cannot be read: {os_reason(error)}") from None


def _await_unlocked(path: Path, patience: float) -> None:
    """Wait until no other program writes into the database. Raises StoreError after `patience` seconds."""
    deadline = time.monotonic() + patience
    while True:
        try:
            return _check_unlocked(path)
        except StoreError:
            if time.monotonic() >= deadline:
                raise
        time.sleep(BETWEEN_LOOKS)


def _check_unlocked(path: Path) -> None:
    """Raise StoreError if another program writes into the database: its write would be lost.

    Raises OSError if the file system has no locks. A file that this user may not write is not tested. This
    process must have no connection to the database: closing the file here would end its locks.
    """
    for ending, kind, first, length in WRITE_LOCKS:
        with suppress(FileNotFoundError, PermissionError):
            number = open_file(path.with_name(path.name + ending), os.O_RDWR)
            try:
                fcntl.lockf(number, kind | fcntl.LOCK_NB, length, first)
            except (BlockingIOError, PermissionError):  # POSIX allows either
                raise StoreError(path, LOCKED) from None
            finally:
                os.close(number)


@contextmanager
def _checked_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a private copy of the database at `path`. Raises StoreError unless it is sound."""
    with closing(open_copy(path)) as db:
        check_recognised(path, db)
        check_undamaged(path, db)
        yield db


def begin_replacement(path: Path, complete: Path) -> None:
    """Give the file `complete` the name NEW, and the rights of the database at `path`. Raises OSError.

    If this user is root, the file also gets the owner of that database.
    """
    before = path.stat()
    number = open_file(complete)
    try:
        os.fchmod(number, before.st_mode & READ_WRITE)
        if os.geteuid() == 0:
            os.fchown(number, before.st_uid, before.st_gid)
        os.fsync(number)
    finally:
        os.close(number)
    replace_file(complete, path.with_name(NEW))


def finish_replacement(path: Path) -> None:
    """Put the new database, if there is one, in the place of the one at `path` and of its journals.

    Raises StoreError and OSError.
    """
    new = path.with_name(NEW)
    if not os.path.lexists(new):
        return
    check_beside(new, write=True)
    for ending in SIDE_FILES:
        remove_file(path.with_name(path.name + ending))
    replace_file(new, path)


def current_database(path: Path) -> Path:
    """Return the path of the true database: a killed process may have left a new one beside the old one."""
    new = path.with_name(NEW)
    return new if os.path.lexists(new) else path
