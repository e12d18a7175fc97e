"""Diagnoses in the store of a run: which faults the bots look like that its audit found different."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from harness.arena.store.checksums import seal, unseal
from harness.arena.store.file import store_errors
from harness.arena.verdicts import Suspect

Transaction = Callable[[], AbstractContextManager[sqlite3.Connection]]


class StoredDiagnosis(NamedTuple):
    """A diagnosis of one bot.

    searches    audited searches of the bot when the diagnosis was made
    positions   positions in which faults were searched for
    finished    the diagnosis was not cut short by a time limit
    """

    bot: str
    searches: int
    positions: int
    finished: bool
    suspects: tuple[Suspect, ...]  # the most probable first


class DiagnosisTables:
    """Reads and writes the diagnoses of one open store."""

    def __init__(self, path: Path, db: sqlite3.Connection, transaction: Transaction) -> None:
        self._path = path
        self._db = db
        self._transaction = transaction

    def put(self, diagnosis: StoredDiagnosis) -> None:
        """Store a diagnosis in place of the bot's earlier one."""
        with self._transaction() as db:
            _remove(db, diagnosis.bot)
            db.execute("INSERT INTO audit_diagnosis VALUES (?, ?, ?, ?)", diagnosis[:4])
            for place, suspect in enumerate(diagnosis.suspects):
                db.execute(
                    "INSERT INTO audit_suspect VALUES (?, ?, ?, ?)", (suspect.bot, place, *suspect[1:])
                )
            seal(db, "audit_diagnosis", diagnosis.bot)

    def remove(self, bot: str) -> None:
        """Remove the diagnosis of a bot that does not differ any more."""
        with self._transaction() as db:
            _remove(db, bot)

    def all(self) -> list[StoredDiagnosis]:
        """Every diagnosis, in the order of the bots."""
        query = """
            SELECT bot, searches, positions, finished FROM audit_diagnosis JOIN engine ON name = bot
            ORDER BY position"""
        suspects = "SELECT bot, fault, probability FROM audit_suspect WHERE bot = ? ORDER BY place"
        with store_errors(self._path):
            return [
                StoredDiagnosis(
                    bot,
                    searches,
                    positions,
                    bool(finished),
                    tuple(map(Suspect._make, self._db.execute(suspects, (bot,)))),
                )
                for bot, searches, positions, finished in self._db.execute(query).fetchall()
            ]

    def audited(self) -> dict[str, int]:
        """The number of audited searches of each bot that has any."""
        query = """
            SELECT CASE colour WHEN 'b' THEN black ELSE white END AS bot, count(*)
            FROM audit_search
            JOIN search ON search.game = audit_search.game AND search.move = audit_search.move
            JOIN game ON game.id = search.game GROUP BY bot"""
        with store_errors(self._path):
            return {str(bot): int(count) for bot, count in self._db.execute(query)}

    def suspects(self) -> tuple[Suspect, ...]:
        """Every suspect, in the order of the bots, the most probable first."""
        return tuple(suspect for diagnosis in self.all() for suspect in diagnosis.suspects)


def _remove(db: sqlite3.Connection, bot: str) -> None:
    db.execute("DELETE FROM audit_suspect WHERE bot = ?", (bot,))
    db.execute("DELETE FROM audit_diagnosis WHERE bot = ?", (bot,))
    unseal(db, "audit_diagnosis", bot)
