"""The store of a run: one SQLite file, the source of truth. No other package of the harness has SQL.

Each game is stored in one transaction, so a process can be killed at any moment. The write-ahead log has
`synchronous = NORMAL`: a killed process loses nothing. A power cut may lose the last games, which are then
played again, but never leaves half a game.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from harness.arena.config.pairs import players_of_pairs
from harness.arena.config.tables import MatchConfig
from harness.arena.records import ClockReading, GameRecord, Introduction, Setup, moves_hash
from harness.arena.store.audit import AuditTables
from harness.arena.store.checksums import check_part, check_types, seal
from harness.arena.store.diagnosis import DiagnosisTables
from harness.arena.store.errors import DamagedStoreError, StoreError, no_run
from harness.arena.store.file import WORKER_BUSY_SECONDS, Database, connect, create, store_errors
from harness.arena.store.game_rows import GameRows, insert_checked, insert_game
from harness.arena.store.opening import BUSY_SECONDS, LOG
from harness.arena.store.recorded import RecordedTables
from harness.arena.store.rows import (
    FirstSearch,
    GameResult,
    ScoredGame,
    StoredClocks,
    StoredEngine,
    StoredEvent,
    StoredFailure,
    StoredGame,
    StoredSearch,
)
from harness.arena.store.schema import BESIDE_GAME, BOT, GAME, IN_ORDER, NAMED_SIDES, SEARCH, TABLES, select
from harness.arena.store.takeover import current_database, take_over
from harness.arena.verdicts import ScoreCounts
from harness.files import make_folder, os_reason
from harness.go import canonical_moves

DATABASE = "run.db"
LONG_LOG = 8 << 20
"""Size in bytes from which the write-ahead log is moved into the file: about a thousand games.

