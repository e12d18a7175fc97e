"""The SQLite file of a store: how it is created, opened and recognised, and what its errors mean."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.files import replaced
from harness.match.errors import StoreError

APPLICATION_ID = 0x434F4E46  # "CONF", in the header of the file
SCHEMA_VERSION = 1
BUSY_SECONDS = 5.0  # how long a statement waits while another program holds the file
BESIDE = ("-wal", "-shm", "-journal")  # files of SQLite beside the database

_SCHEMA = """
CREATE TABLE config (id INTEGER PRIMARY KEY, at TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE engine (name TEXT PRIMARY KEY, position INTEGER NOT NULL UNIQUE, reported_name TEXT,
    reported_version TEXT, playouts INTEGER) WITHOUT ROWID;
CREATE TABLE game (
    id INTEGER PRIMARY KEY, game_id TEXT NOT NULL UNIQUE, pair INTEGER NOT NULL, number INTEGER NOT NULL,
    black TEXT NOT NULL, white TEXT NOT NULL, size INTEGER NOT NULL, komi REAL NOT NULL,
    opening TEXT NOT NULL, opening_moves INTEGER NOT NULL, result TEXT NOT NULL, winner TEXT,
    reason TEXT NOT NULL, offender TEXT, detail TEXT NOT NULL, moves TEXT NOT NULL,
    move_count INTEGER NOT NULL, black_seconds REAL NOT NULL, white_seconds REAL NOT NULL,
    black_nodes INTEGER, white_nodes INTEGER, started TEXT NOT NULL, finished TEXT NOT NULL,
    line BLOB NOT NULL, UNIQUE (number, pair));
CREATE TABLE search (game INTEGER NOT NULL REFERENCES game, move INTEGER NOT NULL, colour TEXT NOT NULL,
    vertex TEXT NOT NULL, nodes INTEGER, score REAL, seconds REAL NOT NULL,
    PRIMARY KEY (game, move)) WITHOUT ROWID;
CREATE TABLE failure (game INTEGER PRIMARY KEY REFERENCES game, offender TEXT NOT NULL, command TEXT NOT NULL,
    exit TEXT NOT NULL, reproduce TEXT NOT NULL, transcript TEXT NOT NULL, other_transcript TEXT NOT NULL,
    stderr BLOB NOT NULL);
CREATE TABLE event (id INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL);
"""


def create(path: Path) -> None:
    """Create an empty store at `path`. A process killed meanwhile leaves no part of it. Raises StoreError."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(
        f"{_SCHEMA} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
    )
    try:
        with replaced(path, binary=True) as file:
            file.write(db.serialize())
    except OSError as error:
        raise StoreError(path, f"cannot be created: {os_reason(error)}") from None
    finally:
        db.close()


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open the store at `path`. Raises StoreError unless it is a whole store of this version."""
    for name in (path.name, *(path.name + ending for ending in BESIDE)):
        if path.with_name(name).is_symlink():
            raise StoreError(path.with_name(name), "is a symbolic link; replace it by the file itself")
    with store_errors(path):
        db = _connect(path, _read_mode(path) if read_only else "rw")
        try:
            _check_recognised(path, db)
            if not read_only:
                db.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            db.close()
            raise
    return db


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as StoreError, except IntegrityError, which is a bug of the harness."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreError(path, _operational(error)) from None
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        raise StoreError(path, f"is not a database of conform, or is damaged ({error})") from None


def os_reason(error: OSError) -> str:
    """The reason of an operating system error, without the path."""
    return (error.strerror or str(error)).lower()


def _read_mode(path: Path) -> str:
    """On a read-only medium, SQLite opens a closed store only as `immutable`."""
    open_log = path.with_name(path.name + "-wal").exists()
    return "ro" if open_log or os.access(path.parent, os.W_OK) else "ro&immutable=1"


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    db.execute("PRAGMA synchronous = NORMAL")
    return db


def _check_recognised(path: Path, db: sqlite3.Connection) -> None:
    if path.stat().st_size == 0:
        raise StoreError(path, "is empty; remove it, or choose another folder")
    ((application,),) = db.execute("PRAGMA application_id").fetchall()
    if application != APPLICATION_ID:
        raise StoreError(path, "is a database of another program; choose another folder")
    ((version,),) = db.execute("PRAGMA user_version").fetchall()
    if version != SCHEMA_VERSION:
        age = "a newer" if version > SCHEMA_VERSION else "an older"
        raise StoreError(
            path,
            f"was written by {age} version of conform (schema {version}; this version reads only schema "
            f"{SCHEMA_VERSION}); use that version, or choose another folder",
        )
    ((state,),) = db.execute("PRAGMA quick_check(1)").fetchall()
    if state != "ok":
        raise StoreError(path, f"is damaged ({state.splitlines()[-1]}); nothing was changed in it")


def _operational(error: sqlite3.OperationalError) -> str:
    primary = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    known = {
        sqlite3.SQLITE_BUSY: "is locked by another program",
        sqlite3.SQLITE_FULL: "the disk is full; all stored games are safe: make room, then run again",
        sqlite3.SQLITE_READONLY: "cannot be written",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened or created; check that its folder is writable",
        sqlite3.SQLITE_IOERR: "the disk fails or is full; all stored games are safe",
    }
    return known.get(primary, f"cannot be used ({error})")
