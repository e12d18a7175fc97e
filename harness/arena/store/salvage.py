"""Saves the sound games, configs, engines and events of a damaged store into a new store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from harness.arena.config.pairs import players_of_pairs
from harness.arena.config.tables import MatchConfig
from harness.arena.store.checksums import Rows, is_game_id, seal, sound_rows
from harness.arena.store.errors import NOTHING_KEPT, StoreError
from harness.arena.store.file import connect, connect_damaged
from harness.arena.store.schema import TABLES
from harness.arena.store.store import DATABASE, Store
from harness.files import timestamp

MOST_NAMED = 20
"""Lost games that a sentence names. Chosen: about three lines."""
MOST_PROBED = 1_000_000
"""Most keys between two readable rows that are tried one by one. Chosen: about a minute of work."""
PartRows = dict[str, Rows]
"""By table, the rows of one part of a run. Its kind ("game", "config", "engine" or "event") is the name of
its main table, where it has one row that begins with its key."""


@dataclass(frozen=True)
class Salvage:
    """The number of games that were saved, and the ids of the `lost` ones, where they are known."""

    kept: int
    lost: tuple[str, ...]

    def __str__(self) -> str:
        named = ", ".join(self.lost[:MOST_NAMED]) + (" …" if len(self.lost) > MOST_NAMED else "")
        lost = "1 is" if len(self.lost) == 1 else f"{len(self.lost)} are"
        kept = "1 game is sound and was" if self.kept == 1 else f"{self.kept} games are sound and were"
        return f"{kept} kept; {f'{lost} lost ({named})' if self.lost else 'no other game is known'}"


def salvage(folder: Path, target: Path) -> Salvage:
    """Copy the sound games, configs, engines and events of the store in `folder` into a new one in `target`.

    The damaged store is only read. The audit is not copied. Damaged events and configs are left out without
    notice; the last sound config becomes that of the run. Games of other players than this config has for
    their pair are lost. Raises StoreError if no config can be read, or if `target` has a store.
    """
    path = folder / DATABASE
    if (target / DATABASE).exists():
        raise StoreError(target, f"has a {DATABASE} already; choose another folder")
    with closing(connect_damaged(path)) as old:
        configs = [rows for rows in _sound(old, "config") if _is_config(_value(rows, "config", "text"))]
        if not configs:
            raise StoreError(path, f"is damaged so badly that its config cannot be read; {NOTHING_KEPT}")
        pairs = players_of_pairs(_config(configs[-1]), _names(configs))
        # Checksums are no secret: a file that somebody has written may have sound games of other players.
        games = [rows for rows in _sound(old, "game") if _players(rows) == pairs.get(_pair(rows))]
        parts = {
            "config": configs,
            "engine": list(_engines(old, configs)),
            "event": list(_sound(old, "event")),
            "game": games,
        }
        saved = Salvage(len(games), _lost_games(old, games))
    _write(target, parts)
    with Store.open(target) as store:
        store.note("salvaged", str(saved), timestamp())
    return saved


def _write(target: Path, parts: Mapping[str, Sequence[PartRows]]) -> None:
    """Write these parts, by kind, into a new store in `target`."""
    Store.create(target).close()
    with closing(connect(target / DATABASE, read_only=False)) as new:
        new.execute("BEGIN IMMEDIATE")
        for kind, found in parts.items():
            for rows in found:
                _insert(new, kind, rows)
        new.execute("COMMIT")


def _lost_games(old: sqlite3.Connection, kept: Sequence[PartRows]) -> tuple[str, ...]:
    """Return the ids of the games that are not kept, from the checksums or, without any, from the games."""
    known = _column(old, "SELECT id FROM checksum WHERE part = 'game'")
    known = known or _column(old, "SELECT game_id FROM game NOT INDEXED")
    return tuple(sorted(set(filter(is_game_id, known)) - {_value(rows, "game", "game_id") for rows in kept}))


def _engines(old: sqlite3.Connection, configs: Sequence[PartRows]) -> Iterator[PartRows]:
    """Yield the engines of the configs; a damaged one gets a row with its name and its position alone."""
    names = _names(configs)
    rows_of_engines = (rows["engine"][0] for rows in _sound(old, "engine"))
    # A row is (name, position, reported name, reported version, playouts).
    sound = {row[0]: row for row in rows_of_engines if row[0] in names and row[1] < len(names)}
    # Engines are never removed, so their positions are 0, 1, 2, … in the order of `_names`.
    free = iter(sorted(set(range(len(names))) - {row[1] for row in sound.values()}))
    for name in names:
        yield {"engine": [sound.get(name) or (name, next(free), None, None, None)]}


def _names(configs: Sequence[PartRows]) -> list[str]:
    """Return the names of the engines in the order in which they were added."""
    return list(dict.fromkeys(name for rows in configs for name in _config(rows).engines))


def _value(rows: PartRows, table: str, column: str) -> Any:
    """Return the value of a column in the first row of a part in this table."""
    return rows[table][0][TABLES[table].names.index(column)]


def _players(game: PartRows) -> frozenset[str]:
    return frozenset((_value(game, "game", "black"), _value(game, "game", "white")))


def _pair(game: PartRows) -> int:
    return int(_value(game, "game", "pair"))


def _config(rows: PartRows) -> MatchConfig:
    return MatchConfig.model_validate_json(str(_value(rows, "config", "text")))


def _is_config(text: object) -> bool:
    try:
        MatchConfig.model_validate_json(str(text))
    except ValidationError:
        return False
    return True


def _sound(db: sqlite3.Connection, kind: str) -> Iterator[PartRows]:
    """Yield the sound parts of this kind ("game", "config", …)."""
    for key in _keys(db, kind):
        rows = sound_rows(db, kind, key)
        if rows is not None:
            yield rows


def _keys(db: sqlite3.Connection, kind: str) -> list[Any]:
    """Return the keys of all rows that can be found, and the integers between them that damage may hide.

    The rows are read from both ends, each time up to the damage. At most MOST_PROBED integers are added.
    """
    column = TABLES[kind].key
    query = f"SELECT {column} FROM {kind} NOT INDEXED ORDER BY {column}"
    up, down = _column(db, query), _column(db, f"{query} DESC")
    found = {*up, *down}
    if up and down and isinstance(up[-1], int) and isinstance(down[-1], int):
        found.update(range(up[-1], min(down[-1], up[-1] + MOST_PROBED)))
    return sorted(found, key=lambda key: (isinstance(key, str), key))


def _column(db: sqlite3.Connection, query: str) -> list[Any]:
    """Return the first column of all rows before an unreadable row."""
    values = []
    try:
        for (value,) in db.execute(query):
            values.append(value)  # the rows before an error count
    except (sqlite3.Error, UnicodeDecodeError):
        pass
    return values


def _insert(db: sqlite3.Connection, kind: str, rows: PartRows) -> None:
    """Insert a part with its checksum; nothing if another part with its id is there already."""
    for table, of_table in rows.items():
        for row in of_table:
            cursor = db.execute(TABLES[table].insert.replace("INSERT", "INSERT OR IGNORE"), row)
            if table == kind and cursor.rowcount == 0:
                return  # without checksums, two rows may claim to be the same game
    seal(db, kind, rows[kind][0][0])
