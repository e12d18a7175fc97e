"""Which values the rows of a store may have: types, ranges, and what must agree within a row.

A checksum shows that a file was not changed. It does not show who wrote it: a stranger can make checksums,
too. Readers rely on the values that pass here.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from harness.arena.store.schema import TABLES

_MOVES = re.compile(r"(?:[bw](?:[A-HJ-Z][1-9]\d?|pass) )*", re.ASCII)


def odd_rows(db: sqlite3.Connection, table: str, key: object | None = None) -> Iterator[object]:
    """The keys of the rows that have another value. `key`: look at the rows with this key only."""
    rule = TABLES[table]
    key_column = rule.names[0]
    db.create_function("is_moves", 1, _is_moves, deterministic=True)
    query = f"SELECT {key_column} FROM {table} WHERE ({rule.condition}) IS NOT TRUE"
    only, parameters = ("", ()) if key is None else (f" AND {key_column} = ?", (key,))
    for (found,) in db.execute(query + only, parameters):
        yield found


def _is_moves(moves: object) -> bool:
    return isinstance(moves, str) and (not moves or _MOVES.fullmatch(f"{moves} ") is not None)
