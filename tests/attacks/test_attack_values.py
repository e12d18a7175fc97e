"""Values that conform does not write, with right checksums, in every column of a run.

Before: 16 of 56 such values ended a command with exit code 70, and one made the first page of `conform serve`
answer 500. After: the schema has a condition for each column, bounds included; the run is read, or refused in
one line.
"""

import shutil
import sqlite3
from pathlib import Path

import pytest

from harness.arena.folder.errors import USER_ERRORS
from harness.arena.judge.judge import judge
from harness.arena.judge.verification import verify_games
from harness.arena.store.errors import StoreError
from harness.arena.store.salvage import salvage
from harness.arena.store.schema import TABLES
from harness.arena.store.store import Store
from harness.serve.places import Finder
from harness.serve.reading import Reader
from tests.attacks.schema_edits import changed
from tests.command_line import conform_forked
from tests.harness.arena.stored_runs import write_config
from tests.parameters import thorough_but
from tests.thorough import Mutant

GREAT = 2**63 - 1
VALUES = {
    "engine.playouts": (0, -1, 2**31, GREAT, 1.5, "x", b"x"),
    "engine.position": (-1, 7, GREAT),
    "engine.name": ("c", "", "\x00", b"a"),
    "config.id": (GREAT, -1, 0),
    "event.id": (GREAT, -1, 0),
    "game.id": (GREAT, -1, 0),
    "game.pair": (0, -1, 2, GREAT),
    "game.number": (0, -1, GREAT, "x"),
    "game.black": ("c", "a\x00", b"a"),
    "game.size": (0, 26, GREAT),
    "game.komi": (float("inf"), 1e300, "x"),
    "game.black_nodes": (-1, 1e19, "x"),
    "game.black_seconds": (float("-inf"), 1e308),
    "search.move": (0, GREAT),
    "search.vertex": ("", "Z99", "A0", "resign ", "x" * 100_000, b"A1"),
    "search.nodes": (-1, GREAT, 1e300),
    "search.score": (float("inf"), 1e308, "x"),
    "failure.offender": ("c", None, b"a"),
}


def read_everything(run: Path) -> None:
    """Read a run as status, serve, report and verify do. Raises the errors that they turn into one line."""
    for place in Finder(run.parent).find().values():
        reading = Reader().read(place)
        assert reading is not None
        assert "please report it" not in reading.problem
    with Store.open(run, read_only=True) as store:
        settings = store.config()
        if settings is not None:
            judge(store, settings)
            list(verify_games(store, settings))


@pytest.mark.parametrize(
    "cell",
    thorough_but(
        ("engine.playouts", "event.id", "game.komi", "game.pair", "search.vertex", "failure.offender"),
        VALUES,
        Mutant(
            "harness/arena/store/checksums.py",
            "for key in set(odd_rows(db, table)):",
            "for key in ():",
            "tests/attacks/test_attack_values.py::test_every_reader_reads_or_refuses[engine.playouts]",
        ),
    ),
)
def test_every_reader_reads_or_refuses(run: Path, tmp_path: Path, cell: str) -> None:
    table, _, column = cell.partition(".")
    for number, value in enumerate(VALUES[cell]):
        copy = shutil.copytree(run, tmp_path / f"{number}" / "run")
        with changed(copy) as db:
            row = db.execute(f"SELECT max({TABLES[table].key}) FROM {table}").fetchone()
            try:
                db.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {TABLES[table].key} = ?"
                    + (" AND move = 3" if table == "search" else ""),
                    (value, *row),
                )
            except sqlite3.Error:
                continue  # the file itself forbids the value
        with pytest.raises(StoreError):
            read_everything(copy)
        try:
            salvage(copy, tmp_path / f"{number}" / "salvaged")
        except USER_ERRORS:
            continue
        read_everything(tmp_path / f"{number}" / "salvaged")


def test_rows_of_a_game_that_is_not_there_are_refused(run: Path, tmp_path: Path) -> None:
    write_config(tmp_path / "config.toml")
    with changed(run) as db:
        (last,) = db.execute("SELECT max(id) FROM game").fetchone()
        db.execute("INSERT INTO game_time VALUES (?, 1.0)", (last + 1,))  # in the way of the next game
    with pytest.raises(StoreError, match="of a part that is gone"):
        Store.open(run)
    code, text = conform_forked("match", tmp_path / "config.toml", "--out", run, "-q")
    assert (code, len(text.splitlines())) == (2, 1), text


def test_a_page_shows_other_runs_beside_one_that_cannot_be_read(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError("a mistake of conform")

    other = shutil.copytree(run, run.with_name("other"))
    places = Finder(run.parent).find()
    monkeypatch.setattr("harness.serve.reading.stored_status", fail)
    readings = [Reader().read(place) for place in places.values()]
    assert {reading.place.path for reading in readings if reading} == {run, other}
    assert all("a mistake of conform" in reading.problem for reading in readings if reading)
