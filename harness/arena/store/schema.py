"""Defines the tables of a store. Each column is defined once: type, values, unit, meaning, CSV name, source.

These definitions determine the SQL statements (`harness.arena.store.table`), the checks of values, the scope
of the checksums, the CSV files (`harness.report.files.csv_columns`) and the lists of docs/formats.md.

An existing table never changes, so this version reads every store of schema 2. A new column of a game needs a
new table that is `later` (older stores lack it) and `optional` (a game may have no row in it), such as
`game_time`. Its rows are then written, checked and sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from harness.arena.config.scoring import MAX_SIZE, MIN_SIZE
from harness.arena.records import Reason, ScoredBy, moves_hash
from harness.arena.store.table import Column, Table, Value
from harness.gtp import MAX_COUNT, MAX_PLAYOUTS

# Conditions on a value, in SQL; {0} stands for its column.
TEXT = "typeof({0}) = 'text'"
CONTROL = "is_time_control({0})"
BYTES = "typeof({0}) = 'blob'"
SIDE = "{0} IN ('b', 'w')"
INTEGER = "typeof({0}) = 'integer'"
NATURAL = f"{INTEGER} AND {{0}} >= 0"
COUNT = f"{INTEGER} AND {{0}} BETWEEN 0 AND {MAX_COUNT}"
POSITIVE = f"{INTEGER} AND {{0}} BETWEEN 1 AND {MAX_COUNT}"
PLAYOUTS = f"{INTEGER} AND {{0}} BETWEEN 1 AND {MAX_PLAYOUTS}"
FLAG = f"{INTEGER} AND {{0}} IN (0, 1)"
NUMBER = "typeof({0}) = 'real' AND abs({0}) <= 1e18"
SHARE = "typeof({0}) = 'real' AND {0} BETWEEN 0 AND 1"
POINTS = ("[1-9]", "1[0-9]", "2[0-5]")
VERTEX = " OR ".join(["{0} IN ('pass', 'resign')", *(f"{{0}} GLOB '[A-HJ-Z]{number}'" for number in POINTS)])
REASON = f"{{0}} IN {get_args(Reason)!r}"
SIZE = f"{INTEGER} AND {{0}} BETWEEN {MIN_SIZE} AND {MAX_SIZE}"


def select(fields: Iterable[str], *tables: Table, **given: str) -> str:
    """Build the query for these fields from `tables`, of which GAME is the first.

    A field is a column, as `name` or `table.name`; a plain `name` means the last of the tables that has it.
    `given` has SQL expressions for other fields. For example, `select(("nodes", "whole"), GAME, SEARCH,
    whole="komi = 7")` is "SELECT search.nodes, komi = 7 FROM game JOIN search ON search.game = game.id".
    Tables with a row for each move are joined by the move too.
    """
    columns = {}
    for table in tables:
        for name in table.names:
            columns[name] = columns[f"{table.name}.{name}"] = f"{table.name}.{name}"
    query = f"SELECT {', '.join(given.get(field) or columns[field] for field in fields)} FROM game"
    with_moves = ""
    for table in tables[1:]:
        query += f" {'LEFT JOIN' if table.optional else 'JOIN'} {table.name} ON {table.name}.game = game.id"
        if "move" in table.names:
            query += f" AND {table.name}.move = {with_moves}.move" if with_moves else ""
            with_moves = table.name
    return query


# Columns of the usual types. `more` are further fields of Column.


def _of_game(clause: str = "PRIMARY KEY REFERENCES game") -> Column:
    """The column with the key of the game to which a row belongs."""
    return Column("game", "INTEGER", clause=clause)


def _text(name: str, meaning: str = "", value: Value | None = None, **more: Any) -> Column:
    return Column(name, "TEXT", TEXT, meaning, value=value, **more)


def _count(name: str, meaning: str = "", value: Value | None = None, **more: Any) -> Column:
    return Column(name, "INTEGER", COUNT, meaning, value=value, **more)


def _seconds(name: str, meaning: str, value: Value | None = None) -> Column:
    return Column(name, "REAL", NUMBER, meaning, "seconds", value=value)


def _nodes(name: str, bot: str, value: Value) -> Column:
    """The sum of the nodes of all searches, each at most MAX_COUNT."""
    meaning = f"nodes of {bot}'s searches; empty if not reported"
    return Column(name, "INTEGER", NATURAL, meaning, null=True, value=value)


def _side(name: str, meaning: str, value: Value) -> Column:
    return Column(name, "TEXT", SIDE, meaning, null=True, value=value)


def _columns(kind: str, condition: str, *names: str) -> Iterator[Column]:
    """Columns of one SQL type and one condition."""
    return (Column(name, kind, condition) for name in names)


def _is_search(table: str) -> str:
    """Return the condition that there is a search with the game and the move of the row."""
    return f"EXISTS (SELECT 1 FROM search WHERE search.game = {table}.game AND search.move = {table}.move)"


def _within_game(table: str) -> str:
    """Return the condition that `move` is a move of its game, or the search after the last one.

    The last search is not played if it is a resignation, an illegal move or too late.
    """
    return f"move BETWEEN 1 AND (SELECT move_count + 1 FROM game WHERE id = {table}.game)"


def _at_most_one(source: Any) -> Sequence[Any]:
    """The sources of a table with at most one row of a game."""
    return () if source is None else (source,)


# A key is at most MAX_COUNT: SQLite gives no greater keys to new rows once a row has the greatest of all.
_KEY = Column("id", "INTEGER", POSITIVE, clause="PRIMARY KEY")
_BY_MOVE = "PRIMARY KEY (game, move) WITHOUT ROWID"
_CLOCK = "time control of {}: 60, 60+2 (increment), 60+5/30 or 60+5x30 (byo-yomi); empty without a clock"
_OF_MOVE = (_of_game("REFERENCES audit_game"), Column("move", "INTEGER", POSITIVE))

GAME = Table(
    "game",
    (
        _KEY,
        _text("game_id", "id of the game", lambda record: record.game.id, clause="UNIQUE"),
        _count("pair", "the two bots, as `first - second`", lambda record: record.game.pair),
        _count("number", "number of the game within its pair, from 1", lambda r: r.game.number, csv="game"),
        _text("black", "name of the bot that played Black", lambda record: record.game.black),
        _text("white", "name of the bot that played White", lambda record: record.game.white),
        Column("size", "INTEGER", SIZE, "size of the board", "lines", value=lambda record: record.board[0]),
        Column("komi", "REAL", NUMBER, "komi", "points", value=lambda record: record.board[1]),
        _text("opening", "name of the opening: none, random 3, or the name of a file"),
        _count("opening_moves"),
        _text("result", "result as in SGF: B+3.5, W+R, 0", lambda record: record.ending.result),
        _side("winner", "name of the bot that won; empty for a draw", lambda record: record.ending.winner),
        Column("reason", "TEXT", REASON, "how the game ended", value=lambda record: record.ending.reason),
        _side("offender", "name of the bot that failed", lambda record: record.ending.offender),
        _text("detail", value=lambda record: record.ending.detail),
        _text("moves", value=lambda record: record.moves_text),
        _count(
            "move_count",
            "number of moves, those of the opening included",
            lambda record: len(record.moves),
            csv="moves",
        ),
        _seconds("black_seconds", "time of Black's searches", lambda record: record.seconds("b")),
        _seconds("white_seconds", "time of White's searches", lambda record: record.seconds("w")),
        _nodes("black_nodes", "Black", lambda record: record.nodes("b")),
        _nodes("white_nodes", "White", lambda record: record.nodes("w")),
        _text("started", "start of the game by the wall clock, ISO 8601 with zone"),
        _text("finished", "`started` and the duration of the game, ISO 8601 with zone"),
        # Equal for games with equal moves.
        Column("line", "BLOB", BYTES, value=lambda record: moves_hash(record.moves_text)),
    ),
    "UNIQUE (number, pair)",
    "game",
    (
        "pair > 0 AND number > 0 AND black <> white",
        "opening_moves <= move_count OR moves = ''",  # earlier versions counted openings never set up
        "move_count = length(moves) - length(replace(moves, ' ', '')) + (moves <> '')",
        "is_moves(moves)",
    ),
)

TABLES: Mapping[str, Table] = {
    table.name: table
    for table in (
        Table("config", (_KEY, _text("at"), _text("text")), part="config"),
        Table(
            "engine",
            (
                _text("name", clause="PRIMARY KEY"), _count("position", clause="UNIQUE"),
                _text("reported_name", null=True), _text("reported_version", null=True),
                Column("playouts", "INTEGER", PLAYOUTS, null=True),
            ),
            "WITHOUT ROWID", part="engine",
            conditions=(
                "position = 0 OR "
                "EXISTS (SELECT 1 FROM engine AS before WHERE before.position = engine.position - 1)",
            ),
        ),
        GAME,
        Table(
            "search",
            (
                _of_game("REFERENCES game"),
                _count("move", "number of the move in its game, from 1"),
                Column("colour", "TEXT", SIDE, "b or w", csv="color"),
                Column("vertex", "TEXT", f"{TEXT} AND ({VERTEX})", "the move, as in GTP"),
                _count("nodes", "nodes that the bot reported", null=True),
                Column("score", "REAL", NUMBER, "score that the bot reported", null=True),
                _seconds("seconds", "time of the search by the wall clock"),
            ),
            _BY_MOVE, part="game",
            conditions=(_within_game("search"),),
            sources=lambda record: record.searches,
        ),
        Table(
            "failure",
            (
                _of_game(), _text("offender"),
                *map(_text, ("command", "exit", "reproduce", "transcript", "other_transcript")),
                Column("stderr", "BLOB", BYTES),
            ),
            part="game",
            conditions=(
                "EXISTS (SELECT 1 FROM game WHERE id = failure.game AND failure.offender IN (black, white))",
            ),
            sources=lambda record: _at_most_one(record.failure),
        ),
        Table("event", (_KEY, _text("at"), _text("kind"), _text("text")), part="event"),
        Table(
            "checksum",
            (*_columns("TEXT", "", "part", "id"), *_columns("BLOB", "", "digest")),
            "PRIMARY KEY (part, id) WITHOUT ROWID",
        ),
        # The games that were audited: see `store.audit`, also for the next tables.
        Table("audit_game", (_of_game(),), part="audit_game", later=True),
        # `ReferenceSums` at a search. Equivalent positions have equal keys.
        Table(
            "audit_search",
            (
                *_columns("BLOB", BYTES, "key"), *_OF_MOVE, *_columns("INTEGER", POSITIVE, "playouts"),
                *_columns("INTEGER", NATURAL, "moves", "moves_squared"),
                *_columns("REAL", NUMBER, "wins", "wins_squared", "moves_wins"),
            ),
            "PRIMARY KEY (key, game, move), UNIQUE (game, move) WITHOUT ROWID", part="audit_game", later=True,
            conditions=(
                "wins BETWEEN 0 AND playouts AND wins_squared BETWEEN 0 AND playouts",
                _is_search("audit_search"),
            ),
        ),
        # `ReferenceChoices`: "E5 C3", and "0.612000 0.587000 0.601000", whose last one is the bot's move.
        Table(
            "audit_choice", (*_OF_MOVE, *_columns("TEXT", TEXT, "vertices", "rates")), _BY_MOVE,
            part="audit_game", later=True, conditions=(_is_search("audit_choice"),),
        ),
        # Hashes of the programs' files; null where they could not be read.
        Table(
            "game_program", (_of_game(), _text("black", null=True), _text("white", null=True)),
            part="game", later=True, optional=True,
            sources=lambda record: () if record.programs == (None, None) else (record.programs,),
        ),
        Table(
            "audit_diagnosis",
            (
                _text("bot", clause="PRIMARY KEY"), *map(_count, ("searches", "positions")),
                Column("finished", "INTEGER", FLAG),
            ),
            "WITHOUT ROWID", part="audit_diagnosis", later=True,
            conditions=("EXISTS (SELECT 1 FROM engine WHERE name = bot)",),
        ),
        # The causes that the diagnosis of a bot names, from place 0 on.
        Table(
            "audit_suspect",
            (
                Column("bot", "TEXT", clause="REFERENCES audit_diagnosis"),
                _count("place"), _text("fault"), Column("probability", "REAL", SHARE),
            ),
            "PRIMARY KEY (bot, place) WITHOUT ROWID", part="audit_diagnosis", later=True,
        ),
        # `Leanings`, such as "amaf-draws-lost:14:0".
        Table(
            "audit_leaning", (*_OF_MOVE, _text("ranks")), _BY_MOVE,
            part="audit_game", later=True, optional=True, conditions=(_is_search("audit_leaning"),),
        ),
        # `Setup`: how many first moves are the stones of an opening, and the handicap.
        Table(
            "game_setup",
            (_of_game(), _count("stones"), Column("handicap", "INTEGER", INTEGER, null=True)),
            part="game", later=True, optional=True,
            conditions=("stones BETWEEN 1 AND (SELECT opening_moves FROM game WHERE id = game_setup.game)",),
            sources=lambda record: _at_most_one(record.setup),
        ),
        Table(
            "game_time",
            (
                _of_game(),
                Column(
                    "seconds", "REAL", f"{NUMBER} AND {{0}} >= 0",
                    "duration of the game by a monotonic clock; empty for games of versions before 0.2",
                    "seconds",
                ),
            ),
            part="game", later=True, optional=True,
            sources=lambda record: () if record.duration is None else ((record.duration,),),
        ),
        Table(
            "game_score",
            (
                _of_game(),
                Column(
                    "scored_by", "TEXT", f"{{0}} IN {get_args(ScoredBy)!r}",
                    "who scored the game: area, players or referee; empty: area, and nobody was asked",
                ),
                _text("area_result", "result by our own count, every stone alive"),
                _text("black_says", "result that Black reports; empty: none", null=True),
                _text("white_says", "result that White reports; empty: none", null=True),
                _text("referee_says", "result that the referee reports; empty: none", null=True),
                _text("dead", null=True),
            ),
            part="game", later=True, optional=True,
            sources=lambda record: _at_most_one(record.scoring),
        ),
        Table(
            "game_clock",
            (
                _of_game(),
                Column("black_clock", "TEXT", CONTROL, _CLOCK.format("Black"), null=True),
                Column("white_clock", "TEXT", CONTROL, _CLOCK.format("White"), null=True),
            ),
            part="game", later=True, optional=True,
            conditions=("coalesce(black_clock, white_clock) IS NOT NULL",),
            sources=lambda record: _at_most_one(record.clocks),
        ),
        # The display of a clock after a move: see `ClockReading`.
        Table(
            "search_clock",
            (_of_game("REFERENCES game"), _count("move"), _seconds("left", ""), _count("counted")),
            _BY_MOVE, part="game", later=True, optional=True,
            conditions=(
                _within_game("search_clock"),
                "EXISTS (SELECT 1 FROM game_clock WHERE game_clock.game = search_clock.game)",
            ),
            sources=lambda record: record.readings,
        ),
        Table(
            "game_handicap",
            (
                _of_game(),
                _count("stones", "number of handicap stones; empty for an even game", csv="handicap"),
                _count("handicap_bonus", "points that White gets for the handicap", unit="points"),
            ),
            part="game", later=True, optional=True,
            conditions=("handicap_bonus <= stones",),
            sources=lambda record: record.handicap_rows,
        ),
        Table(
            "comment",
            (_of_game("REFERENCES game"), _count("move"), _text("text")),
            _BY_MOVE, part="game", later=True, optional=True,
            conditions=(_within_game("comment"),),
            sources=lambda record: record.comments,
        ),
        Table(
            "game_log",
            (_of_game(), Column("black", "BLOB", BYTES), Column("white", "BLOB", BYTES)),
            part="game", later=True, optional=True,
            sources=lambda record: _at_most_one(record.logs),
        ),
    )
}  # fmt: skip
"""The tables by name, in the order in which they are created. A new table is added at the end."""
PARTS: Mapping[str, tuple[Table, ...]] = {
    table.part: tuple(other for other in TABLES.values() if other.part == table.part)
    for table in TABLES.values()
    if table.part
}
"""By kind of part of a run, the tables that the checksum of a part covers; the first has the kind's name."""
SEARCH = TABLES["search"]
BESIDE_GAME = tuple(
    table for table in PARTS["game"] if table.optional and table.columns[0].clause.startswith("PRIMARY KEY")
)
"""The optional tables with at most one row of a game."""
BOT = "CASE search.colour WHEN 'b' THEN game.black ELSE game.white END"
"""SQL expression: the name of the bot that made a search."""
NAMED_SIDES = {
    column.name: f"CASE game.{column.name} WHEN 'b' THEN game.black WHEN 'w' THEN game.white END"
    for column in GAME.columns
    if column.condition == SIDE
}
"""By column of a game with a side (b or w), the SQL expression for the name of its bot."""
IN_ORDER = " ORDER BY game.number, game.pair"
"""SQL clause: in the order of the schedule."""
