"""Checksums over the rows of a store, and the search for damage.

A checksum covers one part of the store: a game with all that belongs to it, a config, an engine, an event. It
is written in the transaction that writes the part. A disk or a program that changes a byte of the file later
is noticed, and only the parts that have changed are lost.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

from harness.arena.records import FAILURES
from harness.arena.store.errors import Damage
from harness.arena.store.schema import GAME, TABLES
from harness.arena.store.values import odd_rows

DIGEST_BYTES = 16
_GAME_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
"""Ids become names of files, so that an id of another form could lead out of the folder of the run."""

Rows = list[tuple[Any, ...]]

PARTS: Mapping[str, Mapping[str, str]] = {
    "config": {"config": "SELECT * FROM config WHERE id = ?"},
    "engine": {"engine": "SELECT * FROM engine WHERE name = ?"},
    "event": {"event": "SELECT * FROM event WHERE id = ?"},
    "game": {
        "game": "SELECT * FROM game WHERE id = ?",
        "search": "SELECT * FROM search WHERE game = ? ORDER BY move",
        "failure": "SELECT * FROM failure WHERE game = ?",
        "game_program": "SELECT * FROM game_program WHERE game = ?",
        "game_setup": "SELECT * FROM game_setup WHERE game = ?",
        "game_time": "SELECT * FROM game_time WHERE game = ?",
    },
    "audit_game": {
        "audit_game": "SELECT * FROM audit_game WHERE game = ?",
        "audit_search": "SELECT * FROM audit_search WHERE game = ? ORDER BY move",
        "audit_choice": "SELECT * FROM audit_choice WHERE game = ? ORDER BY move",
        "audit_leaning": "SELECT * FROM audit_leaning WHERE game = ? ORDER BY move",
    },
    "audit_diagnosis": {
        "audit_diagnosis": "SELECT * FROM audit_diagnosis WHERE bot = ?",
        "audit_suspect": "SELECT * FROM audit_suspect WHERE bot = ? ORDER BY place",
    },
}
"""For each kind of part: the tables that its checksum covers, with the query for its rows by its key.

