"""Reads and writes the audit of a run: for each audited search, the reference's playouts and moves.

The reference is refbot in the position of the search (`harness.arena.audit`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from harness.arena.store.checksums import seal
from harness.arena.store.file import Database
from harness.arena.store.rows import StoredSearch
from harness.arena.store.schema import BOT, GAME, IN_ORDER, SEARCH, TABLES, select
from harness.gtp import Colour, parse_count

Leanings = dict[str, tuple[int, int]]
"""By name of a faulty rule of choice: how many moves of the reference this rule favours less than the bot's
move, and how many equally (`harness.arena.audit.leanings`)."""


class ReferenceSums(NamedTuple):
    """Sums over the reference's playouts from one position. Results are those of the side to move, 0 to 1."""

    playouts: int
    moves: int  # both closing passes included
    moves_squared: int
    wins: float  # a draw counts ½
    wins_squared: float
    moves_wins: float  # sum of length × result

    def __add__(self, other: ReferenceSums) -> ReferenceSums:  # type: ignore[override]
        """The sums over the playouts of both."""
        return ReferenceSums._make(one + two for one, two in zip(self, other, strict=True))

    @property
    def length(self) -> float:
        """The mean length of a playout, in moves."""
        return self.moves / self.playouts

    @property
    def length_sd(self) -> float:
        """The standard deviation of the length, in moves."""
        return math.sqrt(max(0.0, self.moves_squared / self.playouts - self.length**2))

    @property
    def score(self) -> float:
        """The mean result of a playout."""
        return self.wins / self.playouts

    @property
    def score_sd(self) -> float:
        """The standard deviation of the result."""
        return math.sqrt(max(0.0, self.wins_squared / self.playouts - self.score**2))

    @property
    def covariance(self) -> float:
        """The covariance of length (in moves) and result."""
        return self.moves_wins / self.playouts - self.length * self.score


class NewReference(NamedTuple):
    """Playouts of the reference for one search. Equivalent positions have equal keys."""

    move: int
    key: bytes
    sums: ReferenceSums


class ReferenceChoices(NamedTuple):
    """The moves (`vertices`) that the reference chose in several searches of one position.

    `rates`: the all-moves-as-first win rates of these moves, then of the bot's move, from separate playouts.
    A pass has the rate -1.
    """

    move: int
    vertices: tuple[str, ...]
    rates: tuple[float, ...]
    leanings: Leanings


class AuditedSearch(NamedTuple):
    """A search of a bot, and the reference for this search. Judges add up the `sums` of equal keys."""

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
    """The move of a bot, and moves of the reference in the same position."""

    game_id: str
    move: int
    bot: str
    vertex: str
    reference: tuple[str, ...]
    rates: tuple[float, ...]  # of the reference's moves
    rate: float  # of the bot's move
    leanings: Leanings  # empty in the audits of earlier versions


_REPORTED = """
    CASE vertex WHEN 'pass' THEN coalesce(nodes, 0) <> 0 OR coalesce(score, 0) <> 0
    ELSE nodes IS NOT NULL OR score IS NOT NULL END"""  # as StoredSearch.has_report
_SUMS = [f"audit_search.{name}" for name in ReferenceSums._fields]
_AUDITED = (
    select((*AuditedSearch._fields[:-1], *_SUMS), GAME, SEARCH, TABLES["audit_search"], bot=BOT)
    + " ORDER BY audit_search.key, audit_search.game, audit_search.move"
)
# Equivalent positions have equal keys, and each has its own playouts: their sums are added up.
_SHARED = {
    f"shared_{name}": f"(SELECT sum(same.{name}) FROM audit_search AS same WHERE same.key = audit_search.key)"
    for name in ReferenceSums._fields
}
_WITH_REFERENCES = (
    select((*StoredSearch._fields, *_SHARED), GAME, SEARCH, bot=BOT, **_SHARED)
    + " LEFT JOIN audit_search ON audit_search.game = search.game AND audit_search.move = search.move"
    + f"{IN_ORDER}, search.move"
)
_CHOICES = (
    select(
        ("game_id", "move", "bot", "vertex", "vertices", "rates", "ranks"),
        GAME,
        SEARCH,
        TABLES["audit_choice"],
        TABLES["audit_leaning"],
        bot=BOT,
        move="search.move",
    )
    + f"{IN_ORDER}, search.move"
)


