"""The store of a run: one SQLite file, the source of truth. The only SQL of the harness is in `store*.py`.

Each game is whole in one transaction, so a process can be killed at any moment. The write-ahead log has
`synchronous = NORMAL`: a killed process loses nothing; a power cut may lose the last games, which are then
played again, but never leaves half a game.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from harness.arena.config.tables import MatchConfig
from harness.arena.records import GameRecord, Introduction, Setup
from harness.arena.store.audit import AuditTables
from harness.arena.store.checksums import seal, seal_texts
from harness.arena.store.diagnosis import DiagnosisTables
from harness.arena.store.errors import DamagedStoreError, StoreError
from harness.arena.store.file import (
    WORKER_BUSY_SECONDS,
    connect,
    create,
    store_errors,
)
from harness.arena.store.game_rows import SEARCH_VALUES, GameRows
from harness.arena.store.opening import BUSY_SECONDS, LOG
from harness.arena.store.rows import (
    FirstSearch,
    GameResult,
    StoredEngine,
    StoredEvent,
    StoredFailure,
    StoredGame,
    StoredSearch,
)
from harness.arena.store.schema import FAILURE, GAME, GAME_PROGRAM, GAME_SETUP, GAME_TIME, SIDE
from harness.files import make_folder, os_reason

DATABASE = "run.db"
SEARCHES_AT_ONCE = 64
"""Rows of one statement: half the time of one each, and few enough statements for SQLite to keep compiled."""
LONG_LOG = 8 << 20
"""Bytes of a write-ahead log from which it is moved into the file: those of about a thousand games."""

Row = TypeVar("Row")

_ENGINE = "CASE {0} WHEN 'b' THEN black WHEN 'w' THEN white END"
_INSERT_GAME = GAME.insert.replace("INSERT", "INSERT OR IGNORE")
_SIDES = {column.name for column in GAME.columns if column.condition == SIDE}
_GAMES = f"""
    SELECT {", ".join(_ENGINE.format(name) if name in _SIDES else name for name in StoredGame._fields)}
    FROM game LEFT JOIN game_time ON game_time.game = game.id"""
_RESULTS = """
    SELECT game_id, pair, number, black, white, winner, offender, reason, line, black_seconds + white_seconds,
        move_count - opening_moves
    FROM game"""
_SEARCHES = """
    SELECT game_id, move, colour, CASE colour WHEN 'b' THEN black ELSE white END, vertex, nodes, score,
        seconds
    FROM game JOIN search ON search.game = game.id"""
_FIRST_SEARCHES = """
    SELECT CASE search.colour WHEN 'b' THEN black ELSE white END, game_id, moves, opening_moves, nodes
    FROM game JOIN search ON search.game = game.id AND search.move = game.opening_moves + 1
    WHERE nodes IS NOT NULL"""
_FAILURES = """
    SELECT game_id, failure.offender, reason, detail, command, exit, reproduce, transcript, other_transcript,
        stderr
    FROM failure JOIN game ON game.id = failure.game"""
_SECONDS = """
    SELECT CASE colour WHEN 'b' THEN black ELSE white END AS bot, avg(seconds)
    FROM game JOIN search ON search.game = game.id GROUP BY bot"""
_PROGRAMS = """
    SELECT game_id, game.black, game_program.black, game.white, game_program.white
    FROM game JOIN game_program ON game_program.game = game.id ORDER BY game.id"""
_SETUP = "SELECT stones, handicap FROM game_setup JOIN game ON game.id = game_setup.game WHERE game_id = ?"
_PLAYERS = "SELECT DISTINCT black FROM game UNION SELECT DISTINCT white FROM game"
_IN_ORDER = " ORDER BY game.number, game.pair"


class Store:
    """An open store. Every error of SQLite is raised as StoreError.

    Games come in schedule order. An iterator reads the file as it is consumed, so that a long table is never
    in memory as a whole.
    """

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db

    @classmethod
    def create(cls, folder: Path) -> Store:
        """Open the store in `folder`; create the folder and the store where they are missing."""
        path = folder / DATABASE
        try:
            make_folder(folder)
        except OSError as error:
            raise StoreError(folder, f"the folder cannot be created: {os_reason(error)}") from None
        if not path.exists():
            create(path)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path, *, read_only: bool = False, checked: bool = True) -> Store:
        """Open the store in `folder`. A file that is damaged, or not a store, is left unchanged.

        checked     read the whole file to look for damage; False for a reader that opens it every few seconds
        """
        path = folder / DATABASE
        if not path.exists():
            raise StoreError(folder, f"no run is stored there ({DATABASE} is missing)")
        return cls(path, connect(path, read_only=read_only, checked=checked))

    @classmethod
    def open_in_worker(cls, folder: Path) -> Store:
        """Open the store that the coordinator has open, as one of several processes that write."""
        path = folder / DATABASE
        db = connect(path, read_only=False, checked=False, busy_seconds=WORKER_BUSY_SECONDS)
        db.execute("PRAGMA wal_autocheckpoint = 0")  # the coordinator calls `checkpoint`
        return cls(path, db)

    def close(self) -> None:
        """Close the file. A store that is not closed loses nothing."""
        with store_errors(self.path):
            self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- written by the coordinator and by workers ---------------------------------------------------------

    def add(self, record: GameRecord) -> bool:
        """Store a finished game. Return False, and change nothing, if it is stored already."""
        return self.add_all([GameRows.of(record)])[0]

    def add_all(self, games: Sequence[GameRows]) -> list[bool]:
        """Store finished games, all or none. For each: False, and no change, if it is stored already."""
        with self._transaction() as db:
            return [_add(db, rows) for rows in games]

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file if it has become long.

        What others write meanwhile stays in the log, which would grow for ever. So a second checkpoint keeps
        them out for the moment that this rest takes, unless somebody writes or reads just then.
        """
        log = self.path.with_name(f"{DATABASE}{LOG}")
        if not log.exists() or log.stat().st_size < LONG_LOG:
            return
        with store_errors(self.path):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._db.execute("PRAGMA busy_timeout = 0")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS:.0f}")

    def set_config(self, config: MatchConfig, at: str) -> None:
        """Make `config` the config of the run from now on. New engines get the next positions."""
        with self._transaction() as db:
            row = db.execute("INSERT INTO config (at, text) VALUES (?, ?)", (at, config.model_dump_json()))
            seal(db, "config", row.lastrowid or 0)
            for name in config.engines:
                db.execute(
                    "INSERT OR IGNORE INTO engine (name, position) SELECT ?, count(*) FROM engine", (name,)
                )
                seal(db, "engine", name)

    def introduce(self, introduction: Introduction) -> None:
        """Store what an engine reported about itself."""
        i = introduction
        with self._transaction() as db:
            db.execute(
                "UPDATE engine SET reported_name = ?, reported_version = ?, playouts = ? WHERE name = ?",
                (i.name, i.version, i.playouts, i.engine),
            )
            seal(db, "engine", i.engine)

    def note(self, kind: str, text: str, at: str) -> None:
        """Store an event of the run."""
        with self._transaction() as db:
            row = db.execute("INSERT INTO event (at, kind, text) VALUES (?, ?, ?)", (at, kind, text))
            seal(db, "event", row.lastrowid or 0)

    # --- read by judges and reports ------------------------------------------------------------------------

    def config(self) -> MatchConfig | None:
        """The config of the run; None for a store without one. Raises DamagedStoreError if it is none."""
        newest = "SELECT text FROM config ORDER BY id DESC LIMIT 1"
        texts = list(self._each(newest, lambda row: str(row[0])))
        if not texts:
            return None
        try:
            config = MatchConfig.model_validate_json(texts[0])
        except ValidationError:
            raise DamagedStoreError(self.path, "its config is none") from None
        names = {*self.engine_names(), *self._each(_PLAYERS, lambda row: str(row[0]))}
        if not names <= config.engines.keys():
            raise DamagedStoreError(self.path, "it has engines that are not in its config")
        return config

    def engines(self) -> list[StoredEngine]:
        """The engines in the order in which they were added, which numbers the pairs."""
        query = "SELECT name, reported_name, reported_version, playouts FROM engine ORDER BY position"
        return list(self._each(query, StoredEngine._make))

    def engine_names(self) -> list[str]:
        """The names of the engines, in the same order."""
        return [engine.name for engine in self.engines()]

    def played(self) -> list[tuple[int, int]]:
        """(pair, number) of every stored game, in no particular order."""
        return list(self._each("SELECT pair, number FROM game", tuple))

    def results(self) -> Iterator[GameResult]:
        """The result of every game."""
        return self._each(_RESULTS + _IN_ORDER, GameResult._make)

    def results_after(self, key: int) -> list[tuple[int, GameResult]]:
        """The results stored after the game with this key (0: all), in that order, with their keys."""
        query = f"{_RESULTS.replace('SELECT', 'SELECT game.id,')} WHERE game.id > ? ORDER BY game.id"
        return list(self._each(query, lambda row: (row[0], GameResult._make(row[1:])), (key,)))

    def programs_between(
        self, after: int, last: int
    ) -> Iterator[tuple[str, str, str | None, str, str | None]]:
        """The rows of `programs` of the games with these keys."""
        query = _PROGRAMS.replace("ORDER BY", "WHERE game.id > ? AND game.id <= ? ORDER BY")
        return self._each(query, tuple, (after, last))

    def first_searches_between(self, after: int, last: int) -> Iterator[FirstSearch]:
        """The first searches on the empty board of the games with these keys, in the order of the keys."""
        query = _FIRST_SEARCHES + " AND opening_moves = 0 AND game.id > ? AND game.id <= ? ORDER BY game.id"
        return self._each(query, _first_search, (after, last))

    def games(self) -> Iterator[StoredGame]:
        """Every game."""
        return self._each(_GAMES + _IN_ORDER, StoredGame._make)

    def games_of_pair(self, pair: int) -> Iterator[StoredGame]:
        """The games of one pair by number."""
        return self._each(_GAMES + " WHERE pair = ?" + _IN_ORDER, StoredGame._make, (pair,))

    def game(self, game_id: str) -> StoredGame:
        """One game. Raises KeyError if it is not stored."""
        games = list(self._each(_GAMES + " WHERE game_id = ?", StoredGame._make, (game_id,)))
        if not games:
            raise KeyError(game_id)
        return games[0]

    def searches(self) -> Iterator[StoredSearch]:
        """Every search, game by game."""
        return self._each(_SEARCHES + _IN_ORDER + ", search.move", StoredSearch._make)

    def searches_of_game(self, game_id: str) -> list[StoredSearch]:
        """The searches of one game."""
        query = _SEARCHES + " WHERE game_id = ? ORDER BY search.move"
        return list(self._each(query, StoredSearch._make, (game_id,)))

    def setup_of_game(self, game_id: str) -> Setup | None:
        """The set-up of the opening of one game; None if its opening sets up no stones."""
        return next(self._each(_SETUP, Setup._make, (game_id,)), None)

    def first_searches(self, *, empty_board: bool = False) -> Iterator[FirstSearch]:
        """The first search of every game that reported its nodes; `empty_board`: games without an opening."""
        query = _FIRST_SEARCHES + " AND opening_moves = 0" * empty_board + _IN_ORDER
        return self._each(query, _first_search)

    def failures(self) -> Iterator[StoredFailure]:
        """Every failed game."""
        return self._each(_FAILURES + _IN_ORDER, StoredFailure._make)

    def failures_of(self, game_ids: Iterable[str]) -> Iterator[StoredFailure]:
        """The failures of these games, as far as they failed."""
        for game_id in game_ids:
            yield from self._each(_FAILURES + " WHERE game_id = ?", StoredFailure._make, (game_id,))

    def programs(self) -> Iterator[tuple[str, str, str | None, str, str | None]]:
        """(game, black, its program, white, its program) in the order in which the games were stored."""
        return self._each(_PROGRAMS, tuple)

    def seconds_per_move(self) -> dict[str, float]:
        """The mean time of a genmove of each engine that has played. Seconds."""
        return dict(self._each(_SECONDS, lambda row: (str(row[0]), float(row[1]))))

    def search_seconds(self) -> float:
        """The time of all searches together."""
        return sum(self._each("SELECT total(seconds) FROM search", lambda row: float(row[0])))

    def events(self) -> list[StoredEvent]:
        """What happened to the run, oldest first."""
        return list(self._each("SELECT at, kind, text FROM event ORDER BY id", StoredEvent._make))

    @property
    def audit(self) -> AuditTables:
        """The audit of the run."""
        return AuditTables(self.path, self._db, self._transaction)

    @property
    def diagnoses(self) -> DiagnosisTables:
        """What the bots that the audit found different look like."""
        return DiagnosisTables(self.path, self._db, self._transaction)

    def _each(
        self, query: str, make: Callable[[Any], Row], parameters: tuple[object, ...] = ()
    ) -> Iterator[Row]:
        """The rows of a query, one after another."""
        with store_errors(self.path):
            yield from map(make, self._db.execute(query, parameters))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with store_errors(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")


def _add(db: sqlite3.Connection, rows: GameRows) -> bool:
    """Insert a game; False if it is there."""
    cursor = db.execute(_INSERT_GAME, (None, *rows.game))
    if cursor.rowcount == 0:
        return False
    key = cursor.lastrowid
    step = SEARCH_VALUES * SEARCHES_AT_ONCE
    for start in range(0, len(rows.searches), step):
        values = rows.searches[start : start + step]
        db.execute(_insert_searches(len(values) // SEARCH_VALUES), (key, *values))
    if rows.failure is not None:
        db.execute(FAILURE.insert, (key, *rows.failure))
    if rows.programs is not None:
        db.execute(GAME_PROGRAM.insert, (key, *rows.programs))
    if rows.setup is not None:
        db.execute(GAME_SETUP.insert, (key, *rows.setup))
    if rows.duration is not None:
        db.execute(GAME_TIME.insert, (key, *rows.duration))
    seal_texts(db, "game", rows.game_id, key, rows.texts)
    return True


@cache
def _insert_searches(count: int) -> str:
    """One statement for `count` searches of a game; its first value is the key of the game."""
    rows = []
    for number in range(count):
        first = 2 + number * SEARCH_VALUES
        rows.append(f"(?1, {', '.join(f'?{place}' for place in range(first, first + SEARCH_VALUES))})")
    return f"INSERT INTO search VALUES {', '.join(rows)}"


def _first_search(row: tuple[Any, ...]) -> FirstSearch:
    bot, game_id, moves, length, nodes = row
    return FirstSearch(bot, game_id, tuple(moves.split(" ", length)[:length]), nodes)
