"""A database of some kilobytes claims to have a terabyte: its file is one hole, or its header says so.

Before: a salvage filled the memory with it. After: holes are not copied, and a damaged file is repaired in a
copy on the disk.
"""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from harness.arena.store.errors import StoreError
from harness.arena.store.file import PAGE_BYTES
from harness.arena.store.salvage import salvage
from harness.arena.store.store import DATABASE
from harness.files import copy_file
from tests.harness.arena.stored_runs import content

TERABYTE = 1 << 40


def test_a_hole_is_not_copied(run: Path, tmp_path: Path) -> None:
    before = content(run)
    try:
        os.truncate(run / DATABASE, TERABYTE)
    except OSError:
        pytest.skip("this file system has no files of that size")
    copied = copy_file(run / DATABASE, tmp_path / "copy")
    assert copied < TERABYTE // 1000
    assert (tmp_path / "copy").stat().st_size == TERABYTE
    assert content(run) == before


def test_a_salvage_ends(run: Path, tmp_path: Path) -> None:
    data = bytearray((run / DATABASE).read_bytes()[: 10 * PAGE_BYTES])
    data[28:32] = b"\xff" * 4
    data[0] = 0
    (run / DATABASE).write_bytes(data)
    with suppress(OSError):
        os.truncate(run / DATABASE, TERABYTE)
    with suppress(StoreError):
        salvage(run, tmp_path / "new")
