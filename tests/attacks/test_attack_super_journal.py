"""`run.db-journal` names a file of the user as its super-journal.

Before: SQLite deleted the file when any command opened the run. After: a reader gives SQLite a copy, and a
journal that names a file is refused, in the copy too, because it may be exchanged after it was checked.
"""

from pathlib import Path

import pytest

from harness.arena.store import opening
from harness.arena.store.errors import StoreError
from harness.arena.store.store import DATABASE, Store
from tests.command_line import conform_forked
from tests.harness.arena.test_match_stranger import super_journal


@pytest.mark.parametrize("command", ["report", "verify", "audit"])
def test_no_command_deletes_the_file(run: Path, outside: Path, command: str) -> None:
    (run / "run.db-journal").write_bytes(super_journal(outside, whole=False))
    code, text = conform_forked(command, run)
    assert (code, len(text.splitlines())) == (2, 1), text
    assert outside.read_text() == "mine"


@pytest.mark.parametrize("read_only", [True, False])
def test_a_journal_that_appears_after_the_check_is_not_used(
    run: Path, outside: Path, monkeypatch: pytest.MonkeyPatch, *, read_only: bool
) -> None:
    check = opening.check_beside

    def check_and_exchange(path: Path, *, write: bool) -> None:
        check(path, write=write)
        (run / "run.db-journal").write_bytes(super_journal(outside, whole=False))

    monkeypatch.setattr(opening, "check_beside", check_and_exchange)
    monkeypatch.setattr("harness.arena.store.takeover.check_beside", check_and_exchange)
    with pytest.raises(StoreError, match="names a file"):
        Store.open(run, read_only=True) if read_only else Store.take_over(run)
    assert outside.read_text() == "mine"
    assert (run / DATABASE).exists()
