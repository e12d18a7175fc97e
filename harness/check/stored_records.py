"""Game records that are part of this package, for engines that load them.

The files are part of the package, so that their names stay valid after the run, when an author repeats the
printed lines by hand, and so that an engine in a sandbox, which sees no temporary files, can read them.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from harness.check.model import Judgement
from harness.check.stored_data import DATA_FOLDER
from harness.files import replaced
from harness.go import SgfGame, read_sgf

FOLDER = DATA_FOLDER / "records"
"""The folder of the records in the package. In a line of a dialogue, `{records}` stands for `folder()`."""

GAME, SETUP, KO, SETTLED = "game", "setup", "ko", "settled"
"""Names of records.

game      twelve moves with a capture and a pass
setup     stones that are set up, and three moves
ko        eight moves; the last one takes a ko
settled   a game to its end; each stone on the board is alive
"""

RECORD_SIZES = (9, 13, 19)
"""The board sizes of the records: there is a record of each name for each size."""

BROKEN = ("{records}/text.sgf", "{records}/cut.sgf", "{records}/empty.sgf")
"""Paths of files that are no whole record, as a line of a dialogue names them."""

NOT_THERE = "{records}/no-such-file.sgf"
"""The path of a file that does not exist."""

NOWHERE = "{records}/no-such-folder/game.sgf"
"""The path of a file that cannot be written."""


def record_path(name: str, size: int) -> str:
    """Return the path of a record as a line of a dialogue names it, such as `{records}/ko-9.sgf`."""
    return f"{{records}}/{name}-{size}.sgf"


@cache
def record_of(name: str, size: int) -> SgfGame:
    """Return the record of a name, such as KO, for one of RECORD_SIZES."""
    return read_sgf((FOLDER / f"{name}-{size}.sgf").read_bytes())


def is_sendable(path: str) -> bool:
    """Return True if a path can be an argument of a command: printable ASCII without a blank or "#"."""
    return path.isascii() and path.isprintable() and not set(path) & set(" #")


def with_records_folder(line: bytes) -> bytes:
    """Return a line with the folder of the records in place of `{records}`."""
    if b"{records}" not in line:
        return line  # `folder` may copy the records, which this line does not need
    return line.replace(b"{records}", str(folder()).encode("utf-8"))


def with_named_records(judgement: Judgement) -> Judgement:
    """Return a judgement whose sentences have `{records}` in place of the folder of the records.

    Sentences are then alike on all machines. Only lines to copy need the folder.
    """
    return replace(
        judgement,
        expected=_named(judgement.expected),
        observed=_named(judgement.observed),
        hint=_named(judgement.hint),
    )


def _named(text: str) -> str:
    return text.replace(str(folder()), "{records}") if "sgf" in text else text  # other texts need no folder


@cache
def folder() -> Path:
    """Return FOLDER, or a folder with copies of the records if GTP cannot send the path of FOLDER.

    The copies are in a folder of this user among the temporary files, whose path `is_sendable` may refuse
    too. They stay there, so that the printed lines can be repeated by hand.
    """
    if is_sendable(str(FOLDER)):
        return FOLDER
    return copy_records(Path(tempfile.gettempdir()) / f"conform-records-{os.getuid()}")


def copy_records(place: Path) -> Path:
    """Copy the records into a folder of this user, and return the folder. Create it if it is missing.

    If the path is no folder, or another user owns the folder or may write to it, copy into a new temporary
    folder instead.
    """
    with suppress(FileExistsError):
        place.mkdir(mode=stat.S_IRWXU)
    found = place.lstat()
    others_write = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or others_write:
        place = Path(tempfile.mkdtemp(prefix="conform-records-"))
    for record in FOLDER.iterdir():
        with replaced(place / record.name, binary=True) as file:
            file.write(record.read_bytes())
    return place
