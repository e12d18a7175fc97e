"""The database of a run has a trigger with the name of a table, which deletes games or never ends.

Before: the schema was compared by name, the trigger was not seen, and games were deleted. After: the schema
is compared as a list, and any entry that conform has not made is refused, whatever its name.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.arena.store.errors import DamagedStoreError
from harness.arena.store.store import DATABASE, Store
from tests.attacks.schema_edits import write_schema
from tests.command_line import conform_forked
from tests.harness.arena.stored_runs import GAMES

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
DELETES = "CREATE TRIGGER game_log AFTER INSERT ON event BEGIN DELETE FROM game; END"
ENTRIES = {
    "trigger": ("trigger", "game_log", "event", 0, DELETES),
    "endless trigger": (
        "trigger", "comment", "event", 0,
        f"CREATE TRIGGER comment AFTER INSERT ON event BEGIN {ENDLESS}; END",
    ),
    "view": ("view", "more", "more", 0, f"CREATE VIEW more AS {ENDLESS}"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_that_conform_has_not_made_is_refused(run: Path, tmp_path: Path, name: str) -> None:
    write_schema(run, ENTRIES[name])
    for read_only in (True, False):
        with pytest.raises(DamagedStoreError, match="is not as conform has made it"):
            Store.open(run, read_only=read_only)
    for words in (("match", tmp_path / "config.toml", "--out", run, "-q"), ("report", run, "-q")):
        code, text = conform_forked(*words)
        assert (code, len(text.splitlines())) == (2, 1), text
    with closing(sqlite3.connect(run / DATABASE)) as db:
        assert db.execute("SELECT count(*) FROM game").fetchone() == (GAMES,)


def test_a_statement_under_two_entries_is_refused(run: Path) -> None:
    with closing(sqlite3.connect(run / DATABASE)) as db:
        root, sql = db.execute("SELECT rootpage, sql FROM sqlite_master WHERE name = 'game_log'").fetchone()
    write_schema(run, ("index", "game_log_2", "game_log", root, sql.replace("TABLE", "INDEX")))
    with pytest.raises(DamagedStoreError):
        Store.open(run, read_only=True)


def test_salvage_keeps_the_games_and_leaves_the_trigger(run: Path) -> None:
    write_schema(run, ENTRIES["trigger"])
    code, text = conform_forked("report", run, "--salvage", "-q")
    assert code == 1, text
    with Store.open(run) as store:
        store.note("resumed", "", "now")
        assert len(store.played()) == GAMES