A new table of the store gets an entry here, or a query in the entry of what it belongs to.
"""
KEYS = {
    "config": "id", "engine": "name", "event": "id", "game": "id", "audit_game": "game",
    "audit_diagnosis": "bot",
}  # fmt: skip
"""The key of each kind of part: the first column of its own table."""
_NAME = {"config": 0, "engine": 0, "event": 0, "game": 1, "audit_game": 0, "audit_diagnosis": 0}
"""The column under whose value a checksum is stored: a game that is gone can then be named."""
_ENDINGS = "SELECT game_id, winner, result, reason, offender FROM game ORDER BY number, pair"


def rows_of(db: sqlite3.Connection, part: str, key: object) -> dict[str, Rows]:
    """All rows of a part by their tables."""
    return {table: _rows(db, table, query, key) for table, query in PARTS[part].items()}


def _rows(db: sqlite3.Connection, table: str, query: str, key: object) -> Rows:
    try:
        return db.execute(query, (key,)).fetchall()
    except sqlite3.OperationalError:
        if TABLES[table].optional and not _present(db, table):
            return []
        raise


def seal(db: sqlite3.Connection, part: str, key: object) -> None:
    """Read a part back and store its checksum. Called in the transaction that writes the part."""
    rows = rows_of(db, part, key)
    _store(db, part, str(rows[part][0][_NAME[part]]), _digest(rows))


def seal_texts(db: sqlite3.Connection, part: str, name: str, key: object, texts: Mapping[str, str]) -> None:
    """The same without reading back.

    name       of the part
    texts      by table, the `row_texts` of all rows of the part
    """
    with_key = {table: texts[table].replace(_KEY, repr(key)) for table in PARTS[part]}
    _store(db, part, name, _digest_texts(with_key))


def _store(db: sqlite3.Connection, part: str, name: str, digest: bytes) -> None:
    db.execute("INSERT OR REPLACE INTO checksum VALUES (?, ?, ?)", (part, name, digest))


def row_texts(rows: Iterable[tuple[Any, ...]]) -> str:
    """What the checksum of a part covers of the rows of a table, each without the key of the part before it.

    The values must be those that SQLite returns: floats for REAL, and no negative zero.
    """
    return repr([(_Key(), *row) for row in rows])


_NO_ROWS = repr([])
_KEY = "\0"  # stands for the key of the part; `repr` writes no such character


class _Key:
    def __repr__(self) -> str:
        return _KEY


def unseal(db: sqlite3.Connection, part: str, name: str) -> None:
    """Remove the checksum of a part. Called in the transaction that removes the part."""
    db.execute("DELETE FROM checksum WHERE part = ? AND id = ?", (part, name))


def damages(db: sqlite3.Connection) -> Iterator[Damage]:
    """Every part that is damaged or gone."""
    for part in PARTS:
        if not TABLES[part].later or _present(db, part):
            yield from _changed(db, part)
    for part, of_part in PARTS.items():
        for table in of_part:
            if TABLES[table].condition and (not TABLES[table].optional or _present(db, table)):
                for key in set(odd_rows(db, table)):
                    yield Damage(part, _name_of(db, part, key), "has a value that conform does not write")
    for game_id, winner, result, reason, offender in db.execute(_ENDINGS).fetchall():
        if not is_game_id(game_id):
            yield Damage("game", str(game_id)[:40], "has an id that conform does not give")
        elif contradiction := contradiction_in(winner, result, reason, offender):
            yield Damage("game", str(game_id), contradiction)


def is_game_id(text: object) -> bool:
    """A text has the form of the ids of games."""
    return isinstance(text, str) and _GAME_ID.fullmatch(text) is not None


def contradiction_in(winner: object, result: object, reason: object, offender: object) -> str:
    """What in the ending of a game contradicts the rest; empty if nothing does."""
    letter = {"b": "B+", "w": "W+", None: "0"}.get(winner if isinstance(winner, str) else None)
    if letter is None or not isinstance(result, str) or not result.startswith(letter):
        return f"the winner {winner!r} contradicts the result {result!r}"
    if (reason in FAILURES) != (offender is not None) or (offender is not None and offender == winner):
        return f"the reason {reason!r} contradicts the offender {offender!r}"
    return ""


def sound_rows(db: sqlite3.Connection, part: str, key: object) -> dict[str, Rows] | None:
    """The rows of a part; None unless they can be read, fit their checksum and are free of contradictions."""
    try:
        rows = rows_of(db, part, key)
        if not rows[part]:
            return None
        query = "SELECT digest FROM checksum WHERE part = ? AND id = ?"
        name = str(rows[part][0][_NAME[part]])
        if db.execute(query, (part, name)).fetchall() != [(_digest(rows),)]:
            return None
        for table, of_table in rows.items():
            if TABLES[table].condition and of_table and set(odd_rows(db, table, key)):
                return None
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    if part == "game":
        game = dict(zip(GAME.names, rows["game"][0], strict=True))
        endings = (game[column] for column in ("winner", "result", "reason", "offender"))
        if contradiction_in(*endings) or not is_game_id(game["game_id"]):
            return None
    return rows


def _name_of(db: sqlite3.Connection, part: str, key: object) -> str:
    """The name of a part in messages: of a game, the id."""
    if part != "game":
        return str(key)
    ids = [str(game_id) for (game_id,) in db.execute("SELECT game_id FROM game WHERE id = ?", (key,))]
    return ids[0][:40] if ids else f"row {key}"


def _present(db: sqlite3.Connection, table: str) -> bool:
    return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchall())


def _changed(db: sqlite3.Connection, part: str) -> Iterator[Damage]:
    expected = dict(db.execute("SELECT id, digest FROM checksum WHERE part = ?", (part,)).fetchall())
    for (key,) in db.execute(f"SELECT {KEYS[part]} FROM {part}").fetchall():
        try:
            rows = rows_of(db, part, key)
        except sqlite3.OperationalError:  # a text that is no UTF-8 any more
            yield Damage(part, str(key), "cannot be read")
            continue
        name = str(rows[part][0][_NAME[part]])
        digest = expected.pop(name, None)
        if digest is None:
            yield Damage(part, name, "has no checksum")
        elif digest != _digest(rows):
            yield Damage(part, name, "differs from its checksum")
    for name in expected:
        yield Damage(part, name, "is gone or cannot be read; its checksum is still there")


def _digest(rows: Mapping[str, Rows]) -> bytes:
    """The checksum over the rows of all tables of a part."""
    return _digest_texts({table: repr(of_table) for table, of_table in rows.items()})


def _digest_texts(texts: Mapping[str, str]) -> bytes:
    """The checksum over the rows of all tables of a part, given as texts."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    for table, text in texts.items():
        if text != _NO_ROWS or not TABLES[table].optional:
            digest.update(text.encode())
    return digest.digest()
