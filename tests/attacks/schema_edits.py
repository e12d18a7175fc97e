"""Edits of a database by its bytes and its table of tables, as a stranger can make them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from harness.arena.store.checksums import seal
from harness.arena.store.schema import PARTS, TABLES
from harness.arena.store.store import DATABASE

PAGE = 4096


@contextmanager
def changed(run: Path) -> Iterator[sqlite3.Connection]:
    """The open database of a run; the end of the block gives all parts right checksums."""
    with closing(sqlite3.connect(run / DATABASE, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("BEGIN")
        yield db
        db.execute("DELETE FROM checksum")
        for part in PARTS:
            for (key,) in db.execute(f"SELECT {TABLES[part].key} FROM {part}").fetchall():
                seal(db, part, key)
        db.execute("COMMIT")


def write_schema(run: Path, entry: tuple[object, ...]) -> None:
    """Add a row (type, name, table, root page, statement) to the schema, right after the row of its table.

    A later row of the same name hides it from a reader that keeps one row for each name.
    """
    with closing(sqlite3.connect(run / DATABASE, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA writable_schema = ON")
        rows = db.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master").fetchall()
        place = max((at for at, row in enumerate(rows, 1) if row[1] == entry[2]), default=0)
        db.execute("DELETE FROM sqlite_master")
        rows.insert(place, entry)
        db.executemany("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", rows)
