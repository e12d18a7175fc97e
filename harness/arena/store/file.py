"""Creates, opens and recognises the SQLite file of a store, and raises its errors as StoreError."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from harness.arena.store.checksums import damages
from harness.arena.store.errors import LOCKED, NOTHING_KEPT, DamagedStoreError, StoreError
from harness.arena.store.opening import (
    BUSY_SECONDS,
    end_limit_of_steps,
    open_copy,
    open_database,
    open_in_memory,
)
from harness.arena.store.recognition import APPLICATION_ID, SCHEMA, SCHEMA_VERSION, check_recognised
from harness.arena.store.schema import TABLES
from harness.files import make_folder, move, os_reason, replaced, sync_folder

PAGE_BYTES = 4096  # of SQLite, by default
MOST_PAGES = 1 << 20
"""Most pages of a truncated file that is repaired. Chosen: 4 GiB, more than any known run has."""
WORKER_BUSY_SECONDS = 120.0
"""Seconds for which a worker waits while another process holds the file.

Chosen: a worker that a signal has stopped may hold the file; the coordinator kills it earlier.
"""

Row = TypeVar("Row")


class Database:
    """An open store file. Errors of SQLite are raised as StoreError (`store_errors`)."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db
        self._inode = path.stat().st_ino

    def each(
        self, query: str, make: Callable[[Any], Row], parameters: tuple[object, ...] = ()
    ) -> Iterator[Row]:
        """Yield `make(row)` for each row of a query; a row is read from the file when it is asked for.

        `make` raises ValueError for a row that conform does not write. Raises DamagedStoreError in its place,
        and StoreError.
        """
        with store_errors(self.path):
            try:
                yield from map(make, self._db.execute(query, parameters))
            except ValueError as error:
                raise DamagedStoreError(self.path, f"a row cannot be read: {error}"[:200]) from None

    def first(self, query: str, parameters: tuple[object, ...] = ()) -> Any:
        """Return the first row of a query as a tuple; None if it has none. Raises StoreError."""
        with store_errors(self.path):
            return self._db.execute(query, parameters).fetchone()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A block whose writes are all stored, or none of them if it raises."""
        with store_errors(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def is_in_place(self, path: Path | None = None) -> bool:
        """Return True if `path` (default: the path of this store) still leads to the open file."""
        try:
            return (self.path if path is None else path).stat().st_ino == self._inode
        except OSError:
            return False

    def write_copy(self, folder: Path) -> None:
        """Write all that is stored into a new store in another folder. Raises StoreError and OSError."""
        make_folder(folder)
        beside = folder / f".{self.path.name}.{secrets.token_hex(6)}.part"
        with store_errors(beside):
            self._db.execute("VACUUM INTO ?", (str(beside),))
        move(beside, folder / self.path.name)
        sync_folder(folder)


def create(path: Path) -> None:
    """Create an empty store at `path`, as a whole or not at all. Raises StoreError."""
    db = open_in_memory()
    db.executescript(
        f"{SCHEMA} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
    )
    try:
        with replaced(path, binary=True) as file:
            file.write(db.serialize())
    except OSError as error:
        raise StoreError(path, f"cannot be created: {os_reason(error)}") from None
    finally:
        db.close()


def connect(
    path: Path, *, read_only: bool, checked: bool = True, busy_seconds: float = BUSY_SECONDS
) -> sqlite3.Connection:
    """Open the store at `path`. Raises StoreError unless it is a store that this version can read.

    checked        read the whole file, and raise DamagedStoreError for any damage
    busy_seconds   how long a statement waits while another process holds the file
    """
    with store_errors(path):
        db = open_database(path, write=not read_only, busy_seconds=busy_seconds)
        try:
            check_recognised(path, db)
            if checked:
                check_undamaged(path, db)
            end_limit_of_steps(db)
            _add_missing_tables(db, temporary=read_only)
            db.execute("PRAGMA query_only = ON" if read_only else "PRAGMA journal_mode = WAL")
        except BaseException:
            db.close()
            raise
    return db


def connect_damaged(path: Path) -> sqlite3.Connection:
    """Open a copy of a damaged store that no process plays, repaired where SQLite cannot read it.

    Each repair is tried on a new copy. Raises StoreError if the config cannot be read after any of them.
    """
    for repair in (None, _add_lost_pages, _replace_first_page):
        try:
            with store_errors(path):
                db = open_copy(path, repair)
                try:
                    # Not `count(*)`: the limit of steps does not end it.
                    db.execute("SELECT id FROM config").fetchmany()
                    return db
                except BaseException:
                    db.close()
                    raise
        except DamagedStoreError:
            continue
        except OSError as error:
            raise StoreError(path, f"cannot be read: {os_reason(error)}") from None
    raise StoreError(path, f"is damaged so badly that its config cannot be read; {NOTHING_KEPT}")


def _add_lost_pages(file: int) -> None:
    """Give a truncated file holes for the lost pages. SQLite does not open a shorter file."""
    pages = min(int.from_bytes(os.pread(file, 4, 28), "big"), MOST_PAGES)  # the header has their number
    os.ftruncate(file, max(os.fstat(file).st_size, PAGE_BYTES * pages))
    os.pwrite(file, b"\x01\x01", 18)  # in the header: SQLite shall look for no write-ahead log


def _replace_first_page(file: int) -> None:
    """Give a file the first page of a new store: its header and its list of tables."""
    with closing(open_in_memory()) as new:
        new.executescript(SCHEMA)
        first = bytearray(new.serialize()[:PAGE_BYTES])
    pages = max(1, os.fstat(file).st_size // PAGE_BYTES)
    first[28:32] = min(pages, MOST_PAGES).to_bytes(4, "big")  # number of pages, by the file format
    os.pwrite(file, first, 0)
    os.ftruncate(file, PAGE_BYTES * pages)


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as StoreError, except IntegrityError, which is a bug of the harness."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _operational(path, error) from None
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        raise DamagedStoreError(path, str(error)) from None
    except UnicodeDecodeError:  # Python cannot decode an SQLite error that quotes damaged bytes
        raise DamagedStoreError(path, "its tables cannot be read") from None


def check_undamaged(path: Path, db: sqlite3.Connection) -> None:
    """Raise DamagedStoreError unless SQLite's own check, the checksums and the values are right."""
    db.execute("BEGIN")  # one state of the file, also while a match writes it
    try:
        ((state,),) = db.execute("PRAGMA integrity_check(1)").fetchall()
        if state != "ok":
            raise DamagedStoreError(path, state.splitlines()[-1])
        found = tuple(damages(db))
        if found:
            raise DamagedStoreError(path, "", found)
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _add_missing_tables(db: sqlite3.Connection, *, temporary: bool) -> None:
    """Create, empty, the tables that an older version did not have. `temporary`: do not change the file."""
    present = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for name, table in TABLES.items():
        if name not in present:
            sql = table.create
            db.execute(sql.replace("CREATE TABLE", "CREATE TEMP TABLE") if temporary else sql)


def _operational(path: Path, error: sqlite3.OperationalError) -> StoreError:
    """Return the error for a user, by the error code of SQLite."""
    primary = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    known = {
        sqlite3.SQLITE_BUSY: LOCKED,
        sqlite3.SQLITE_FULL: "the disk is full; all stored games are safe: make room, then run again",
        sqlite3.SQLITE_READONLY: "cannot be written: check the rights of the file and of its folder",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened or created; check that its folder is writable",
        sqlite3.SQLITE_IOERR: "the disk fails or is full; all stored games are safe: check the disk",
    }
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_ROLLBACK:
        return StoreError(path, "a process was killed while it wrote, and others play on; try again")
    if primary == sqlite3.SQLITE_INTERRUPT:
        return DamagedStoreError(path, "reading it takes more steps than any store of its size")
    # Anything else comes from a damaged file: a text that is no UTF-8, a table or a column that is missing.
    return StoreError(path, known[primary]) if primary in known else DamagedStoreError(path, str(error))
