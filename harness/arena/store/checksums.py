"""Checksums over the rows of a store, and the search for damage.

A checksum covers one part of the store: a game with its rows, its audit, a config, an engine, an event, the
diagnosis of a bot. It is written in the transaction that writes the part. A later change of the file by a
disk or a program is therefore noticed, and only the changed parts are lost. A *part* of one kind is stored in
the rows of one or more tables (`PARTS`) that have its key; its label names it in messages (see `Table`).

A checksum does not show who wrote the file: a stranger can make checksums, too. So the values of the rows are
checked as well, and readers rely on them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import repeat
from typing import Any

from harness.arena.clock import TimeControl
from harness.arena.records import FAILURES
from harness.arena.store.errors import MOST_NAMED, Damage, UnsoundPartError
from harness.arena.store.schema import GAME, PARTS, TABLES
from harness.arena.store.table import Table

DIGEST_BYTES = 16
_GAME_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
"""The form of a game id. Ids become file names: another form could lead out of the folder."""
_MOVES = re.compile(r"(?:[bw](?:[A-HJ-Z][1-9]\d?|pass) )*", re.ASCII)
_ENDINGS = "SELECT game_id, winner, result, reason, offender FROM game ORDER BY number, pair"
_NO_ROWS = repr([])
_KEY = "\0"  # stands for the key of the part in `text_of_rows`; no `repr` of a value has this character

Rows = list[tuple[Any, ...]]


class _Key:
    """A value whose `repr` is _KEY."""

    def __repr__(self) -> str:
        return _KEY


def rows_of(
    db: sqlite3.Connection, part: str, key: object, *, empty: Collection[str] = ()
) -> dict[str, Rows]:
    """Return by table all rows of the part that has this key. `empty`: tables known to have no row at all."""
    return {table.name: [] if table.name in empty else _rows(db, table, key) for table in PARTS[part]}


def _rows(db: sqlite3.Connection, table: Table, key: object) -> Rows:
    try:
        return db.execute(table.rows_of_part, (key,)).fetchall()
    except sqlite3.OperationalError:
        if table.optional and not _is_present(db, table.name):
            return []
        raise


def seal(db: sqlite3.Connection, part: str, key: object) -> None:
    """Read the rows of a part and store its checksum. Called in the transaction that writes the part."""
    rows = rows_of(db, part, key)
    _store(db, part, _label(part, rows), _digest(rows))


def seal_texts(db: sqlite3.Connection, part: str, label: str, key: object, texts: Mapping[str, str]) -> None:
    """Store the checksum of a part whose rows need not be read back.

    label       the text that names the part (`Table.label`)
    texts       by table, the `text_of_rows` of all rows of the part
    """
    with_key = {table: text.replace(_KEY, repr(key)) for table, text in texts.items()}
    _store(db, part, label, _digest_texts(with_key))


def text_of_rows(values: Sequence[Any], width: int) -> str:
    """Return the text that a checksum covers, for rows of `width` values whose part has no key yet.

    The comments (5, "good", 7, "bad") of width 2 give "[(_KEY, 5, 'good'), (_KEY, 7, 'bad')]"; `seal_texts`
    puts the key in place of _KEY. The values must be those that SQLite returns: floats for REAL, and no
    negative zero.
    """
    return repr(list(zip(repeat(_Key()), *[iter(values)] * width, strict=False)))


def unseal(db: sqlite3.Connection, part: str, label: str) -> None:
    """Remove the checksum of a part. Called in the transaction that removes the part."""
    db.execute("DELETE FROM checksum WHERE part = ? AND id = ?", (part, label))


def damages(db: sqlite3.Connection) -> Iterator[Damage]:
    """Yield every part that is damaged or gone; of the rows without a part, only the first MOST_NAMED.

    A part may come several times.
    """
    for part in PARTS:
        if not TABLES[part].later or _is_present(db, part):
            yield from _changed(db, part)
    for table in TABLES.values():
        if table.condition and (not table.later or _is_present(db, table.name)):
            for key in set(odd_rows(db, table)):
                label = _label_in_message(db, table.part, key)
                yield Damage(table.part, label, "has a value that conform does not write")
    for name, *_ in db.execute("PRAGMA foreign_key_check").fetchmany(MOST_NAMED):
        yield Damage(TABLES[name].part, name, "has a row of a part that is gone")
    for game_id, winner, result, reason, offender in db.execute(_ENDINGS).fetchall():
        if not is_game_id(game_id):
            yield Damage("game", str(game_id)[:40], "has an id that conform does not give")
        elif contradiction := contradiction_in(winner, result, reason, offender):
            yield Damage("game", str(game_id), contradiction)


def odd_rows(db: sqlite3.Connection, table: Table, key: object | None = None) -> Iterator[object]:
    """Yield the key of each row with a value that conform does not write; a key may come several times.

    key   check only the rows with this key; None: all rows
    """
    db.create_function("is_moves", 1, _is_moves, deterministic=True)
    db.create_function("is_time_control", 1, _is_time_control, deterministic=True)
    query = f"SELECT {table.key} FROM {table.name} WHERE ({table.condition}) IS NOT TRUE"
    only, parameters = ("", ()) if key is None else (f" AND {table.key} = ?", (key,))
    for (found,) in db.execute(query + only, parameters):
        yield found


def _is_moves(moves: object) -> bool:
    return isinstance(moves, str) and (not moves or _MOVES.fullmatch(f"{moves} ") is not None)


def _is_time_control(text: object) -> bool:
    try:
        TimeControl.parse(text if isinstance(text, str) else "")
    except ValueError:
        return False
    return True


def is_game_id(text: object) -> bool:
    """Return True if a text has the form of a game id."""
    return isinstance(text, str) and _GAME_ID.fullmatch(text) is not None


def contradiction_in(winner: object, result: object, reason: object, offender: object) -> str:
    """Return in words what contradicts the rest of a game's ending; empty if nothing does."""
    letter = {"b": "B+", "w": "W+", None: "0"}.get(winner if isinstance(winner, str) else None)
    if letter is None or not isinstance(result, str) or not result.startswith(letter):
        return f"the winner {winner!r} contradicts the result {result!r}"
    if (reason in FAILURES) != (offender is not None) or (offender is not None and offender == winner):
        return f"the reason {reason!r} contradicts the offender {offender!r}"
    return ""


