"""The SQLite file of a store: how it is created, opened and recognised, and what its errors mean."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from harness.arena.store.checksums import damages, seal_all
from harness.arena.store.errors import DamagedStoreError, StoreError
from harness.arena.store.opening import BUSY_SECONDS, open_database, open_in_memory
from harness.files import os_reason, read_file, replaced

APPLICATION_ID = 0x434F4E46  # "CONF", in the header of the file
SCHEMA_VERSION = 2
READABLE = (1, 2)
"""Version 1 has no checksums. It is read as it is, and gets checksums when a run is continued."""
PAGE_BYTES = 4096
MOST_PAGES = 1 << 20  # of a truncated file that is repaired in memory
WORKER_BUSY_SECONDS = 120.0
"""The same in a worker: one that was stopped by a signal holds the file until the coordinator ends it."""

_FIRST_TABLES = """
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
_CHECKSUMS = """
CREATE TABLE checksum (part TEXT NOT NULL, id TEXT NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (part, id)) WITHOUT ROWID;
"""
_AUDIT = """
CREATE TABLE audit_game (game INTEGER PRIMARY KEY REFERENCES game);
CREATE TABLE audit_search (key BLOB NOT NULL, game INTEGER NOT NULL REFERENCES audit_game,
    move INTEGER NOT NULL, playouts INTEGER NOT NULL, moves INTEGER NOT NULL, moves_squared INTEGER NOT NULL,
    wins REAL NOT NULL, wins_squared REAL NOT NULL, moves_wins REAL NOT NULL,
    PRIMARY KEY (key, game, move), UNIQUE (game, move)) WITHOUT ROWID;
CREATE TABLE audit_choice (game INTEGER NOT NULL REFERENCES audit_game, move INTEGER NOT NULL,
    vertices TEXT NOT NULL, rates TEXT NOT NULL, PRIMARY KEY (game, move)) WITHOUT ROWID;
"""
_PROGRAMS = """
CREATE TABLE game_program (game INTEGER PRIMARY KEY REFERENCES game, black TEXT, white TEXT);
"""
_TIMES = """
CREATE TABLE game_time (game INTEGER PRIMARY KEY REFERENCES game, seconds REAL NOT NULL);
"""
_DIAGNOSES = """
CREATE TABLE audit_diagnosis (bot TEXT PRIMARY KEY, searches INTEGER NOT NULL, positions INTEGER NOT NULL,
    finished INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE audit_suspect (bot TEXT NOT NULL REFERENCES audit_diagnosis, place INTEGER NOT NULL,
    fault TEXT NOT NULL, probability REAL NOT NULL, PRIMARY KEY (bot, place)) WITHOUT ROWID;
"""
_LEANINGS = """
CREATE TABLE audit_leaning (game INTEGER NOT NULL REFERENCES audit_game, move INTEGER NOT NULL,
    ranks TEXT NOT NULL, PRIMARY KEY (game, move)) WITHOUT ROWID;
"""
_SETUPS = """
CREATE TABLE game_setup (game INTEGER PRIMARY KEY REFERENCES game, stones INTEGER NOT NULL, handicap INTEGER);
"""
_LATER_TABLES = _CHECKSUMS + _AUDIT + _PROGRAMS + _DIAGNOSES + _LEANINGS + _SETUPS + _TIMES
"""Tables that an old store does not have, and gets when it is opened. A new table is added here."""
_SCHEMA = _FIRST_TABLES + _LATER_TABLES


def create(path: Path) -> None:
    """Create an empty store at `path`. A process killed meanwhile leaves no part of it. Raises StoreError."""
    db = open_in_memory()
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


def connect(
    path: Path, *, read_only: bool, checked: bool = True, busy_seconds: float = BUSY_SECONDS
) -> sqlite3.Connection:
    """Open the store at `path`. Raises StoreError unless it is a store that this version can read.

    checked     look for damage in the whole file, and raise DamagedStoreError for any
    """
    with store_errors(path):
        db = open_database(path, write=not read_only, busy_seconds=busy_seconds)
        try:
            version = _check_recognised(path, db)
            if checked:
                _check_undamaged(path, db, sealed=version > 1)
            _add_missing_tables(db, temporary=read_only)
            if not read_only:
                _upgrade(db, version)
                db.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            db.close()
            raise
    return db


def connect_damaged(path: Path) -> tuple[sqlite3.Connection, bool]:
    """Open a damaged store to read what is left of it, and whether it has checksums. Raises StoreError."""
    for repair in (None, _padded, _with_new_first_page):
        try:
            with store_errors(path):
                db = open_database(path, write=False) if repair is None else open_in_memory(repair(path))
                try:
                    db.execute("SELECT count(*) FROM config").fetchall()
                    return db, _has_checksums(db)
                except BaseException:
                    db.close()
                    raise
        except DamagedStoreError:
            continue
        except OSError as error:
            raise StoreError(path, f"cannot be read: {os_reason(error)}") from None
    raise StoreError(path, "is damaged so badly that no table can be read; nothing can be kept")


