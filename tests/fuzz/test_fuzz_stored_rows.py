"""Any values in the rows of a store, with right checksums: they are read, or the run is refused in words.

A stranger who sends a run can make checksums, too.
"""

import random
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from harness.arena.config.reader import check_config
from harness.arena.folder.errors import USER_ERRORS
from harness.arena.judge.judge import judge
from harness.arena.judge.verification import verify_games
from harness.arena.store.checksums import seal
from harness.arena.store.schema import PARTS
from harness.arena.store.schema import TABLES as SCHEMA
from harness.arena.store.store import DATABASE, Store
from harness.report.files.match_run import write_run
from harness.serve.places import Finder
from harness.serve.reading import Reader
from tests.fuzz.cases import Cases
from tests.harness.arena.stored_runs import GAMES, stored_run

VALUES: tuple[object, ...] = (
    None, "", " ", "x", "b", "w", "0", "B+", "B+R", "W+2.5", "B+nan", "=1+1", "[/x]", "\x1b[31m", "\u202e",
    "../../x", "A1", "bA1", "bZ99", "bpass wpass", "x" * 100_000, b"\xff\xfe", b"", 0, 1, -1, 2, 19, 26,
    10**6, 2**31, 2**63 - 1, -(2**63), 0.5, -0.0, 1e308, -1e308, 1e-320, float("inf"),
    "2026-11-24T00:00:00+00:00", "9999-99-99",
    "score", "move-cap", "crash", "{}", "[]", "null", '{"run": {}}', "complete", "\ud7ff",
)  # fmt: skip
FORMATS = ("csv", "sgf", "html", "json", "junit", "gogui-dat")
TABLES = [table for part in ("game", "engine", "event", "config") for table in PARTS[part]]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    engines = [{"name": name, "command": "true"} for name in ("a", "b")]
    config = check_config({"run": {"size": 5, "games": GAMES}, "engine": engines}, "test")
    return stored_run(tmp_path / "whole", config)


def change_values(folder: Path, rng: random.Random) -> None:
    """Put odd values into up to three cells, and give the rows right checksums."""
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as db:
        for _ in range(rng.choice((1, 1, 2, 3))):
            table = rng.choice(TABLES)
            column = rng.choice([name for name in table.names if name != table.key])
            rows = db.execute(f"SELECT {table.key} FROM {table.name}").fetchall()
            if not rows:
                continue
            row = rng.choice(rows)
            try:
                db.execute(
                    f"UPDATE {table.name} SET {column} = ? WHERE {table.key} = ?", (rng.choice(VALUES), *row)
                )
            except sqlite3.IntegrityError:
                continue  # the file itself forbids the value
            part = SCHEMA[table.part]
            (name,) = db.execute(f"SELECT {part.label} FROM {part.name} WHERE {part.key} = ?", row).fetchone()
            if column == "game_id":
                db.execute("DELETE FROM checksum WHERE part = 'game'")
                for (each,) in db.execute("SELECT id FROM game").fetchall():
                    seal(db, "game", each)
            elif name is not None:
                seal(db, part.name, row[0])


def read_everything(folder: Path) -> None:
    """Read a run as report, verify and status do. Raises the errors that they turn into one line."""
    for _ in Finder(folder).find().values():
        Reader().read(_)
    with Store.open(folder, read_only=True) as store:
        config = store.config()
        if config is None:
            return
        write_run(store, judge(store, config), folder, FORMATS)
        list(verify_games(store, config))


def test_any_value_in_a_row_is_read_or_refused(whole: Path, tmp_path: Path, cases: Cases) -> None:
    outcomes: Counter[str] = Counter()
    for seed in cases(20):
        run = shutil.copytree(whole, tmp_path / "run")
        change_values(run, random.Random(seed))
        try:
            read_everything(run)
            outcomes["read"] += 1
        except USER_ERRORS:
            outcomes["refused"] += 1
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
        shutil.rmtree(run)
    assert set(outcomes) == {"read", "refused"}
