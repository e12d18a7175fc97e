"""The store of a run: one SQLite file, the source of truth. One transaction a game; kill it when you like.

Write-ahead log with `synchronous = NORMAL`: a killed process loses nothing; a power cut may lose the last
games, which are then played again, and never leaves half a game.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from harness.match.config import MatchConfig
from harness.match.records import GameRecord, Introduction

APPLICATION_ID = 0x434F4E46  # "CONF", in the header of the file
SCHEMA_VERSION = 1
BUSY_SECONDS = 5.0  # how long another program may hold the file
DATABASE = "run.db"

_SCHEMA = """
CREATE TABLE config (id INTEGER PRIMARY KEY, at TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE engine (name TEXT PRIMARY KEY, position INTEGER NOT NULL UNIQUE, reported_name TEXT,
    reported_version TEXT, playouts INTEGER) WITHOUT ROWID;
CREATE TABLE game (
    id INTEGER PRIMARY KEY, game_id TEXT NOT NULL UNIQUE, pair INTEGER NOT NULL, number INTEGER NOT NULL,
    black TEXT NOT NULL, white TEXT NOT NULL, size INTEGER NOT NULL, komi REAL NOT NULL,
    opening TEXT NOT NULL, opening_moves INTEGER NOT NULL, result TEXT NOT NULL, winner TEXT,
    reason TEXT NOT NULL, offender TEXT, detail TEXT NOT NULL, moves TEXT NOT NULL,
    move_count INTEGER NOT NULL, black_seconds REAL NOT NULL, white_seconds REAL NOT NULL,
    black_nodes INTEGER, white_nodes INTEGER, started TEXT NOT NULL, finished TEXT NOT NULL,
    line BLOB NOT NULL, UNIQUE (number, pair));
CREATE TABLE search (game INTEGER NOT NULL REFERENCES game, move INTEGER NOT NULL, colour TEXT NOT NULL,
    vertex TEXT NOT NULL, nodes INTEGER, score REAL, seconds REAL NOT NULL,
    PRIMARY KEY (game, move)) WITHOUT ROWID;
CREATE TABLE failure (game INTEGER PRIMARY KEY REFERENCES game, offender TEXT NOT NULL, command TEXT NOT NULL,
    exit TEXT NOT NULL, reproduce TEXT NOT NULL, transcript TEXT NOT NULL, other_transcript TEXT NOT NULL,
    stderr BLOB NOT NULL);
CREATE TABLE event (id INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL);
"""


class FileError(Exception):
    """A file that cannot be used, in one line that names it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class StoreError(FileError):
    """A store that cannot be used."""


class Store:
    """An open store. Whatever SQLite cannot do is a StoreError."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db

    @classmethod
    def create(cls, folder: Path) -> Store:
        """A new store in `folder`, which is made if need be; an existing one is opened."""
        path = folder / DATABASE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(folder, f"the folder cannot be made: {_reason(error)}") from None
        if not path.exists():
            _make(path)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path, *, read_only: bool = False) -> Store:
        """The store in `folder`. Nothing is changed in a file that is not ours, or not whole."""
        path = folder / DATABASE
        if not path.exists():
            raise StoreError(folder, f"no run is stored there ({DATABASE} is missing)")
        with _errors(path):
            db = _connect(path, _read_mode(path) if read_only else "rw")
            try:
                _recognise(path, db)
                if not read_only:
                    db.execute("PRAGMA journal_mode = WAL")
            except BaseException:
                db.close()
                raise
        return cls(path, db)

    def close(self) -> None:
        """Nothing is lost without it."""
        with _errors(self.path):
            self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- written by the coordinator ------------------------------------------------------------------------

    def add(self, record: GameRecord) -> bool:
        """Store a finished game; False, and nothing changes, if it is stored already."""
        with self._writing() as db:
            cursor = db.execute(_INSERT_GAME, _game_row(record))
            if cursor.rowcount == 0:
                return False
            row = cursor.lastrowid
            db.executemany(
                "INSERT INTO search VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(row, *search) for search in record.searches],
            )
            if record.failure is not None:
                f = record.failure
                db.execute(
                    "INSERT INTO failure VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        row,
                        f.offender,
                        f.command,
                        f.exit,
                        f.reproduce,
                        f.transcript,
                        f.other_transcript,
                        f.stderr,
                    ),
                )
        return True

    def set_config(self, config: MatchConfig, at: str) -> None:
        """From now on it holds; new engines get the next positions."""
        with self._writing() as db:
            db.execute("INSERT INTO config (at, text) VALUES (?, ?)", (at, config.model_dump_json()))
            for name in config.engines:
                db.execute(
                    "INSERT OR IGNORE INTO engine (name, position) SELECT ?, count(*) FROM engine", (name,)
                )

    def introduce(self, introduction: Introduction) -> None:
        """What an engine says about itself."""
        i = introduction
        with self._writing() as db:
            db.execute(
                "UPDATE engine SET reported_name = ?, reported_version = ?, playouts = ? WHERE name = ?",
                (i.name, i.version, i.playouts, i.engine),
            )

    def note(self, kind: str, text: str, at: str) -> None:
        """Something that happened to the run."""
        with self._writing() as db:
            db.execute("INSERT INTO event (at, kind, text) VALUES (?, ?, ?)", (at, kind, text))

    # --- read by everybody ---------------------------------------------------------------------------------

    def config(self) -> MatchConfig | None:
        """The config that holds; None for a store without one."""
        rows = self.rows("SELECT text FROM config ORDER BY id DESC LIMIT 1")
        return MatchConfig.model_validate_json(rows[0][0]) if rows else None

    def engines(self) -> list[str]:
        """The engines in the order in which they came in, which numbers the pairs."""
        return [name for (name,) in self.rows("SELECT name FROM engine ORDER BY position")]

    def played(self) -> list[tuple[int, int]]:
        """(pair, number) of every stored game."""
        return self.rows("SELECT pair, number FROM game")

    def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> list[Any]:
        """All rows of a query."""
        with _errors(self.path):
            return self._db.execute(query, parameters).fetchall()

    def each(self, query: str) -> Iterator[Any]:
        """The rows of a query one after another: of a long table not all are in memory at once."""
        with _errors(self.path):
            yield from self._db.execute(query)

    @property
    def connection(self) -> sqlite3.Connection:
        """For reports that read whole tables."""
        return self._db

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        with _errors(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")


_GAME_COLUMNS = (
    "game_id", "pair", "number", "black", "white", "size", "komi", "opening", "opening_moves", "result",
    "winner", "reason", "offender", "detail", "moves", "move_count", "black_seconds", "white_seconds",
    "black_nodes", "white_nodes", "started", "finished", "line",
)  # fmt: skip
_INSERT_GAME = (
    f"INSERT OR IGNORE INTO game ({', '.join(_GAME_COLUMNS)}) VALUES ({', '.join('?' * len(_GAME_COLUMNS))})"
)


def _game_row(record: GameRecord) -> tuple[Any, ...]:
    game, ending = record.game, record.ending
    moves = " ".join(f"{move.colour}{move.vertex}" for move in record.moves)
    return (
        game.id, game.pair, game.number, game.black, game.white, *record.board, record.opening,
        record.opening_moves, ending.result, ending.winner, ending.reason, ending.offender, ending.detail,
        moves, len(record.moves), record.seconds("b"), record.seconds("w"), record.nodes("b"),
        record.nodes("w"), record.started, record.finished, blake2b(moves.encode(), digest_size=16).digest(),
    )  # fmt: skip


def _make(path: Path) -> None:
    """An empty store, made aside and then moved: whenever we are killed, it is whole or not there."""
    aside = path.with_name(f".{path.name}.part")
    try:
        aside.unlink(missing_ok=True)
        with _errors(path):
            db = _connect(aside, "rwc")
            db.executescript(
                f"BEGIN; {_SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
                f"PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            )
            db.close()
        os.replace(aside, path)
    except OSError as error:
        raise StoreError(path, f"cannot be made: {_reason(error)}") from None


def _read_mode(path: Path) -> str:
    """On a medium that cannot be written SQLite reads a closed store only if told that nobody writes it."""
    open_log = path.with_name(path.name + "-wal").exists()
    return "ro" if open_log or os.access(path.parent, os.W_OK) else "ro&immutable=1"


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    db.execute("PRAGMA synchronous = NORMAL")
    return db


def _recognise(path: Path, db: sqlite3.Connection) -> None:
    """Raises StoreError unless it is a whole store of this version."""
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
            f"was written by {age} version of conform (schema {version}; this one reads {SCHEMA_VERSION} "
            "and converts none); use that version, or another folder",
        )
    ((state,),) = db.execute("PRAGMA quick_check(1)").fetchall()
    if state != "ok":
        raise StoreError(path, f"is damaged ({state.splitlines()[-1]}); nothing has been changed in it")


@contextmanager
def _errors(path: Path) -> Iterator[None]:
    """SQLite's errors as ours."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreError(path, _operational(error)) from None
    except sqlite3.IntegrityError:
        raise  # a bug of ours
    except sqlite3.DatabaseError as error:
        raise StoreError(path, f"is no database of conform, or damaged ({error})") from None


def _operational(error: sqlite3.OperationalError) -> str:
    primary = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    known = {
        sqlite3.SQLITE_BUSY: "is locked by another program",
        sqlite3.SQLITE_FULL: "the disk is full; what is stored is safe, run again when there is room",
        sqlite3.SQLITE_READONLY: "cannot be written",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened or made; may its folder be written?",
        sqlite3.SQLITE_IOERR: "the disk fails, or is full; what is stored is safe",
    }
    return known.get(primary, f"cannot be used ({error})")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
