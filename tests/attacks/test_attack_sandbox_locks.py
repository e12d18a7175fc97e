"""Locks and leases on files that the bot may only read: a match, a schedule or a kernel cache waits for them.

Before: every lock was granted, because a read-only view of a file has the locks of the file. After: a lock
seems to be granted and locks nothing; leases and notices of changes are refused.
"""

import fcntl
import os
from pathlib import Path

import pytest

from tests.other_user import NOBODY
from tests.sandboxed import every_user, needs_sandbox, running, succeeds, successes

pytestmark = needs_sandbox

LOCK = """
file = os.open(target, os.O_RDONLY)
fcntl.flock(file, fcntl.LOCK_EX)
fcntl.lockf(file, fcntl.LOCK_SH)
lock = struct.pack("hhqqi", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0) + bytes(8)
fcntl.fcntl(os.open(target, os.O_RDONLY), 37, lock)  # F_OFD_SETLK
"""
LEASES = {
    "lease": "fcntl.fcntl(os.open(target, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "notice of changes": "fcntl.fcntl(os.open(os.path.dirname(target), os.O_RDONLY), fcntl.F_NOTIFY, 2)",
    "upper half of the command": """
call((72, 25), os.open(target, os.O_RDONLY), (1 << 32) | fcntl.F_SETLEASE, fcntl.F_RDLCK)
""",
}


@pytest.fixture
def file(shown: Path) -> Path:
    """A file that the bot may read, and that belongs to its user."""
    file = shown / "run.lock"
    file.write_text("mine")
    return file


def is_locked(path: Path) -> bool:
    with path.open("r+") as file:
        for lock in (fcntl.flock, fcntl.lockf):
            try:
                lock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
    return False


@every_user
def test_a_bot_locks_no_file_that_it_may_read(file: Path, user: str) -> None:
    with running(LOCK, str(file), user=user, sandbox=False):
        assert is_locked(file)
    with running(LOCK, str(file), user=user):
        assert not is_locked(file)


@every_user
def test_a_bot_leases_no_file_that_it_may_read(file: Path, user: str) -> None:
    if user == "ordinary" and os.geteuid() == 0:
        os.chown(file, NOBODY, NOBODY)
    assert successes(LEASES, str(file), user=user, sandbox=False) == LEASES.keys()
    assert successes(LEASES, str(file), user=user) == set()


@every_user
def test_a_bot_leases_no_file_in_its_own_folder(shown: Path, user: str) -> None:
    """`conform` reads the bot's program there, and would wait for the end of the lease."""
    lease = 'fcntl.fcntl(os.open("own", os.O_CREAT | os.O_RDWR), fcntl.F_SETLEASE, fcntl.F_WRLCK)'
    assert not succeeds(lease, user=user, folder=shown)


@every_user
def test_a_bot_may_use_a_library_that_locks_its_files(shown: Path, user: str) -> None:
    use = """
import sqlite3
with sqlite3.connect("book.db") as book:
    book.execute("CREATE TABLE move (vertex)")
"""
    assert succeeds(use, user=user, folder=shown)
