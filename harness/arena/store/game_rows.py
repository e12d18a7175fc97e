"""Converts the record of a game into rows, and inserts them. Workers convert, to relieve the coordinator."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from harness.arena.records import GameRecord
from harness.arena.store.checksums import check_part, check_types, seal_texts, text_of_rows
from harness.arena.store.schema import GAME, PARTS, TABLES

ROWS_AT_ONCE = 64
"""Rows that one statement inserts. Measured: half the time of one statement per row."""


class GameRows(NamedTuple):
    """The rows of one game by table. The key of the game is missing: `insert_game` gives it.

    values   the values of all rows in one tuple (`Table.values_from`)
    texts    the texts that the checksum covers (`text_of_rows`)
    """

    game_id: str
    values: Mapping[str, tuple[Any, ...]]
    texts: Mapping[str, str]

    @classmethod
    def of(cls, record: GameRecord) -> GameRows:
        """The rows of a record."""
        values = {table.name: table.values_from(record) for table in PARTS["game"]}
        texts = {table.name: text_of_rows(values[table.name], table.width) for table in PARTS["game"]}
        return cls(record.game.id, values, texts)


def insert_game(db: sqlite3.Connection, rows: GameRows) -> bool:
    """Insert a game. Returns False, without a change, if it is stored already."""
    insert = GAME.insert.replace("INSERT", "INSERT OR IGNORE")
    cursor = db.execute(insert, (None, *rows.values[GAME.name]))
    if cursor.rowcount == 0:
        return False
    key = cursor.lastrowid
    for name, values in rows.values.items():
        if name != GAME.name:
            width = TABLES[name].width
            for start in range(0, len(values), width * ROWS_AT_ONCE):
                part = values[start : start + width * ROWS_AT_ONCE]
                db.execute(_insert(name, width, len(part) // width), (key, *part))
    seal_texts(db, "game", rows.game_id, key, rows.texts)
    return True


def insert_checked(db: sqlite3.Connection, rows: GameRows) -> bool:
    """Insert a game from another machine. Returns False, without a change, if it is stored already.

    Raises UnsoundPartError for values that conform does not write, and UnsoundPartError or ValueError if
    `rows.game_id` is not the id in `rows.values`. The caller must then roll back.
    """
    check_types(chain(*rows.values.values()))
    is_new = insert_game(db, rows)
    ((key,),) = db.execute("SELECT id FROM game WHERE game_id = ?", (rows.game_id,))
    check_part(db, "game", key)
    return is_new


@cache
def _insert(table: str, width: int, count: int) -> str:
    """One statement for `count` rows of a game; its first value is the key of the game."""
    firsts = range(2, 2 + width * count, width)
    rows = (f"(?1, {', '.join(f'?{index}' for index in range(first, first + width))})" for first in firsts)
    return f"INSERT INTO {table} VALUES {', '.join(rows)}"