class AuditTables:
    """Reads and writes the audit of one open store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def audited(self, game_id: str) -> frozenset[int]:
        """The numbers of the audited moves of a game."""
        query = "SELECT move FROM audit_search JOIN game ON game.id = audit_search.game WHERE game_id = ?"
        return frozenset(self._database.each(query, lambda row: int(row[0]), (game_id,)))

    def count(self) -> int:
        """The number of audited searches."""
        return int(self._database.first("SELECT count(*) FROM audit_search")[0])

    def auditable(self, bots: tuple[str, ...]) -> tuple[int, int]:
        """Count the searches for which these bots reported numbers: (in all games, in the game with most)."""
        marks = ", ".join("?" * len(bots))
        of_games = select(("found",), GAME, SEARCH, found="count(*) AS found")
        searches, most = self._database.first(
            f"SELECT coalesce(sum(found), 0), coalesce(max(found), 0) FROM ("
            f"{of_games} WHERE {_REPORTED} AND {BOT} IN ({marks}) GROUP BY search.game)",
            bots,
        )
        return int(searches), int(most)

    def add(
        self, game_id: str, references: Iterable[NewReference], choices: Iterable[ReferenceChoices]
    ) -> None:
        """Store the audit of searches of one game."""
        with self._database.transaction() as db:
            ((game,),) = db.execute("SELECT id FROM game WHERE game_id = ?", (game_id,)).fetchall()
            db.execute("INSERT OR IGNORE INTO audit_game VALUES (?)", (game,))
            for new in references:
                db.execute(TABLES["audit_search"].insert, (new.key, game, new.move, *new.sums))
            for choice in choices:
                texts = (" ".join(choice.vertices), " ".join(f"{rate:.6f}" for rate in choice.rates))
                db.execute(TABLES["audit_choice"].insert, (game, choice.move, *texts))
                ranks = " ".join(f"{rule}:{below}:{same}" for rule, (below, same) in choice.leanings.items())
                db.execute(TABLES["audit_leaning"].insert, (game, choice.move, ranks))
            seal(db, "audit_game", game)

    def searches(self) -> Iterator[AuditedSearch]:
        """Every audited search. Those of equivalent positions are neighbours."""
        return self._database.each(
            _AUDITED, lambda row: AuditedSearch._make((*row[:8], ReferenceSums(*row[8:])))
        )

    def choices(self) -> Iterator[AuditedChoice]:
        """Every audited choice, game by game."""
        return self._database.each(_CHOICES, _choice)

    def searches_in_order(self) -> Iterator[tuple[StoredSearch, ReferenceSums | None]]:
        """Every search, game by game, with the sums over all equivalent positions; None if not audited."""
        for row in self._database.each(_WITH_REFERENCES, tuple):
            yield StoredSearch(*row[:8]), ReferenceSums(*row[8:]) if row[8] is not None else None


def _choice(row: Any) -> AuditedChoice:
    """Parse a row of _CHOICES. Raises ValueError."""
    game_id, move, bot, vertex, text, rates, ranks = row
    vertices, (*others, own) = tuple(text.split()), map(float, rates.split())
    if len(others) != len(vertices) or not all(-1.0 <= rate <= 1.0 for rate in (*others, own)):
        raise ValueError(f"the rates of move {move} of game {game_id}")
    leanings: Leanings = {}
    for word in (ranks or "").split():
        rule, below_text, equal_text = word.split(":")
        below, equal = parse_count(below_text), parse_count(equal_text)
        if below is None or equal is None:
            raise ValueError(f"the leanings of move {move} of game {game_id}")
        leanings[rule] = below, equal
    return AuditedChoice(game_id, move, bot, vertex, vertices, tuple(others), own, leanings)
