"""Recognises a store: its marks in the header of the file, and its schema.

The schema of a stranger's file can have more than tables: a trigger or a view is a program that SQLite runs
for us. So the whole list of the schema is compared, and anything that conform does not create is refused.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path

from harness.arena.store.errors import DamagedStoreError, StoreError
from harness.arena.store.opening import open_in_memory
from harness.arena.store.schema import TABLES

APPLICATION_ID = 0x434F4E46  # "CONF", in the header of the file
SCHEMA_VERSION = 2
SCHEMA = "".join(f"{table.create};\n" for table in TABLES.values())
"""The statements that create all tables."""

_Entry = tuple[object, ...]
"""Type, name, table and statement of an entry of the schema."""
_ENTRIES = "SELECT type, name, tbl_name, sql FROM sqlite_master"


def check_recognised(path: Path, db: sqlite3.Connection) -> None:
    """Raise StoreError unless the file is a store that this version reads, with its schema.

    Nothing may be missing but tables that came `later`, and nothing added. Raises OSError if it is gone.
    """
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
            f"was written by {age} version of conform (schema {version}; this version reads schema "
            f"{SCHEMA_VERSION}); use that version, or choose another folder",
        )
    if odd := _odd_entry(db):
        raise DamagedStoreError(path, f"{odd} is not as conform has made it")


def _odd_entry(db: sqlite3.Connection) -> str:
    """Name an entry of the schema that is missing, or that conform has not made; empty if there is none."""
    expected = _expected()
    # A stranger's file may have any number of entries; twice the right number shows an extra one.
    found = Counter(map(_comparable, db.execute(_ENTRIES).fetchmany(2 * expected.total())))
    extra = found - expected
    present = {table for _, _, table, _ in found}
    # A table that came `later` may be missing, with all its entries: an older store has none.
    needed = (entry for entry in expected - found if not TABLES[str(entry[2])].later or entry[2] in present)
    odd = next(iter((*extra, *needed)), None)
    return "" if odd is None else f"the {odd[0]} {odd[1]!r}"[:80]


@cache
def _expected() -> Counter[_Entry]:
    """The entries of a new store."""
    with closing(open_in_memory()) as db:
        db.executescript(SCHEMA)
        return Counter(map(_comparable, db.execute(_ENTRIES)))


def _comparable(entry: _Entry) -> _Entry:
    """The entry, with its statement without the line breaks that stores of earlier versions have."""
    *names, sql = entry
    return (*names, " ".join(sql.split()).replace("( ", "(") if isinstance(sql, str) else sql)
