"""Reads and writes the diagnoses of a run: which faults may explain why an audit found a bot different."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from harness.arena.store.checksums import seal, unseal
from harness.arena.store.file import Database
from harness.arena.store.schema import BOT, GAME, SEARCH, TABLES, select
from harness.arena.verdicts import Suspect


class StoredDiagnosis(NamedTuple):
    """A diagnosis of one bot. A stopped diagnosis is not stored.

    searches    number of audited searches of the bot at the time of the diagnosis
    positions   number of positions in which the bot was compared with faults
    finished    no time limit cut the diagnosis short
    """

    bot: str
    searches: int
    positions: int
    finished: bool
    suspects: tuple[Suspect, ...]  # the most probable first


class DiagnosisTables:
    """Reads and writes the diagnoses of one open store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, diagnosis: StoredDiagnosis) -> None:
        """Store a diagnosis in place of the bot's earlier one."""
        with self._database.transaction() as db:
            _remove(db, diagnosis.bot)
            db.execute(TABLES["audit_diagnosis"].insert, diagnosis[:4])
            for rank, suspect in enumerate(diagnosis.suspects):
                db.execute(TABLES["audit_suspect"].insert, (suspect.bot, rank, *suspect[1:]))
            seal(db, "audit_diagnosis", diagnosis.bot)

    def remove(self, bot: str) -> None:
        """Remove the diagnosis of a bot."""
        with self._database.transaction() as db:
            _remove(db, bot)

    def all(self) -> list[StoredDiagnosis]:
        """Every diagnosis, in the order of the bots."""
        query = """
            SELECT bot, searches, positions, finished FROM audit_diagnosis JOIN engine ON name = bot
            ORDER BY position"""
        suspects = "SELECT bot, fault, probability FROM audit_suspect WHERE bot = ? ORDER BY place"
        return [
            StoredDiagnosis(
                bot,
                searches,
                positions,
                bool(finished),
                tuple(self._database.each(suspects, Suspect._make, (bot,))),
            )
            for bot, searches, positions, finished in list(self._database.each(query, tuple))
        ]

    def audited(self) -> dict[str, int]:
        """Return the number of audited searches by the name of each bot that has any."""
        query = select(("bot", "count"), GAME, SEARCH, TABLES["audit_search"], bot=BOT, count="count(*)")
        return dict(self._database.each(f"{query} GROUP BY 1", tuple))

    def suspects(self) -> tuple[Suspect, ...]:
        """Every suspect, in the order of the bots, the most probable first."""
        return tuple(suspect for diagnosis in self.all() for suspect in diagnosis.suspects)


def _remove(db: sqlite3.Connection, bot: str) -> None:
    db.execute("DELETE FROM audit_suspect WHERE bot = ?", (bot,))
    db.execute("DELETE FROM audit_diagnosis WHERE bot = ?", (bot,))
    unseal(db, "audit_diagnosis", bot)
