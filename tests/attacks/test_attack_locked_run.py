"""Another program locks the database of the newest run while `conform match CONFIG` looks for it.

Before: a second run began silently beside the unfinished one. After: the command ends with exit code 2 and
names the run and `--new`.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.arena.folder.folder import unfinished_run
from harness.arena.store.errors import StoreError
from harness.arena.store.store import DATABASE
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.test_match_damage import config


def test_a_locked_run_is_not_replaced(run: Path, make_config: MakeConfig) -> None:
    settings = config(make_config)
    newest = run.rename(run.with_name(f"{settings.run.name}-20260101-000000"))
    with closing(sqlite3.connect(newest / DATABASE, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match=r"locked by another program.*--new"):
            unfinished_run(settings, newest.parent)
    assert unfinished_run(settings, newest.parent) is None  # it is complete
