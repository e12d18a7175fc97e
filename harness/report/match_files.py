"""Where the files of a match run lie, and how each is written: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from harness.match import FAILURES

SGF_FOLDER = "sgf"
VOID_FOLDER = "sgf/void"
"""Void games lie apart, so that other tools do not count them as results."""
FAILURES_FOLDER = "failures"


def game_file(game_id: str, reason: str) -> str:
    """The SGF file of a game, relative to the run's folder."""
    return f"{VOID_FOLDER if reason in FAILURES else SGF_FOLDER}/{game_id}.sgf"


@contextmanager
def replaced(path: Path) -> Iterator[TextIO]:
    """A text file to write that takes the place of `path` when it is complete.

    Raises OSError, which names a file: a write to a full disk would not.
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
