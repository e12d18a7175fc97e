"""The lock of a folder: held by one process, free again once a killed owner and its workers are gone."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from harness.arena.folder import lock
from harness.arena.folder.errors import FolderInUseError, RunError
from harness.arena.folder.lock import locked

OWNER = """
import os, sys
from pathlib import Path
from harness.arena.folder.lock import locked
with locked(Path(sys.argv[1])):
    worker = os.fork() == 0
    if not worker:
        print(flush=True)
    sys.stdin.read()
"""


def test_two_matches_do_not_play_into_one_folder(tmp_path: Path) -> None:
    another = pytest.raises(FolderInUseError, match=rf"another conform .*process {os.getpid()}")
    with locked(tmp_path), another, locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be written: not a directory"), locked(tmp_path / "file/run"):
        pass


def test_a_file_system_without_locks_is_not_taken_for_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", flock)
    with pytest.raises(RunError, match="cannot be locked: no locks available"), locked(tmp_path):
        pass


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that holds the lock, as does a worker that it has forked: until its input ends."""
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process


def test_another_process_that_plays_is_not_waited_for(owner: subprocess.Popen[bytes], tmp_path: Path) -> None:
    with pytest.raises(FolderInUseError, match=rf"process {owner.pid}\b"), locked(tmp_path):
        pass


def test_the_workers_of_a_killed_owner_are_waited_for(owner: subprocess.Popen[bytes], tmp_path: Path) -> None:
    owner.kill()
    owner.wait()
    assert owner.stdin is not None
    end_of_worker = Timer(0.5, owner.stdin.close)
    end_of_worker.start()
    with locked(tmp_path):
        assert owner.stdin.closed
    end_of_worker.join()


def test_workers_that_outlive_their_owner_are_named(
    owner: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "LEAVING", 0.2)
    owner.kill()
    owner.wait()
    outlived = rf"process {owner.pid} has ended, but its child processes"
    with pytest.raises(FolderInUseError, match=outlived), locked(tmp_path):
        pass