def _padded(path: Path) -> bytes:
    """A truncated file with empty pages in the place of the lost ones: SQLite opens no shorter file."""
    data = read_file(path)
    return data.ljust(PAGE_BYTES * min(int.from_bytes(data[28:32], "big"), MOST_PAGES), b"\0")


def _with_new_first_page(path: Path) -> bytes:
    """The file with the first page of a new store: its header and its list of tables."""
    with closing(open_in_memory()) as new:
        new.executescript(_SCHEMA)
        first = bytearray(new.serialize()[:PAGE_BYTES])
    rest = read_file(path)[PAGE_BYTES:]
    rest = rest[: len(rest) // PAGE_BYTES * PAGE_BYTES]
    first[28:32] = (1 + len(rest) // PAGE_BYTES).to_bytes(4, "big")  # number of pages, by the file format
    return bytes(first + rest)


def _has_checksums(db: sqlite3.Connection) -> bool:
    return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = 'checksum'").fetchall())


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
    except UnicodeDecodeError:  # of the text of an SQLite error that quotes damaged bytes
        raise DamagedStoreError(path, "its tables cannot be read") from None


def _check_recognised(path: Path, db: sqlite3.Connection) -> int:
    """The version of the schema. Raises StoreError where the file is no store, or not as conform made it."""
    if path.stat().st_size == 0:
        raise StoreError(path, "is empty; remove it, or choose another folder")
    ((application,),) = db.execute("PRAGMA application_id").fetchall()
    if application != APPLICATION_ID:
        raise StoreError(path, "is a database of another program; choose another folder")
    ((version,),) = db.execute("PRAGMA user_version").fetchall()
    if version not in READABLE:
        age = "a newer" if version > SCHEMA_VERSION else "an older"
        raise StoreError(
            path,
            f"was written by {age} version of conform (schema {version}; this version reads schema "
            f"{READABLE[0]} to {SCHEMA_VERSION}); use that version, or choose another folder",
        )
    needed = _statements(_FIRST_TABLES if version == 1 else _FIRST_TABLES + _CHECKSUMS)
    found = dict(db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall())
    wrong = [name for name, sql in needed.items() if found.get(name) != sql]
    wrong += [name for name, sql in found.items() if _statements(_SCHEMA).get(name) != sql]
    if wrong:
        raise DamagedStoreError(path, f"the table {wrong[0]!r} is not as conform has made it")
    return int(version)


def _check_undamaged(path: Path, db: sqlite3.Connection, *, sealed: bool) -> None:
    """Raise DamagedStoreError where the file is not as conform has written it."""
    db.execute("BEGIN")  # one state of the file, also while a match writes it
    try:
        ((state,),) = db.execute("PRAGMA integrity_check(1)").fetchall()
        if state != "ok":
            raise DamagedStoreError(path, state.splitlines()[-1])
        found = tuple(damages(db, sealed=sealed))
        if found:
            raise DamagedStoreError(path, "", found)
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _add_missing_tables(db: sqlite3.Connection, *, temporary: bool) -> None:
    """Create, empty, the tables that an older version did not have; `temporary` leaves the file as it is."""
    present = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for name, sql in _statements(_LATER_TABLES).items():
        if name not in present:
            db.execute(sql.replace("CREATE TABLE", "CREATE TEMP TABLE") if temporary else sql)


def _upgrade(db: sqlite3.Connection, version: int) -> None:
    """Give a store of version 1 its checksums."""
    if version > 1:
        return
    db.execute("BEGIN IMMEDIATE")
    seal_all(db)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    db.execute("COMMIT")


@functools.cache
def _statements(schema: str) -> Mapping[str, str]:
    """The statements of a schema by the name of their table, as SQLite keeps them."""
    with closing(open_in_memory()) as db:
        db.executescript(schema)
        return dict(db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall())


def _operational(path: Path, error: sqlite3.OperationalError) -> StoreError:
    primary = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    known = {
        sqlite3.SQLITE_BUSY: "is locked by another program",
        sqlite3.SQLITE_FULL: "the disk is full; all stored games are safe: make room, then run again",
        sqlite3.SQLITE_READONLY: "cannot be written",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened or created; check that its folder is writable",
        sqlite3.SQLITE_IOERR: "the disk fails or is full; all stored games are safe",
    }
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_ROLLBACK:
        return StoreError(
            path,
            "was left in the middle of a write by a killed process, and this user may not undo the write; "
            "conform status, called by the owner, undoes it",
        )
    # Anything else comes from a damaged file: a text that is no UTF-8, a table or a column that is missing.
    return StoreError(path, known[primary]) if primary in known else DamagedStoreError(path, str(error))
