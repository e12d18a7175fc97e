"""Which values the rows of a store may have: types, ranges, and what must agree within a row.

A checksum shows that a file was not changed. It does not show who wrote it: a stranger can make checksums,
too. Readers rely on the values that pass here.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from typing import NamedTuple, get_args

from harness.arena.config.tables import MAX_SIZE, MIN_SIZE
from harness.arena.records import Reason

TEXT = "typeof({0}) = 'text'"
BYTES = "typeof({0}) = 'blob'"
SIDE = "{0} IN ('b', 'w')"
COUNT = "typeof({0}) = 'integer' AND {0} >= 0"
NUMBER = "typeof({0}) = 'real' AND abs({0}) <= 1e18"
REASON = f"{{0}} IN {get_args(Reason)!r}"
_MOVES = re.compile(r"(?:[bw](?:[A-HJ-Z][1-9]\d?|pass) )*", re.ASCII)


def _or_null(condition: str) -> str:
    return f"{{0}} IS NULL OR {condition}"


class _Rule(NamedTuple):
    """What holds for the columns of a table, and for its rows. `key` is the column with the key of a part."""

    key: str
    columns: Mapping[str, str]
    rows: tuple[str, ...] = ()

    @property
    def condition(self) -> str:
        """True for a row with values that conform writes."""
        parts = [f"({condition.format(name)})" for name, condition in self.columns.items()]
        return " AND ".join([*parts, *(f"({row})" for row in self.rows)])


RULES: Mapping[str, _Rule] = {
    "config": _Rule("id", {"at": TEXT, "text": TEXT}),
    "engine": _Rule(
        "name",
        {
            "name": TEXT,
            "position": COUNT,
            "reported_name": _or_null(TEXT),
            "reported_version": _or_null(TEXT),
            "playouts": _or_null(COUNT),
        },
    ),
    "event": _Rule("id", {"at": TEXT, "kind": TEXT, "text": TEXT}),
    "game": _Rule(
        "id",
        {
            **dict.fromkeys(("game_id", "black", "white", "opening", "result"), TEXT),
            **dict.fromkeys(("detail", "moves", "started", "finished"), TEXT),
            **dict.fromkeys(("pair", "number", "opening_moves", "move_count"), COUNT),
            **dict.fromkeys(("winner", "offender"), _or_null(SIDE)),
            **dict.fromkeys(("black_nodes", "white_nodes"), _or_null(COUNT)),
            **dict.fromkeys(("komi", "black_seconds", "white_seconds"), NUMBER),
            "size": f"typeof({{0}}) = 'integer' AND {{0}} BETWEEN {MIN_SIZE} AND {MAX_SIZE}",
            "reason": REASON,
            "line": BYTES,
        },
        (
            "pair > 0 AND number > 0 AND black <> white",
            "opening_moves <= move_count OR moves = ''",  # earlier versions counted an opening never set up
            "move_count = length(moves) - length(replace(moves, ' ', '')) + (moves <> '')",
            "is_moves(moves)",
        ),
    ),
    "search": _Rule(
        "game",
        {
            "move": COUNT,
            "colour": SIDE,
            "vertex": TEXT,
            "nodes": _or_null(COUNT),
            "score": _or_null(NUMBER),
            "seconds": NUMBER,
        },
        ("move BETWEEN 1 AND (SELECT move_count + 1 FROM game WHERE id = search.game)",),
    ),
    "failure": _Rule(
        "game",
        {
            **dict.fromkeys(("command", "exit", "reproduce", "transcript", "other_transcript"), TEXT),
            "stderr": BYTES,
        },
        ("EXISTS (SELECT 1 FROM game WHERE id = failure.game AND failure.offender IN (black, white))",),
    ),
    "game_time": _Rule("game", {"seconds": f"{NUMBER} AND {{0}} >= 0"}),
    "game_program": _Rule("game", {"black": _or_null(TEXT), "white": _or_null(TEXT)}),
    "game_setup": _Rule(
        "game",
        {"stones": COUNT, "handicap": _or_null("typeof({0}) = 'integer'")},
        ("stones BETWEEN 1 AND (SELECT opening_moves FROM game WHERE id = game_setup.game)",),
    ),
}
"""For each table of a store; those of an audit are read by their own readers."""


def odd_rows(db: sqlite3.Connection, table: str, key: object | None = None) -> Iterator[object]:
    """The keys of the rows that have another value. `key`: look at the rows with this key only."""
    rule = RULES[table]
    db.create_function("is_moves", 1, _is_moves, deterministic=True)
    query = f"SELECT {rule.key} FROM {table} WHERE ({rule.condition}) IS NOT TRUE"
    only, parameters = ("", ()) if key is None else (f" AND {rule.key} = ?", (key,))
    for (found,) in db.execute(query + only, parameters):
        yield found


def _is_moves(moves: object) -> bool:
    return isinstance(moves, str) and (not moves or _MOVES.fullmatch(f"{moves} ") is not None)
