"""The audit in the store of a run: the reference's playouts for each audited search, and its moves."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from harness.arena.store.checksums import seal
from harness.arena.store.file import store_errors
from harness.arena.store.rows import StoredSearch
from harness.gtp import Colour

_BOT = "CASE colour WHEN 'b' THEN black ELSE white END"
_REPORTED = """
    CASE vertex WHEN 'pass' THEN coalesce(nodes, 0) <> 0 OR coalesce(score, 0) <> 0
    ELSE nodes IS NOT NULL OR score IS NOT NULL END"""  # as StoredSearch.reported
_SUMS = ("playouts", "moves", "moves_squared", "wins", "wins_squared", "moves_wins")
_AUDITED = f"""
    SELECT key, game_id, search.move, {_BOT}, colour, vertex, nodes, score,
        {", ".join(f"audit_search.{column}" for column in _SUMS)}
    FROM audit_search
    JOIN search ON search.game = audit_search.game AND search.move = audit_search.move
    JOIN game ON game.id = search.game
    ORDER BY audit_search.key, audit_search.game, audit_search.move"""
_SHARED = ", ".join(
    f"(SELECT sum(same.{column}) FROM audit_search AS same WHERE same.key = audit_search.key)"
    for column in _SUMS
)
_WITH_REFERENCES = f"""
    SELECT game_id, search.move, colour, {_BOT}, vertex, nodes, score, seconds, {_SHARED}
    FROM game JOIN search ON search.game = game.id
    LEFT JOIN audit_search ON audit_search.game = search.game AND audit_search.move = search.move
    ORDER BY game.number, game.pair, search.move"""
_CHOICES = f"""
    SELECT game_id, search.move, {_BOT}, vertex, vertices, rates, ranks
    FROM audit_choice
    LEFT JOIN audit_leaning
        ON audit_leaning.game = audit_choice.game AND audit_leaning.move = audit_choice.move
    JOIN search ON search.game = audit_choice.game AND search.move = audit_choice.move
    JOIN game ON game.id = search.game
    ORDER BY game.number, game.pair, search.move"""

Row = TypeVar("Row")
Leanings = dict[str, tuple[int, int]]
"""By the name of another rule of choice: how many moves of the reference it favours less than the bot's move,
and how many as much (`harness.arena.audit.leanings`)."""
Transaction = Callable[[], AbstractContextManager[sqlite3.Connection]]


class ReferenceSums(NamedTuple):
    """Sums over the reference's playouts from one position. Results are those of the side to move, 0 to 1."""

    playouts: int
    moves: int  # both closing passes included
    moves_squared: int
    wins: float  # a draw counts ½
    wins_squared: float
    moves_wins: float  # sum of length × result

    def plus(self, other: ReferenceSums) -> ReferenceSums:
        """The sums over both."""
        return ReferenceSums._make(one + two for one, two in zip(self, other, strict=True))


class NewReference(NamedTuple):
    """Playouts of the reference for one search. Searches of equivalent positions have equal keys."""

    move: int
    key: bytes
    sums: ReferenceSums


class ReferenceChoices(NamedTuple):
    """Moves that the reference chose in searches of one position.

    `rates` are the all-moves-as-first rates of these moves in other playouts; the last is of the bot's move.
    """

    move: int
    vertices: tuple[str, ...]
    rates: tuple[float, ...]
    leanings: Leanings


class AuditedSearch(NamedTuple):
    """A search, and the reference's playouts for it. Searches of equivalent positions share all of these."""

    key: bytes
    game_id: str
    move: int
    bot: str
    colour: Colour
    vertex: str
    nodes: int | None
    score: float | None
    sums: ReferenceSums


class AuditedChoice(NamedTuple):
    """The move of a bot beside moves of the reference in the same position."""

    game_id: str
    move: int
    bot: str
    vertex: str
    reference: tuple[str, ...]
    rates: tuple[float, ...]  # of the reference's moves
    rate: float  # of the bot's move
    leanings: Leanings  # empty in the audits of earlier versions


