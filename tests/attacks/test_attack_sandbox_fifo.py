"""A FIFO of another program: it can be written to although its file system is read-only.

Before: a bot could write into each FIFO that it may open. After: Landlock, which also looks at FIFOs, lets it
write in its own and in temporary folders only. Reading one is not refused.
"""

import os
from pathlib import Path

import pytest

from harness.gtp.sandbox_init import LANDLOCK_MOVES, landlock_version
from tests.sandboxed import every_user, needs_sandbox, succeeds

pytestmark = [
    needs_sandbox,
    pytest.mark.skipif(
        landlock_version() < LANDLOCK_MOVES, reason="this kernel has no Landlock, or an old one"
    ),
]

WRITE = "write(target, flags=os.O_WRONLY | os.O_NONBLOCK)"


@every_user
def test_a_bot_writes_into_no_pipe_of_the_user(shown: Path, user: str) -> None:
    fifo = shown / "control"
    os.mkfifo(fifo)
    fifo.chmod(0o666)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert not succeeds(WRITE, str(fifo), user=user)
        assert os.read(reader, 100) == b""
        assert succeeds(WRITE, str(fifo), user=user, sandbox=False)
        assert os.read(reader, 100) == b"escaped"
    finally:
        os.close(reader)


@every_user
def test_a_bot_has_pipes_of_its_own_and_moves_its_files(shown: Path, user: str) -> None:
    own = """
os.mkfifo("pipe")
reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
write("pipe")
os.mkdir("a")
os.mkdir("b")
write("a/file", flags=os.O_WRONLY | os.O_CREAT)
os.rename("a/file", "b/file")
os.link("b/file", "a/file")
"""
    assert succeeds(own, user=user, folder=shown)
