"""The paths of the files of a run, and how each file is written: as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from harness.match import FAILURES

SGF_FOLDER = "sgf"
VOID_FOLDER = "sgf/void"
"""Void games have a folder of their own, so that other tools do not count them as results."""
FAILURES_FOLDER = "failures"


def game_file(game_id: str, reason: str) -> str:
    """The SGF file of a game, relative to the run's folder."""
    return f"{VOID_FOLDER if reason in FAILURES else SGF_FOLDER}/{game_id}.sgf"


@contextmanager
def replaced(path: Path) -> Iterator[TextIO]:
    """Open a text file that replaces `path` once it is complete.

    Raises OSError with the path, which the error of a full disk does not have by itself.
    """
    beside = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8", newline="") as file:
            yield file
        os.replace(beside, path)
    except BaseException as error:
        beside.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
