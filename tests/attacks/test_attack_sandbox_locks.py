"""Locks and leases on files that the bot may only read: a match, a schedule or a kernel cache waits for them.

Before: every lock was granted, because a read-only view of a file has the locks of the file. After: the
kernel has no locks for a program in the sandbox, as on a file system without them.
"""

import os
from pathlib import Path

from tests.attacks.sandboxed import every_user, needs_sandbox, succeeds, successes
from tests.other_user import NOBODY

pytestmark = needs_sandbox

LOCKS = {
    "flock": "fcntl.flock(os.open(target, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)",
    "POSIX lock": "fcntl.lockf(os.open(target, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB)",
    "lock of a file description": """
lock = struct.pack("hhqqi", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0) + bytes(8)
fcntl.fcntl(os.open(target, os.O_RDONLY), 37, lock)
""",
    "waiting lock": "fcntl.lockf(os.open(target, os.O_RDONLY), fcntl.LOCK_SH)",
    "lease": "fcntl.fcntl(os.open(target, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "notice of changes": "fcntl.fcntl(os.open(os.path.dirname(target), os.O_RDONLY), fcntl.F_NOTIFY, 2)",
    "upper half of the command": """
call((72, 25), os.open(target, os.O_RDONLY), (1 << 32) | fcntl.F_SETLEASE, fcntl.F_RDLCK)
""",
}


@every_user
def test_a_bot_locks_no_file_that_it_may_read(shown: Path, user: str) -> None:
    file = shown / "run.lock"
    file.write_text("mine")
    if user == "ordinary" and os.geteuid() == 0:
        os.chown(file, NOBODY, NOBODY)
    assert successes(LOCKS, str(file), user=user, sandbox=False) == LOCKS.keys()
    assert successes(LOCKS, str(file), user=user) == set()


@every_user
def test_a_bot_leases_no_file_in_its_own_folder(shown: Path, user: str) -> None:
    """`conform` reads the bot's program there, and would wait for the end of the lease."""
    lease = 'fcntl.fcntl(os.open("own", os.O_CREAT | os.O_RDWR), fcntl.F_SETLEASE, fcntl.F_WRLCK)'
    assert not succeeds(lease, user=user, folder=shown)
