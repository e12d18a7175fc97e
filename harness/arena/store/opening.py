"""Opens SQLite databases safely. No other module calls `sqlite3.connect`.

A folder of a run may come from a stranger. SQLite opens a database together with the journals beside it, and
undoes what a rollback journal says. So a reader of a run at rest gets a private copy of the database and its
journals, in which SQLite may do its work, and the folder is not changed. A run is read in its place if a
process plays it, or if there is no room for the copy; a player writes in place, after `takeover`.

All files are checked before they are copied, or before SQLite sees them:

- Each is a regular file and no link, and has one name if SQLite may write it (`harness.files.check_file`).
- A rollback journal names no super-journal. SQLite deletes the file of this name after the rollback, and the
  name can be that of any file. SQLite writes such a name only for a transaction over several databases, which
  `conform` does not have. The journals of its own killed processes name no file.

A write-ahead log names no file.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import repeat
from pathlib import Path

from harness.arena.store.errors import StoreError
from harness.files import UnsafeFileError, check_file, copy_file, is_file, open_file, os_reason

JOURNAL, LOG, INDEX = "-journal", "-wal", "-shm"
SIDE_FILES = (LOG, INDEX, JOURNAL)
"""Endings of the names of SQLite's files beside a database."""
LOCK = "run.lock"
"""The name of the file whose lock a process holds that plays into a folder."""
BUSY_SECONDS = 5.0
"""Seconds for which a statement waits while another program holds the file.

Chosen: many times as long as conform holds the file, and short enough for a waiting user.
"""
LONGEST_VALUE = 1 << 28
"""Bytes of the largest value or row that is read. Chosen: several times the largest that conform stores."""
LEAST_STEPS, STEPS_OF_BYTE = 10_000_000, 50
"""Instructions that SQLite may use to read a file: LEAST_STEPS, and STEPS_OF_BYTE for each of its bytes.

A file can be made so that reading never ends. Measured: a sound run needs 1.5 for a byte.
"""
STEP = 100_000
"""Instructions of SQLite between two looks at their number. Chosen: a look costs nothing that one notices."""
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST_VALUE,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""Last bytes of a rollback journal that names a super-journal."""
_PRAGMAS = ("trusted_schema = OFF", "synchronous = NORMAL", "temp_store = MEMORY")


def open_database(path: Path, *, write: bool, busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Open the database at `path` once it and the files beside it are safe to open.

    A reader gets a copy, unless somebody plays the run or there is no room for the copy. The content is not
    checked. Raises StoreError and sqlite3.Error.
    """
    check_beside(path, write=write)
    if write:
        return _open(path, "rw", busy_seconds)
    with _at_rest(path.parent) as at_rest:
        if at_rest:
            with suppress(OSError):
                return open_copy(path)
    return _open(path, _read_mode(path), busy_seconds)


def open_copy(path: Path, repair: Callable[[int], object] | None = None) -> sqlite3.Connection:
    """Open a private copy of a database at rest, without the unfinished write of a killed process.

    repair      is called with a descriptor of the copy, which then has no journals
    Raises StoreError, OSError and sqlite3.Error.
    """
    with tempfile.TemporaryDirectory(prefix="conform-") as folder:
        copy = Path(folder) / path.name
        size = copy_file(path, copy)
        if repair is not None:
            descriptor = open_file(copy, os.O_RDWR)
            try:
                repair(descriptor)
            finally:
                os.close(descriptor)
        for ending in (LOG, JOURNAL) if repair is None else ():
            with suppress(FileNotFoundError):
                size += copy_file(_beside(path, ending), _beside(copy, ending))
        check_beside(copy, write=True)  # the journal as SQLite gets it
        db = _open(copy, "rw", BUSY_SECONDS, size)
        try:
            db.execute("PRAGMA schema_version").fetchall()  # SQLite reads the journals before the database
        except BaseException:
            db.close()
            raise
    return db  # its files are open, so it does not need their names


@contextmanager
def _at_rest(folder: Path) -> Iterator[bool]:
    """Yield True if nobody plays the run in `folder`. False, too, if this user may not read the lock.

    The process that plays holds the lock of the folder (`harness.arena.folder.lock`). This block shares the
    lock, so that nobody can begin to play before its end, except in a folder that has no lock yet.
    """
    try:
        descriptor = open_file(folder / LOCK)
    except (FileNotFoundError, UnsafeFileError):  # nobody holds it
        yield True
        return
    except OSError:  # this user may not read it
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        at_rest = True
    except OSError:
        at_rest = False
    try:
        yield at_rest
    finally:
        os.close(descriptor)


def open_in_memory() -> sqlite3.Connection:
    """Open an empty database in memory."""
    return _prepare(sqlite3.connect(":memory:", isolation_level=None), 0)


def check_beside(path: Path, *, write: bool) -> None:
    """Raise StoreError unless the database at `path` and its journals can be given to SQLite."""
    try:
        check_file(path, in_place=write)
        for ending in SIDE_FILES:  # SQLite writes the index of a log also when it only reads
            check_file(_beside(path, ending), in_place=True)
        journal = _beside(path, JOURNAL)
        if _has_super_journal(journal):
            raise StoreError(
                journal,
                "names a file that SQLite would delete, as no journal of conform does; nothing was opened. "
                "Somebody has made it: trust nothing in this folder. To read its games, remove the journal",
            )
    except UnsafeFileError as error:
        raise StoreError(Path(error.filename), os_reason(error)) from None
    except OSError as error:
        raise StoreError(Path(error.filename or path), f"cannot be read: {os_reason(error)}") from None


def _has_super_journal(journal: Path) -> bool:
    """Return True if a rollback journal exists and ends with the name of a super-journal."""
    with suppress(FileNotFoundError), os.fdopen(open_file(journal), "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(_MAGIC)))
        return file.read() == _MAGIC
    return False


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _read_mode(path: Path) -> str:
    """Return SQLite's mode for a reader. In a read-only folder, only `immutable` opens a closed database."""
    is_open = any(is_file(_beside(path, ending)) for ending in (LOG, JOURNAL))
    return "ro" if is_open or os.access(path.parent, os.W_OK) else "ro&immutable=1"


def _open(path: Path, mode: str, busy_seconds: float, size: int | None = None) -> sqlite3.Connection:
    """Open a database. `size`: its bytes without holes, if they are known."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, timeout=busy_seconds, isolation_level=None)
    return _prepare(db, path.stat().st_size if size is None else size)


def end_limit_of_steps(db: sqlite3.Connection) -> None:
    """Let the connection use any number of instructions. Its content is known to be sound."""
    db.set_progress_handler(None, 0)


def _prepare(db: sqlite3.Connection, size: int) -> sqlite3.Connection:
    """Set limits and switches of a connection that may read a stranger's file of `size` bytes."""
    try:
        for limit, value in _LIMITS.items():
            db.setlimit(limit, value)
        # SQLite calls `next` after each STEP. It returns 0 until the steps are used up, then 1, which ends
        # the statement. A function in Python would not do: a signal could raise an exception in it, which
        # SQLite would swallow.
        counts = repeat(0, (LEAST_STEPS + STEPS_OF_BYTE * size) // STEP)
        db.set_progress_handler(partial(next, counts, 1), STEP)
        for pragma in _PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        if sys.version_info >= (3, 12):
            db.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
            for unused in (sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, sqlite3.SQLITE_DBCONFIG_ENABLE_VIEW):
                db.setconfig(unused, False)
    except BaseException:
        db.close()
        raise
    return db