def sound_rows(db: sqlite3.Connection, part: str, key: object) -> dict[str, Rows] | None:
    """Return the rows of a part; None unless they exist, fit their checksum and have sound values."""
    try:
        rows = rows_of(db, part, key)
        if not rows[part]:
            return None
        query = "SELECT digest FROM checksum WHERE part = ? AND id = ?"
        if db.execute(query, (part, _label(part, rows))).fetchall() != [(_digest(rows),)]:
            return None
        for table in PARTS[part]:
            if table.condition and rows[table.name] and set(odd_rows(db, table, key)):
                return None
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    if part == "game":
        game = dict(zip(GAME.names, rows["game"][0], strict=True))
        endings = (game[column] for column in ("winner", "result", "reason", "offender"))
        if contradiction_in(*endings) or not is_game_id(game["game_id"]):
            return None
    return rows


def check_types(values: Iterable[object]) -> None:
    """Raise UnsoundPartError unless every value is of a type that SQLite stores."""
    for value in values:
        if value is not None and type(value) not in (int, float, str, bytes):
            raise UnsoundPartError(
                f"it has a value of type {type(value).__name__}, which SQLite does not store"
            )


def check_part(db: sqlite3.Connection, part: str, key: object) -> None:
    """Raise UnsoundPartError unless `sound_rows` finds the part."""
    if sound_rows(db, part, key) is None:
        raise UnsoundPartError(f"the {part} has values that conform does not write")


def _label(part: str, rows: Mapping[str, Rows]) -> str:
    """The text that names a part in the table of checksums, so that a lost game can still be named."""
    table = TABLES[part]
    return str(rows[part][0][table.names.index(table.label)])


def _label_in_message(db: sqlite3.Connection, part: str, key: object) -> str:
    """The text that names a part with damaged values in a message: for a game its id, if it has one."""
    if part != "game":
        return str(key)
    ids = [str(game_id) for (game_id,) in db.execute("SELECT game_id FROM game WHERE id = ?", (key,))]
    return ids[0][:40] if ids else f"row {key}"


def _is_present(db: sqlite3.Connection, table: str) -> bool:
    return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchall())


def _is_empty(db: sqlite3.Connection, table: str) -> bool:
    """Return True if a table has no row, or is missing."""
    return not (_is_present(db, table) and db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall())


def _changed(db: sqlite3.Connection, part: str) -> Iterator[Damage]:
    """Yield each part of this kind that cannot be read, differs from its checksum or has none, or is gone.

    A part that cannot be read comes twice, because its label is not known: by its key, and as gone.
    """
    expected = dict(db.execute("SELECT id, digest FROM checksum WHERE part = ?", (part,)).fetchall())
    empty = {table.name for table in PARTS[part] if table.optional and _is_empty(db, table.name)}
    for (key,) in db.execute(f"SELECT {TABLES[part].key} FROM {part}").fetchall():
        try:
            rows = rows_of(db, part, key, empty=empty)
        except sqlite3.OperationalError:  # a text that is no UTF-8 any more
            yield Damage(part, str(key), "cannot be read")
            continue
        label = _label(part, rows)
        digest = expected.pop(label, None)
        if digest is None:
            yield Damage(part, label, "has no checksum")
        elif digest != _digest(rows):
            yield Damage(part, label, "differs from its checksum")
    for label in expected:
        yield Damage(part, label, "is gone or cannot be read; its checksum is still there")


def _digest(rows: Mapping[str, Rows]) -> bytes:
    """The checksum of a part, from its rows by table."""
    return _digest_texts({table: repr(of_table) for table, of_table in rows.items()})


def _digest_texts(texts: Mapping[str, str]) -> bytes:
    """Return the checksum of a part; `texts`: by table, the text of its rows.

    An optional table without rows leaves the checksum as it is in a store that lacks the table.
    """
    digest = blake2b(digest_size=DIGEST_BYTES)
    for table, text in texts.items():
        if text != _NO_ROWS or not TABLES[table].optional:
            digest.update(text.encode())
    return digest.digest()


def _store(db: sqlite3.Connection, part: str, label: str, digest: bytes) -> None:
    """Store the checksum of a part, in place of its earlier one."""
    db.execute(TABLES["checksum"].insert.replace("INSERT", "INSERT OR REPLACE"), (part, label, digest))