class AuditTables:
    """Reads and writes the audit of one open store."""

    def __init__(self, path: Path, db: sqlite3.Connection, transaction: Transaction) -> None:
        self._path = path
        self._db = db
        self._transaction = transaction

    def audited(self, game_id: str) -> tuple[frozenset[int], frozenset[int]]:
        """The moves of a game whose playouts, and whose choices, were audited."""
        return self._moves("audit_search", game_id), self._moves("audit_choice", game_id)

    def count(self) -> int:
        """The number of audited searches."""
        with store_errors(self._path):
            ((count,),) = self._db.execute("SELECT count(*) FROM audit_search").fetchall()
        return int(count)

    def auditable(self, bots: tuple[str, ...]) -> tuple[int, int]:
        """The number of searches of these bots that reported something: in all, and at most in a game."""
        marks = ", ".join("?" * len(bots))
        query = f"""
            SELECT coalesce(sum(found), 0), coalesce(max(found), 0) FROM (
                SELECT count(*) AS found FROM search JOIN game ON game.id = search.game
                WHERE {_REPORTED} AND {_BOT} IN ({marks})
                GROUP BY search.game)"""
        with store_errors(self._path):
            ((searches, most),) = self._db.execute(query, bots).fetchall()
        return int(searches), int(most)

    def add(
        self, game_id: str, references: Iterable[NewReference], choices: Iterable[ReferenceChoices]
    ) -> None:
        """Store the audit of searches of one game."""
        with self._transaction() as db:
            ((game,),) = db.execute("SELECT id FROM game WHERE game_id = ?", (game_id,)).fetchall()
            db.execute("INSERT OR IGNORE INTO audit_game VALUES (?)", (game,))
            for new in references:
                row = (new.key, game, new.move, *new.sums)
                db.execute("INSERT INTO audit_search VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            for choice in choices:
                texts = (" ".join(choice.vertices), " ".join(f"{rate:.6f}" for rate in choice.rates))
                db.execute("INSERT INTO audit_choice VALUES (?, ?, ?, ?)", (game, choice.move, *texts))
                ranks = " ".join(f"{rule}:{below}:{same}" for rule, (below, same) in choice.leanings.items())
                db.execute("INSERT INTO audit_leaning VALUES (?, ?, ?)", (game, choice.move, ranks))
            seal(db, "audit_game", game)

    def searches(self) -> Iterator[AuditedSearch]:
        """Every audited search. Searches of equivalent positions follow each other."""
        return self._each(_AUDITED, _search)

    def choices(self) -> Iterator[AuditedChoice]:
        """Every audited choice, game by game."""
        return self._each(_CHOICES, _choice)

    def searches_in_order(self) -> Iterator[tuple[StoredSearch, ReferenceSums | None]]:
        """Every search of the run, game by game, with the whole reference of those that were audited."""
        for row in self._each(_WITH_REFERENCES, tuple):
            yield StoredSearch(*row[:8]), ReferenceSums(*row[8:]) if row[8] is not None else None

    def _moves(self, table: str, game_id: str) -> frozenset[int]:
        query = f"SELECT move FROM {table} JOIN game ON game.id = {table}.game WHERE game_id = ?"
        with store_errors(self._path):
            return frozenset(int(move) for (move,) in self._db.execute(query, (game_id,)))

    def _each(self, query: str, make: Callable[[Any], Row]) -> Iterator[Row]:
        with store_errors(self._path):
            yield from map(make, self._db.execute(query))


def _search(row: Any) -> AuditedSearch:
    reference, game_id, move, bot, colour, vertex, nodes, score, *sums = row
    return AuditedSearch(reference, game_id, move, bot, colour, vertex, nodes, score, ReferenceSums(*sums))


def _choice(row: Any) -> AuditedChoice:
    game_id, move, bot, vertex, vertices, rates, ranks = row
    *others, own = map(float, rates.split())
    leanings: Leanings = {}
    for text in (ranks or "").split():
        rule, below, equal = text.split(":")
        leanings[rule] = int(below), int(equal)
    return AuditedChoice(game_id, move, bot, vertex, tuple(vertices.split()), tuple(others), own, leanings)
