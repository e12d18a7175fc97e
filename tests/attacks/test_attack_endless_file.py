"""The pages of a database lead to one page again and again, so that reading its tables never ends.

Before: each command that opens the run hung. After: reading has a limit that grows with the size of the file;
the run is refused as damaged.
"""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from harness.arena.store.errors import DamagedStoreError, StoreError
from harness.arena.store.salvage import salvage
from harness.arena.store.store import DATABASE, Store
from tests.attacks.schema_edits import PAGE, changed
from tests.parameters import thorough_but
from tests.thorough import Mutant

CHILDREN, DEPTH = 300, 12
"""A page has that many children, all of them the same page, through that many levels."""


def interior(child: int, *, header: int = 0) -> bytes:
    """An interior page of a table whose children are all `child`. `header`: bytes before it in the page."""
    cells = b"".join(child.to_bytes(4, "big") + bytes([number % 127]) for number in range(CHILDREN))
    start = PAGE - len(cells)
    pointers = b"".join((start + 5 * number).to_bytes(2, "big") for number in range(CHILDREN))
    head = (
        b"\x05\0\0"
        + CHILDREN.to_bytes(2, "big")
        + start.to_bytes(2, "big")
        + b"\0"
        + child.to_bytes(4, "big")
    )
    return (head + pointers).ljust(PAGE - header - len(cells), b"\0") + cells


def make_endless(run: Path, root: int) -> None:
    """Put levels of such pages between the page `root` of a table and its present content."""
    path = run / DATABASE
    data = bytearray(path.read_bytes())
    header = 100 if root == 1 else 0  # the first page begins with the header of the file
    first = (root - 1) * PAGE
    content, pages = bytes(data[first : first + PAGE]), len(data) // PAGE
    if header:  # cells have offsets within the page, so the content of page 1 cannot move: an empty leaf
        content = (b"\x0d\0\0\0\0" + PAGE.to_bytes(2, "big") + b"\0").ljust(PAGE, b"\0")
    data += content
    for level in range(DEPTH):
        data += interior(pages + 1 + level)
    data[first + header : first + PAGE] = interior(pages + 1 + DEPTH, header=header)
    data[28:32] = (len(data) // PAGE).to_bytes(4, "big")
    path.write_bytes(data)


@pytest.mark.parametrize(
    "table",
    thorough_but(
        ("sqlite_master", "game"),
        ["sqlite_master", "game", "config"],
        Mutant(
            "harness/arena/store/file.py",
            "DamagedStoreError(path, state.splitlines()[-1])",
            "StoreError(path, state.splitlines()[-1])",
            "tests/attacks/test_attack_endless_file.py::test_reading_ends[game]",
        ),
    ),
)
def test_reading_ends(run: Path, tmp_path: Path, table: str) -> None:
    with changed(run) as db:
        roots = dict(db.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'").fetchall())
    make_endless(run, roots.get(table, 1))
    with suppress(OSError):
        os.truncate(run / DATABASE, 1 << 40)  # a hole gives no more steps
    with pytest.raises(DamagedStoreError):
        Store.open(run, read_only=True)
    with suppress(StoreError):
        salvage(run, tmp_path / "new")
