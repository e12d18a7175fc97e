"""Checksums over the rows of a store, and the search for damage.

A checksum covers one part of the store: a game with all that belongs to it, a config, an engine, an event. It
is written in the transaction that writes the part. A disk or a program that changes a byte of the file later
is noticed, and only the parts that have changed are lost.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from harness.match.records import FAILURES

DIGEST_BYTES = 16

PARTS: Mapping[str, tuple[str, ...]] = {
    "config": ("SELECT * FROM config WHERE id = ?",),
    "engine": ("SELECT * FROM engine WHERE name = ?",),
    "event": ("SELECT * FROM event WHERE id = ?",),
    "game": (
        "SELECT * FROM game WHERE game_id = ?",
        "SELECT * FROM search WHERE game = ? ORDER BY move",
        "SELECT * FROM failure WHERE game = ?",
    ),
    "audit_game": (
        "SELECT * FROM audit_game WHERE game = ?",
        "SELECT * FROM audit_search WHERE game = ? ORDER BY move",
        "SELECT * FROM audit_choice WHERE game = ? ORDER BY move",
    ),
}
"""For each kind of part the queries for all rows that its checksum covers.

The first query gives one row. The other queries get the first column of that row.

A new table of the store gets an entry here, or a query in the entry of what it belongs to.
"""
LATER = ("audit_game",)
"""Parts that a store of an earlier version does not have."""
_KEYS = {"config": "id", "engine": "name", "event": "id", "game": "game_id", "audit_game": "game"}
_GAME_IDS = "SELECT game_id, winner, result, reason, offender FROM game ORDER BY number, pair"


class Damage(NamedTuple):
    """A part of a store that is not as it was written."""

    part: str  # a key of PARTS
    id: str
    what: str


def seal(db: sqlite3.Connection, part: str, key: str | int) -> None:
    """Store the checksum of a part. Called in the transaction that writes the part."""
    db.execute("INSERT OR REPLACE INTO checksum VALUES (?, ?, ?)", (part, str(key), _digest(db, part, key)))


def seal_all(db: sqlite3.Connection) -> None:
    """Store the checksums of all parts: for a store that was written without checksums."""
    for part, key in _KEYS.items():
        for (name,) in db.execute(f"SELECT {key} FROM {part}").fetchall():
            seal(db, part, name)


def damages(db: sqlite3.Connection, *, sealed: bool) -> Iterator[Damage]:
    """Every part that is damaged or gone. `sealed`: the store has checksums."""
    if sealed:
        for part in PARTS:
            if part not in LATER or _present(db, part):
                yield from _changed(db, part)
    for game_id, winner, result, reason, offender in db.execute(_GAME_IDS).fetchall():
        if contradiction := contradiction_in(winner, result, reason, offender):
            yield Damage("game", str(game_id), contradiction)


def contradiction_in(winner: object, result: object, reason: object, offender: object) -> str:
    """What in the ending of a game contradicts the rest; empty if nothing does."""
    letter = {"b": "B+", "w": "W+", None: "0"}.get(winner if isinstance(winner, str) else None)
    if letter is None or not isinstance(result, str) or not result.startswith(letter):
        return f"the winner {winner!r} contradicts the result {result!r}"
    if (reason in FAILURES) != (offender is not None) or (offender is not None and offender == winner):
        return f"the reason {reason!r} contradicts the offender {offender!r}"
    return ""


def sound(db: sqlite3.Connection, part: str, key: str | int) -> bool:
    """A part can be read and has its checksum."""
    try:
        stored = db.execute("SELECT digest FROM checksum WHERE part = ? AND id = ?", (part, str(key)))
        row = stored.fetchone()
        return row is not None and row[0] == _digest(db, part, key)
    except sqlite3.Error:
        return False


def _present(db: sqlite3.Connection, table: str) -> bool:
    return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchall())


def _changed(db: sqlite3.Connection, part: str) -> Iterator[Damage]:
    expected = dict(db.execute("SELECT id, digest FROM checksum WHERE part = ?", (part,)).fetchall())
    for (key,) in db.execute(f"SELECT {_KEYS[part]} FROM {part}").fetchall():
        digest = expected.pop(str(key), None)
        if digest is None:
            yield Damage(part, str(key), "has no checksum")
            continue
        try:
            if digest != _digest(db, part, key):
                yield Damage(part, str(key), "differs from its checksum")
        except sqlite3.OperationalError:  # a text that is no UTF-8 any more
            yield Damage(part, str(key), "cannot be read")
    for key in expected:
        yield Damage(part, str(key), "is gone; its checksum is still there")


def _digest(db: sqlite3.Connection, part: str, key: str | int) -> bytes:
    digest = blake2b(digest_size=DIGEST_BYTES)
    first, *others = PARTS[part]
    rows = db.execute(first, (key,)).fetchall()
    digest.update(repr(rows).encode())
    for query in others:
        digest.update(repr(db.execute(query, rows[0][:1]).fetchall()).encode())
    return digest.digest()
