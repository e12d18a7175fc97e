"""The rows of a game: made by the worker that played it, because one coordinator serves many workers."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from harness.arena.records import GameRecord
from harness.arena.store.checksums import row_texts, seal_texts
from harness.arena.store.schema import GAME, PARTS, TABLES

ROWS_AT_ONCE = 64
"""Rows of one statement: measured, half the time of one row each. SQLite keeps the statements compiled."""


class GameRows(NamedTuple):
    """The rows of one game, by table, without the key of the game."""

    game_id: str
    values: Mapping[str, tuple[Any, ...]]  # of all rows of a table, one after another
    texts: Mapping[str, str]  # the `row_texts`

    @classmethod
    def of(cls, record: GameRecord) -> GameRows:
        """The rows of a record."""
        rows = {table.name: table.rows_from(record) for table in PARTS["game"]}
        values = {name: tuple(chain.from_iterable(of_table)) for name, of_table in rows.items()}
        return cls(record.game.id, values, {name: row_texts(of_table) for name, of_table in rows.items()})


def insert_game(db: sqlite3.Connection, rows: GameRows) -> bool:
    """Insert a game; False if it is stored already."""
    insert = GAME.insert.replace("INSERT", "INSERT OR IGNORE")
    cursor = db.execute(insert, (None, *rows.values[GAME.name]))
    if cursor.rowcount == 0:
        return False
    key = cursor.lastrowid
    for name, values in rows.values.items():
        if name != GAME.name:
            width = len(TABLES[name].columns) - 1
            for start in range(0, len(values), width * ROWS_AT_ONCE):
                part = values[start : start + width * ROWS_AT_ONCE]
                db.execute(_insert(name, width, len(part) // width), (key, *part))
    seal_texts(db, "game", rows.game_id, key, rows.texts)
    return True


@cache
def _insert(table: str, width: int, count: int) -> str:
    """One statement for `count` rows of a game; its first value is the key of the game."""
    firsts = range(2, 2 + width * count, width)
    rows = (f"(?1, {', '.join(f'?{place}' for place in range(first, first + width))})" for first in firsts)
    return f"INSERT INTO {table} VALUES {', '.join(rows)}"
