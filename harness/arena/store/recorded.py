"""Reads the records of games beside moves and results: comments, logs, programs, sums of searches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.arena.records import Comment, unpacked_log
from harness.arena.store.errors import DamagedStoreError
from harness.arena.store.file import Database
from harness.arena.store.rows import StoredSearch
from harness.arena.store.schema import IN_ORDER

_COMMENTS = (
    "SELECT move, text FROM comment JOIN game ON game.id = comment.game WHERE game_id = ? ORDER BY move"
)
_PROGRAMS = """
    SELECT game.black, game_program.black, game.white, game_program.white
    FROM game LEFT JOIN game_program ON game_program.game = game.id"""
_LOGS = "SELECT game_id, game_log.black, game_log.white FROM game_log JOIN game ON game.id = game_log.game"
_SUMS_OF_SIDE = ", ".join(
    f"{sum_} FILTER (WHERE colour = '{colour}')"
    for colour in "bw"
    for sum_ in ("count(*)", "total(nodes)", "count(nodes)", "total(seconds)", "max(seconds)")
)
_SUMS = f"""
    SELECT game.black, game.white, max(nodes), {_SUMS_OF_SIDE}
    FROM search CROSS JOIN game ON game.id = search.game GROUP BY search.game"""
"""A row for each game in the order of the table, so that SQLite sorts nothing: there may be 10^8 searches."""


@dataclass
class Sums:
    """Sums over some searches of a bot."""

    searches: int = 0
    nodes: int = 0
    with_nodes: int = 0  # searches that reported nodes
    seconds: float = 0.0
    slowest: float = 0.0  # seconds of the slowest search

    def add(self, search: StoredSearch) -> None:
        """Add one search."""
        self.searches += 1
        self.seconds += search.seconds
        self.slowest = max(self.slowest, search.seconds)
        if search.nodes is not None:
            self.nodes += search.nodes
            self.with_nodes += 1

    def add_all(
        self, searches: int, nodes: float, with_nodes: int, seconds: float, slowest: float | None
    ) -> None:
        """Add the sums over further searches, of which `with_nodes` reported their nodes."""
        self.searches += searches
        self.nodes += int(nodes)
        self.with_nodes += with_nodes
        self.seconds += seconds
        self.slowest = max(self.slowest, slowest or 0.0)


class RecordedTables:
    """Reads the comments, logs, programs and sums of searches in one open store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def comments_of_game(self, game_id: str) -> list[Comment]:
        """The engines' comments on the moves of one game, in the order of the moves."""
        return list(self._database.each(_COMMENTS, Comment._make, (game_id,)))

    def programs_of_game(self, game_id: str) -> dict[str, str | None]:
        """Return the hash of the program of each engine of a stored game, by its name; None if not known."""
        row = self._database.first(f"{_PROGRAMS} WHERE game_id = ?", (game_id,))
        return {row[0]: row[1], row[2]: row[3]}

    def newest_programs(self) -> dict[str, str]:
        """By engine, the hash of the program that it had last: the program that `Store.engines` describes.

        An engine without a known program is left out.
        """
        newest: dict[str, str] = {}
        engines = int(self._database.first("SELECT count(*) FROM engine")[0])
        latest_first = f"{_PROGRAMS} WHERE game_program.game IS NOT NULL ORDER BY game_program.game DESC"
        for black, of_black, white, of_white in self._database.each(latest_first, tuple):
            for name, program in ((black, of_black), (white, of_white)):
                if program:
                    newest.setdefault(name, program)
            if len(newest) == engines:  # after a few games; only an engine without a program needs all
                break
        return newest

    def logs(self) -> Iterator[tuple[str, str, str]]:
        """Yield (game id, log of Black, log of White) of every game with logs. Raises DamagedStoreError."""
        for game_id, *packed in self._database.each(_LOGS + IN_ORDER, tuple):
            try:
                black, white = map(unpacked_log, packed)
            except ValueError:
                reason = f"the logs of game {game_id} cannot be read"
                raise DamagedStoreError(self._database.path, reason) from None
            yield game_id, black, white

    def search_seconds(self) -> float:
        """Return the total time of all searches in seconds."""
        return float(self._database.first("SELECT total(seconds) FROM search")[0])

    def search_sums(self) -> tuple[dict[str, Sums], int]:
        """Return (by bot, the sums over its searches; the largest number of nodes of any search, or 0)."""
        sums: dict[str, Sums] = {}
        most = 0
        for black, white, nodes, *of_sides in self._database.each(_SUMS, tuple):
            most = max(most, nodes or 0)
            sums.setdefault(black, Sums()).add_all(*of_sides[:5])
            sums.setdefault(white, Sums()).add_all(*of_sides[5:])
        return sums, most
