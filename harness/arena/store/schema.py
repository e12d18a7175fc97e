"""The tables of a store. A column stands here once: type, values, meaning, name in a CSV file.

The rest of the package derives from it the statements of SQL and the checks of values, the report the headers
of `games.csv` and `searches.csv`, and docs/formats.md the list of their columns.

A table that exists never changes, so that every store of this version can be read: new columns of a game come
in a new table with `later` and `optional`, as `game_time` did.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, get_args

from harness.arena.config.tables import MAX_SIZE, MIN_SIZE
from harness.arena.records import Reason

TEXT = "typeof({0}) = 'text'"
BYTES = "typeof({0}) = 'blob'"
SIDE = "{0} IN ('b', 'w')"
INTEGER = "typeof({0}) = 'integer'"
COUNT = f"{INTEGER} AND {{0}} >= 0"
NUMBER = "typeof({0}) = 'real' AND abs({0}) <= 1e18"
REASON = f"{{0}} IN {get_args(Reason)!r}"
SIZE = f"{INTEGER} AND {{0}} BETWEEN {MIN_SIZE} AND {MAX_SIZE}"


class Column(NamedTuple):
    """A column of a table, or of a CSV file alone.

    condition   holds for each value, NULL aside; "" where another column or the reader's own code checks it
    clause      constraint of SQL
    csv         its name in the CSV file; "" if it is not there
    """

    name: str
    type: str
    condition: str = ""
    meaning: str = ""
    unit: str = ""
    csv: str = ""
    null: bool = False
    clause: str = ""

    @property
    def sql(self) -> str:
        """Its definition in CREATE TABLE."""
        needed = "" if self.null or self.clause.startswith("PRIMARY KEY") else "NOT NULL"
        return " ".join(filter(None, (self.name, self.type, needed, self.clause)))

    @property
    def check(self) -> str:
        """Holds for the values that conform writes."""
        condition = self.condition.format(self.name)
        return f"({self.name} IS NULL OR {condition})" if self.null else f"({condition})"


class Table(NamedTuple):
    """A table of the store.

    rows        conditions on its rows
    later       older stores lack it; it is added when they are opened
    optional    a part of the run may have no row in it, its checksum is then that without the table
    """

    name: str
    columns: tuple[Column, ...]
    constraint: str = ""
    rows: tuple[str, ...] = ()
    later: bool = False
    optional: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def create(self) -> str:
        """The statement that creates the table."""
        keys, _, ending = self.constraint.partition("WITHOUT")
        parts = [*(column.sql for column in self.columns), *filter(None, (keys.strip(),))]
        return f"CREATE TABLE {self.name} ({', '.join(parts)}){' WITHOUT' + ending if ending else ''}"

    @property
    def insert(self) -> str:
        """The statement that inserts a row."""
        return f"INSERT INTO {self.name} VALUES ({', '.join('?' * len(self.columns))})"

    @property
    def condition(self) -> str:
        """True for a row with values that conform writes; empty if its reader checks them."""
        checks = [column.check for column in self.columns if column.condition]
        return " AND ".join([*checks, *(f"({row})" for row in self.rows)])


def _of_game(clause: str = "PRIMARY KEY REFERENCES game") -> Column:
    return Column("game", "INTEGER", clause=clause)


def _text(name: str, meaning: str = "", csv: str = "", *, null: bool = False) -> Column:
    return Column(name, "TEXT", TEXT, meaning, csv=csv, null=null)


def _count(name: str, meaning: str = "", csv: str = "", *, null: bool = False, clause: str = "") -> Column:
    return Column(name, "INTEGER", COUNT, meaning, csv=csv, null=null, clause=clause)


def _real(name: str, meaning: str, unit: str, csv: str = "", *, null: bool = False) -> Column:
    return Column(name, "REAL", NUMBER, meaning, unit, csv, null)


_KEY = Column("id", "INTEGER", clause="PRIMARY KEY")
_MOVE = Column("move", "INTEGER")
_BY_MOVE = "PRIMARY KEY (game, move) WITHOUT ROWID"
_OF_AUDIT = _of_game("REFERENCES audit_game")
_SUMS = tuple(
    Column(name, kind)
    for name, kind in (
        ("playouts", "INTEGER"), ("moves", "INTEGER"), ("moves_squared", "INTEGER"), ("wins", "REAL"),
        ("wins_squared", "REAL"), ("moves_wins", "REAL"),
    )
)  # fmt: skip

GAME = Table(
    "game",
    (
        _KEY,
        Column("game_id", "TEXT", TEXT, "id of the game", csv="game_id", clause="UNIQUE"),
        _count("pair", "the two bots, as `first - second`", "pair"),
        _count("number", "number of the game within its pair, from 1", "game"),
        _text("black", "name of the bot that played Black", "black"),
        _text("white", "name of the bot that played White", "white"),
        Column("size", "INTEGER", SIZE, "size of the board", "lines", "size"),
        _real("komi", "komi", "points", "komi"),
        _text("opening", "name of the opening: none, random 3, or the name of a file", "opening"),
        _count("opening_moves"),
        _text("result", "result as in SGF: B+3.5, W+R, 0", "result"),
        Column("winner", "TEXT", SIDE, "name of the bot that won; empty for a draw", csv="winner", null=True),
        Column("reason", "TEXT", REASON, "how the game ended", csv="reason"),
        Column("offender", "TEXT", SIDE, "name of the bot that failed", csv="offender", null=True),
        _text("detail"),
        _text("moves"),
        _count("move_count", "number of moves, those of the opening included", "moves"),
        _real("black_seconds", "time of Black's searches", "seconds", "black_seconds"),
        _real("white_seconds", "time of White's searches", "seconds", "white_seconds"),
        _count("black_nodes", "nodes of Black's searches; empty if not reported", "black_nodes", null=True),
        _count("white_nodes", "nodes of White's searches; empty if not reported", "white_nodes", null=True),
        _text("started", "start of the game by the wall clock, ISO 8601 with zone", "started"),
        _text("finished", "`started` and the duration of the game, ISO 8601 with zone", "finished"),
        Column("line", "BLOB", BYTES),
    ),
    "UNIQUE (number, pair)",
    (
        "pair > 0 AND number > 0 AND black <> white",
        "opening_moves <= move_count OR moves = ''",  # earlier versions counted an opening never set up
        "move_count = length(moves) - length(replace(moves, ' ', '')) + (moves <> '')",
        "is_moves(moves)",
    ),
)
SEARCH = Table(
    "search",
    (
        _of_game("REFERENCES game"),
        _count("move", "number of the move in its game, from 1", "move"),
        Column("colour", "TEXT", SIDE, "b or w", csv="color"),
        _text("vertex", "the move, as in GTP", "vertex"),
        _count("nodes", "nodes that the bot reported", "nodes", null=True),
        _real("score", "score that the bot reported", "", "score", null=True),
        _real("seconds", "time of the search by the wall clock", "seconds", "seconds"),
    ),
    _BY_MOVE,
    ("move BETWEEN 1 AND (SELECT move_count + 1 FROM game WHERE id = search.game)",),
)
FAILURE = Table(
    "failure",
    (
        _of_game(),
        Column("offender", "TEXT"),
        *map(_text, ("command", "exit", "reproduce", "transcript", "other_transcript")),
        Column("stderr", "BLOB", BYTES),
    ),
    rows=("EXISTS (SELECT 1 FROM game WHERE id = failure.game AND failure.offender IN (black, white))",),
)
GAME_PROGRAM = Table(
    "game_program",
    (_of_game(), _text("black", null=True), _text("white", null=True)),
    later=True,
    optional=True,
)
GAME_SETUP = Table(
    "game_setup",
    (_of_game(), _count("stones"), Column("handicap", "INTEGER", INTEGER, null=True)),
    rows=("stones BETWEEN 1 AND (SELECT opening_moves FROM game WHERE id = game_setup.game)",),
    later=True,
    optional=True,
)
GAME_TIME = Table(
    "game_time",
    (
        _of_game(),
        Column(
            "seconds", "REAL", f"{NUMBER} AND {{0}} >= 0",
            "duration of the game by a monotonic clock; empty for games of versions before 0.2",
            "seconds", "seconds",
        ),
    ),
    later=True,
    optional=True,
)  # fmt: skip

TABLES: Mapping[str, Table] = {
    table.name: table
    for table in (
        Table("config", (_KEY, _text("at"), _text("text"))),
        Table(
            "engine",
            (
                Column("name", "TEXT", TEXT, clause="PRIMARY KEY"),
                _count("position", clause="UNIQUE"),
                _text("reported_name", null=True),
                _text("reported_version", null=True),
                _count("playouts", null=True),
            ),
            "WITHOUT ROWID",
        ),
        GAME,
        SEARCH,
        FAILURE,
        Table("event", (_KEY, _text("at"), _text("kind"), _text("text"))),
        Table(
            "checksum",
            (Column("part", "TEXT"), Column("id", "TEXT"), Column("digest", "BLOB")),
            "PRIMARY KEY (part, id) WITHOUT ROWID",
        ),
        Table("audit_game", (_of_game(),), later=True),
        Table(
            "audit_search",
            (Column("key", "BLOB"), _OF_AUDIT, _MOVE, *_SUMS),
            "PRIMARY KEY (key, game, move), UNIQUE (game, move) WITHOUT ROWID",
            later=True,
        ),
        Table(
            "audit_choice",
            (_OF_AUDIT, _MOVE, Column("vertices", "TEXT"), Column("rates", "TEXT")),
            _BY_MOVE,
            later=True,
        ),
        GAME_PROGRAM,
        Table(
            "audit_diagnosis",
            (
                Column("bot", "TEXT", clause="PRIMARY KEY"),
                *(Column(name, "INTEGER") for name in ("searches", "positions", "finished")),
            ),
            "WITHOUT ROWID",
            later=True,
        ),
        Table(
            "audit_suspect",
            (
                Column("bot", "TEXT", clause="REFERENCES audit_diagnosis"),
                Column("place", "INTEGER"),
                Column("fault", "TEXT"),
                Column("probability", "REAL"),
            ),
            "PRIMARY KEY (bot, place) WITHOUT ROWID",
            later=True,
        ),
        Table(
            "audit_leaning",
            (_OF_AUDIT, _MOVE, Column("ranks", "TEXT")),
            _BY_MOVE,
            later=True,
            optional=True,
        ),
        GAME_SETUP,
        GAME_TIME,
    )
}  # fmt: skip


def _csv(*tables: Table) -> tuple[Column, ...]:
    return tuple(column for table in tables for column in table.columns if column.csv)


def _derived(name: str, meaning: str, unit: str = "", kind: str = "REAL") -> Column:
    return Column(name, kind, "", meaning, unit, name)


GAMES_CSV = (
    *_csv(GAME),
    _derived("duplicate_of", "id of an earlier game of the pair with the same moves", kind="TEXT"),
    _derived("sgf", "file with the record of the game", kind="TEXT"),
    *_csv(GAME_TIME),
)
_GAME_ID, _BOT = GAME.columns[1], _derived("bot", "name of the bot that searched", kind="TEXT")
_REFERENCE = (
    _derived("reference_playouts", "playouts of the reference; empty if not audited", kind="INTEGER"),
    _derived("reference_length", "mean length of a playout of the reference", "moves"),
    _derived("reference_length_sd", "standard deviation of that length", "moves"),
    _derived("reference_score", "mean result of a playout of the reference, 0 to 1"),
    _derived("reference_score_sd", "standard deviation of that result"),
    _derived("reference_covariance", "covariance of length and result of a playout", "moves"),
)
SEARCHES_CSV = (_GAME_ID, *_csv(SEARCH)[:2], _BOT, *_csv(SEARCH)[2:], *_REFERENCE)
