"""Another program locks the database of the newest run while `conform match CONFIG` looks for it.

Before: a second run began silently beside the unfinished one. After: the unfinished run is found, and is not
taken over as long as the other program may write into it. It is waited for: a worker whose match was killed
ends after its last write.
"""

import errno
import os
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from harness.arena.folder.folder import unfinished_run
from harness.arena.store.errors import StoreError
from harness.arena.store.store import DATABASE, Store
from harness.arena.store.takeover import take_over
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.stored_runs import config

OTHER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = " + sys.argv[2])
db.execute(sys.argv[3])
db.execute("DELETE FROM event")
print("locked", flush=True)
sys.stdin.read()
db.execute("ROLLBACK")
db.close()
"""
"""A program that is in the middle of a write until its input ends."""
LIMIT = 600.0
"""Seconds for which the other program is waited for, on any machine."""


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
@pytest.mark.parametrize("begin", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_locked_run_is_not_replaced(run: Path, make_config: MakeConfig, mode: str, begin: str) -> None:
    settings = config(make_config)
    newest = run.rename(run.with_name(f"{settings.run.name}-20260101-000000"))
    with Store.open(newest) as store:
        store.note("start", "", "now")  # and nothing more: the run is unfinished
    words = [sys.executable, "-c", OTHER, str(newest / DATABASE), mode, begin]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        found = unfinished_run(settings, newest.parent)
        assert found is not None
        assert found.folder == newest
        with pytest.raises(StoreError, match="locked by another program"):
            take_over(newest / DATABASE, patience=0.0)
        leaves = Timer(0.2, other.communicate, [""])  # as the last worker of a killed match
        leaves.start()
        take_over(newest / DATABASE, patience=LIMIT)
        leaves.join()


def test_a_file_system_without_locks_is_not_taken_for_another_program(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lockf(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.lockf", lockf)
    with pytest.raises(StoreError, match="cannot be written anew: no locks available"):
        take_over(run / DATABASE, patience=0.0)
