"""A record of the games in a run's store, to find a game that is lost, stored twice or altered later.

It reads the file by SQL of its own, so that a mistake of the store's code cannot hide one.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

from harness.arena.pairings import pairings
from harness.arena.store.store import DATABASE
from tests.harness.arena.match_helpers import all_games

ROWS = (
    "SELECT id, game_id, pair, number, black, white, result, winner, reason, offender, moves, line FROM game"
)
"""Columns of a stored game that may never change."""


class Ledger:
    """The games of one run that were seen, by their row."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / DATABASE
        self._seen: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._seen)

    def look(self) -> int:
        """Note the games that are new; how many games are stored."""
        with opened(self._path) as db:
            last = max(self._seen, default=0)
            self._seen.update((row[0], _digest(row)) for row in db.execute(f"{ROWS} WHERE id > ?", (last,)))
        return len(self._seen)

    def differences(self) -> list[str]:
        """Compare with the games that were seen: one sentence for each that is gone or altered."""
        with opened(self._path) as db:
            now = {row[0]: _digest(row) for row in db.execute(ROWS)}
        return [
            f"row {row} is {'altered' if row in now else 'gone'}"
            for row, digest in self._seen.items()
            if now.get(row) != digest
        ]


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The database of a run, to be read while the run is played."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as db:
        yield db


def lost_workers(folder: Path) -> int:
    """The number of workers that died while they played this run."""
    with opened(folder / DATABASE) as db:
        (number,) = db.execute("SELECT count(*) FROM event WHERE kind = 'lost'").fetchone()
    return int(number)


def faults_of_complete_run(folder: Path, engines: list[str], games: int, book: Path) -> list[str]:
    """Find the mistakes of a run that is complete: missing games, games stored twice, right games altered.

    Between engines whose name begins with "right", each game that is not void is one of the book.
    """
    with closing(sqlite3.connect(f"file:{folder / DATABASE}?mode=ro", uri=True)) as db:
        stored = Counter(game_id for (game_id,) in db.execute("SELECT game_id FROM game"))
        query = "SELECT DISTINCT moves FROM game WHERE offender IS NULL AND black LIKE ? AND white LIKE ?"
        played = {moves for (moves,) in db.execute(query, ("right%", "right%"))}
        (state,) = db.execute("PRAGMA integrity_check").fetchone()
    wanted = {game.id for game in all_games(pairings(engines, "round-robin"), games)}
    lines = {_as_stored(line) for line in book.read_text().splitlines()}
    found = [f"{name} is missing" for name in sorted(wanted - stored.keys())]
    found += [f"{name} is of no schedule" for name in sorted(stored.keys() - wanted)]
    found += [f"{name} is stored {number} times" for name, number in stored.items() if number > 1]
    found += [f"a game of right engines is not of the book: {moves}" for moves in played - lines]
    return found if state == "ok" else [*found, f"SQLite: {state}"]


def blamed(folder: Path) -> Counter[tuple[str, str]]:
    """How often each engine is the offender, by (engine, reason)."""
    query = (
        "SELECT CASE offender WHEN 'b' THEN black ELSE white END, reason FROM game WHERE offender IS NOT NULL"
    )
    with closing(sqlite3.connect(f"file:{folder / DATABASE}?mode=ro", uri=True)) as db:
        return Counter(db.execute(query).fetchall())


def _as_stored(line: str) -> str:
    return " ".join("bw"[turn % 2] + vertex for turn, vertex in enumerate(line.split()))


def _digest(row: tuple[object, ...]) -> bytes:
    return sha256(repr(row).encode()).digest()
