"""One process at a time plays into a folder."""

import os
from pathlib import Path

import pytest

from harness.runs import FolderInUseError, RunError, locked


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