Chosen: a smaller number makes every process wait more often, a larger number makes readers slower.
"""
LAST_KEY = 2**63 - 1  # the largest that SQLite has

_SCORE = TABLES["game_score"]
_GAMES = select(StoredGame._fields, GAME, TABLES["game_time"], TABLES["game_handicap"], _SCORE, **NAMED_SIDES)
_DISPUTED = (
    select(ScoredGame._fields, GAME, _SCORE)
    + " WHERE area_result IS NOT NULL AND NOT (ifnull(black_says, area_result) = area_result"
    " AND ifnull(white_says, area_result) = area_result AND ifnull(referee_says, area_result) = area_result)"
)
_SCORES = """
    SELECT count(*), total(scored_by = 'players'), total(scored_by = 'referee'),
        total(black_says IS NOT NULL AND white_says IS NOT NULL),
        total(black_says = white_says), total(black_says = white_says AND black_says = area_result),
        total(black_says = white_says AND substr(black_says, 1, 1) = substr(area_result, 1, 1)),
        (SELECT count(*) FROM game WHERE reason = 'resign' AND id > ?1 AND id <= ?2)
    FROM game_score WHERE game > ?1 AND game <= ?2"""
_CELLS = [(table, column) for table in (GAME, *BESIDE_GAME) for column in table.columns if column.csv_name]
_GAME_CELLS = select(
    [f"{table.name}.{column.name}" for table, column in _CELLS],
    GAME,
    *BESIDE_GAME,
    **{f"game.{name}": bot for name, bot in NAMED_SIDES.items()},
)
_RESULTS = select(
    ("id", *GameResult._fields[:-1], "moves"),
    GAME,
    moves_hash="line",
    seconds="black_seconds + white_seconds",
    own_moves="move_count - opening_moves",
)
_SEARCHES = select(StoredSearch._fields, GAME, SEARCH, bot=BOT)
_FAILURES = select(StoredFailure._fields, GAME, TABLES["failure"])
_FIRST_SEARCHES = (
    select(("bot", "game_id", "moves", "opening_moves", "nodes"), GAME, SEARCH, bot=BOT, moves="game.moves")
    + " WHERE search.move = opening_moves + 1 AND nodes IS NOT NULL AND game.id > ? AND game.id <= ?"
)
_PROGRAMS = """
    SELECT game_id, game.black, game_program.black, game.white, game_program.white
    FROM game JOIN game_program ON game_program.game = game.id
    WHERE game.id > ? AND game.id <= ? ORDER BY game.id"""
_CLOCKS = "SELECT black_clock, white_clock FROM game_clock JOIN game ON game.id = game_clock.game"
_READINGS = "SELECT move, left, counted FROM search_clock JOIN game ON game.id = search_clock.game"
_PLAYERS = "SELECT DISTINCT pair, black, white FROM game"


class Store(Database):
    """An open store. The key of a game is its row id; keys grow in the order in which games are stored.

    Games come in schedule order, unless a method says otherwise. An iterator reads the file as it is
    consumed: a long table is never in memory as a whole.
    """

    @classmethod
    def create(cls, folder: Path) -> Self:
        """Open the store in `folder`; create the folder and the store where missing. Raises StoreError."""
        path = folder / DATABASE
        try:
            make_folder(folder)
        except OSError as error:
            raise StoreError(folder, f"the folder cannot be created: {os_reason(error)}") from None
        if not path.exists():
            create(path)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path, *, read_only: bool = False, checked: bool = True) -> Self:
        """Open the store in `folder`. A file that is damaged, or not a store, is left unchanged.

        checked     read the whole file to look for damage; False for a reader that opens it every few seconds
        Raises StoreError.
        """
        path = folder / DATABASE
        if read_only:  # a take-over that was killed may have left a newer file
            path = current_database(path)
        if not path.exists():
            raise no_run(folder, DATABASE)
        return cls(path, connect(path, read_only=read_only, checked=checked))

    @classmethod
    def take_over(cls, folder: Path) -> Self:
        """Open the store in `folder` to continue its run; create it where it is missing.

        The file is checked and written anew first. The caller holds the lock of the folder.
        """
        path = folder / DATABASE
        if not os.path.lexists(current_database(path)):
            return cls.create(folder)
        take_over(path)
        return cls(path, connect(path, read_only=False, checked=False))

    @classmethod
    def open_in_worker(cls, folder: Path) -> Self:
        """Open the store that the coordinator has open, as one of several processes that write."""
        path = folder / DATABASE
        db = connect(path, read_only=False, checked=False, busy_seconds=WORKER_BUSY_SECONDS)
        db.execute("PRAGMA wal_autocheckpoint = 0")  # the coordinator calls `checkpoint`
        return cls(path, db)

    def close(self) -> None:
        """Close the file. A store that is not closed loses nothing."""
        with store_errors(self.path):
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- written by the coordinator and by workers ---------------------------------------------------------

    def add(self, record: GameRecord) -> bool:
        """Store a finished game. Return False, and change nothing, if it is stored already."""
        return self.add_all([GameRows.of(record)])[0]

    def add_all(self, games: Sequence[GameRows], *, check: bool = False) -> list[bool]:
        """Store finished games, all or none. For each: False, and no change, if it is stored already.

        `check`: the rows come from another machine. Raises UnsoundPartError for values that conform does not
        write.
        """
        insert = insert_checked if check else insert_game
        with self.transaction() as db:
            return [insert(db, rows) for rows in games]

    def checkpoint(self, long_log: int = LONG_LOG) -> None:
        """Move the write-ahead log into the file if it has at least `long_log` bytes.

        The first checkpoint waits for nobody, and leaves in the log what others write meanwhile: with it
        alone, the log could grow for ever. The second one empties the log, unless somebody uses the file.
        """
        log = self.path.with_name(f"{DATABASE}{LOG}")
        if not log.exists() or log.stat().st_size < long_log:
            return
        with store_errors(self.path):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._db.execute("PRAGMA busy_timeout = 0")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS:.0f}")

    def set_config(self, config: MatchConfig, at: str) -> None:
        """Make `config` the config of the run from now on. New engines get the next positions."""
        with self.transaction() as db:
            row = db.execute(TABLES["config"].insert, (None, at, config.model_dump_json()))
            seal(db, "config", row.lastrowid or 0)
            for name in (engine.name for engine in config.players):
                db.execute(
                    "INSERT OR IGNORE INTO engine (name, position) SELECT ?, count(*) FROM engine", (name,)
                )
                seal(db, "engine", name)

    def introduce(self, introduction: Introduction, *, check: bool = False) -> None:
        """Store the report of an engine about itself. `check`: as in `add_all`."""
        i = introduction
        values = (i.name, i.version, i.playouts, i.engine)
        if check:
            check_types(values)
        with self.transaction() as db:
            db.execute(
                "UPDATE engine SET reported_name = ?, reported_version = ?, playouts = ? WHERE name = ?",
                values,
            )
            seal(db, "engine", i.engine)
            if check:
                check_part(db, "engine", i.engine)

    def note(self, kind: str, text: str, at: str) -> None:
        """Store an event of the run. `at`: its time in ISO 8601."""
        with self.transaction() as db:
            row = db.execute(TABLES["event"].insert, (None, at, kind, text))
            seal(db, "event", row.lastrowid or 0)

    # --- read by judges and reports ------------------------------------------------------------------------

    def config(self) -> MatchConfig | None:
        """The config of the run; None if there is none. Raises DamagedStoreError if it is not valid."""
        newest = self.first("SELECT text FROM config ORDER BY id DESC LIMIT 1")
        if newest is None:
            return None
        try:
            config = MatchConfig.model_validate_json(str(newest[0]))
        except ValidationError:
            raise DamagedStoreError(self.path, "its config cannot be read") from None
        names = self.engine_names()
        if not config.engines.keys() >= set(names):
            raise DamagedStoreError(self.path, "it has engines that are not in its config")
        pairs = players_of_pairs(config, names)
        for pair, black, white in self.each(_PLAYERS, tuple):
            if pairs.get(pair) != frozenset((black, white)):
                raise DamagedStoreError(self.path, f"its config has no pair {pair} of {black} and {white}")
        return config

    def engines(self) -> list[StoredEngine]:
        """The engines in the order in which they were added to the run, which numbers the pairs."""
        query = f"SELECT {', '.join(StoredEngine._fields)} FROM engine ORDER BY position"
        return list(self.each(query, StoredEngine._make))

    def engine_names(self) -> list[str]:
        """The names of the engines in the order of `engines`."""
        return [engine.name for engine in self.engines()]

    def played(self) -> list[tuple[int, int]]:
        """Return (pair, number) of every stored game, in no particular order."""
        return list(self.each("SELECT pair, number FROM game", tuple))

    def results(self) -> Iterator[GameResult]:
        """Yield the result of every game, in the order of the schedule."""
        return self.each(_RESULTS + IN_ORDER, _result)

    def results_after(self, key: int) -> list[tuple[int, GameResult]]:
        """Return (key, result) of the games stored after the game with this key (0: all), in this order."""
        query = f"{_RESULTS} WHERE game.id > ? ORDER BY game.id"
        return list(self.each(query, lambda row: (row[0], _result(row)), (key,)))

    def games(self) -> Iterator[StoredGame]:
        """Yield every game, in the order of the schedule."""
        return self.each(_GAMES + IN_ORDER, StoredGame._make)

    def last_games(self, number: int) -> Iterator[StoredGame]:
        """Yield the last games of the schedule, at most `number`, the last one first."""
        return self.each(f"{_GAMES} ORDER BY number DESC, pair DESC LIMIT ?", StoredGame._make, (number,))

    def games_of_pair(self, pair: int) -> Iterator[StoredGame]:
        """Yield the games of one pair, in the order of their numbers."""
        return self.each(f"{_GAMES} WHERE pair = ?{IN_ORDER}", StoredGame._make, (pair,))

    def game(self, game_id: str) -> StoredGame:
        """One game. Raises KeyError if it is not stored."""
        found = self.first(f"{_GAMES} WHERE game_id = ?", (game_id,))
        if found is None:
            raise KeyError(game_id)
        return StoredGame._make(found)

    def game_cells(self, game_ids: Iterable[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the stored columns of `games.csv` by name, of each of these stored games, in their order.

        game_ids   None: all games, in the order of the schedule
        """
        names = [column.csv_name for _, column in _CELLS]
        if game_ids is None:
            yield from self.each(_GAME_CELLS + IN_ORDER, lambda row: dict(zip(names, row, strict=True)))
        else:
            for game_id in game_ids:
                row = self.first(f"{_GAME_CELLS} WHERE game_id = ?", (game_id,))
                yield dict(zip(names, row, strict=True))

    def score_counts(self, after: int = 0, last: int = LAST_KEY) -> ScoreCounts:
        """Count the games by who scored them, and by what the engines report about their scores.

        after, last   only of games that were stored after the first key, up to the second
        """
        return ScoreCounts(*map(int, self.first(_SCORES, (after, last))))

    def disputed(self) -> Iterator[ScoredGame]:
        """The games of which a player or the referee reports another result than our own count."""
        return self.each(_DISPUTED + IN_ORDER, ScoredGame._make)

    def searches(self) -> Iterator[StoredSearch]:
        """Every search, game by game."""
        return self.each(f"{_SEARCHES}{IN_ORDER}, search.move", StoredSearch._make)

    def searches_of_game(self, game_id: str) -> list[StoredSearch]:
        """The searches of one game."""
        query = f"{_SEARCHES} WHERE game_id = ? ORDER BY search.move"
        return list(self.each(query, StoredSearch._make, (game_id,)))

    def setup_of_game(self, game_id: str) -> Setup | None:
        """The set-up of the opening of one game; None if its opening sets up no stones."""
        query = "SELECT stones, handicap FROM game_setup JOIN game ON game.id = game_setup.game"
        found = self.first(f"{query} WHERE game_id = ?", (game_id,))
        return None if found is None else Setup._make(found)

    @property
    def has_clocks(self) -> bool:
        """True if any game has a clock."""
        return self.first("SELECT 1 FROM game_clock LIMIT 1") is not None

    def clocks_of_game(self, game_id: str) -> StoredClocks | None:
        """The clocks of one game; None if no side has one."""
        found = self.first(f"{_CLOCKS} WHERE game_id = ?", (game_id,))
        if found is None:
            return None
        readings = self.each(f"{_READINGS} WHERE game_id = ? ORDER BY 1", ClockReading._make, (game_id,))
        return StoredClocks(found[0], found[1], tuple(readings))

    def first_searches(
        self, *, empty_board: bool = False, after: int = 0, last: int = LAST_KEY
    ) -> Iterator[FirstSearch]:
        """The first search after the opening of every game whose bot reported its nodes.

        empty_board     only of games without an opening
        after, last     only of games that were stored after the first key, up to the second
        """
        query = _FIRST_SEARCHES + " AND opening_moves = 0" * empty_board + IN_ORDER
        return self.each(query, _first_search, (after, last))

    def failures(self) -> Iterator[StoredFailure]:
        """Every failed game."""
        return self.each(_FAILURES + IN_ORDER, StoredFailure._make)

    def failures_of(self, game_ids: Iterable[str]) -> Iterator[StoredFailure]:
        """The failures among these games."""
        for game_id in game_ids:
            yield from self.each(f"{_FAILURES} WHERE game_id = ?", StoredFailure._make, (game_id,))

    def programs(
        self, after: int = 0, last: int = LAST_KEY
    ) -> Iterator[tuple[str, str, str | None, str, str | None]]:
        """Yield (game id, Black, its program, White, its program) of games, in the order of storing.

        A program is a hash of the files of a bot; None: not known. Games without any are left out.

        after, last   only of games that were stored after the first key, up to the second
        """
        return self.each(_PROGRAMS, tuple, (after, last))

    def seconds_per_move(self) -> dict[str, float]:
        """Return the mean seconds of a search, by the name of each engine that has searched."""
        sums, _ = self.recorded.search_sums()
        return {bot: own.seconds / own.searches for bot, own in sums.items() if own.searches}

    def events(self) -> list[StoredEvent]:
        """The events of the run, oldest first."""
        return list(self.each("SELECT at, kind, text FROM event ORDER BY id", StoredEvent._make))

    @property
    def audit(self) -> AuditTables:
        """The tables of the audit of the run, to read and to write."""
        return AuditTables(self)

    @property
    def recorded(self) -> RecordedTables:
        """The tables of the records of games beside moves and results, to read."""
        return RecordedTables(self)

    @property
    def diagnoses(self) -> DiagnosisTables:
        """The tables of the diagnoses of bots that the audit found different, to read and to write."""
        return DiagnosisTables(self)


def _result(row: tuple[Any, ...]) -> GameResult:
    """The result in a row of _RESULTS. Its shape is computed here: stores have no column for it."""
    *fields, size, moves = row[1:]
    return GameResult._make((*fields, size, moves_hash(canonical_moves(moves, size))))


def _first_search(row: tuple[Any, ...]) -> FirstSearch:
    bot, game_id, moves, length, nodes = row
    return FirstSearch(bot, game_id, tuple(moves.split(" ", length)[:length]), nodes)
