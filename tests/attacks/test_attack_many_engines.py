"""The config in a run names more engines than any match has, with right checksums.

Before: every command listed all pairs of them, and filled the memory. After: a config has at most a thousand
engines; the run is refused.
"""

import json
from pathlib import Path

import pytest

from harness.arena.config.reader import ConfigError, check_config
from harness.arena.config.tables import MOST_ENGINES
from harness.arena.store.errors import StoreError
from harness.arena.store.store import Store
from tests.attacks.schema_edits import changed
from tests.command_line import conform

MANY = 2 * MOST_ENGINES


def test_a_run_with_many_engines_is_refused(run: Path) -> None:
    engines = [{"name": f"e{number}", "command": "true"} for number in range(MANY)]
    with changed(run) as db:
        (text,) = db.execute("SELECT text FROM config").fetchone()
        data = json.loads(text)
        data["engine"] += engines
        db.execute("UPDATE config SET text = ?", (json.dumps(data),))
        db.executemany("INSERT INTO engine (name, position) VALUES (?, ?)", [
            (engine["name"], number) for number, engine in enumerate(engines, 2)
        ])  # fmt: skip
    with pytest.raises(StoreError), Store.open(run, read_only=True, checked=False) as store:
        store.config()


def test_a_config_says_how_many_engines_it_may_have() -> None:
    engines = [{"name": f"e{number}", "command": "true"} for number in range(MOST_ENGINES + 1)]
    with pytest.raises(ConfigError, match=rf"are {MOST_ENGINES + 1}; at most {MOST_ENGINES} are allowed"):
        check_config({"engine": engines}, "test")


def test_a_run_with_many_formats_is_refused(run: Path) -> None:
    """Before: each file was written as often as the stored config names its format."""
    with changed(run) as db:
        data = json.loads(db.execute("SELECT text FROM config").fetchone()[0])
        data["report"]["formats"] = ["csv"] * MANY
        db.execute("UPDATE config SET text = ?", (json.dumps(data),))
    with pytest.raises(StoreError), Store.open(run, read_only=True, checked=False) as store:
        store.config()


@pytest.mark.parametrize(("engines", "code"), [(1_000, 0), (4_000, 2)])
def test_a_command_line_of_many_engines_of_one_name_is_imported_or_refused(
    tmp_path: Path, engines: int, code: int
) -> None:
    line = "cutechess-cli " + "-engine name=e cmd=cat " * engines
    ended = conform("init", "--from-cutechess", line, tmp_path / "made")
    assert (ended.returncode, ended.stderr.count("\n")) == (code, code // 2), ended.stderr
    assert (tmp_path / "made").exists() == (code == 0)
