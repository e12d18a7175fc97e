"""Replaces the damaged store of a run by a store of its sound games."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path

from harness.arena.folder.lock import locked
from harness.arena.store.errors import DamagedStoreError, no_run
from harness.arena.store.opening import SIDE_FILES
from harness.arena.store.salvage import Salvage, salvage
from harness.arena.store.store import DATABASE
from harness.arena.store.takeover import (
    begin_replacement,
    check_at_rest,
    current_database,
    finish_replacement,
)
from harness.files import copy_file, is_file, move, remove_folder

BESIDE = ".salvage-"
"""Start of the name of the temporary folder that a salvage writes into, in the folder of the run."""


def salvage_run(folder: Path) -> tuple[Salvage, Path] | None:
    """Save the sound games of a damaged run. Return None, and change no game, if nothing is damaged.

    Otherwise return (what was saved, path of the damaged file, which is kept beside the new store). Raises
    StoreError if there is no run, if its store cannot be read for another reason than damage, and if nothing
    can be saved; FolderInUseError, RunError and OSError.
    """
    if not os.path.lexists(current_database(folder / DATABASE)):  # no lock is made where there is no run
        raise no_run(folder, DATABASE)
    with locked(folder):
        finish_replacement(folder / DATABASE)
        try:
            check_at_rest(folder / DATABASE)
        except DamagedStoreError:
            pass
        else:
            return None
        for left in folder.glob(f"{BESIDE}*"):  # a killed salvage left it: this one has the lock
            with suppress(OSError):  # a file of this name is left alone
                remove_folder(left)
        with tempfile.TemporaryDirectory(dir=folder, prefix=BESIDE) as beside:
            saved = salvage(folder, Path(beside))
            kept = _free_name(folder)
            copy_file(folder / DATABASE, kept)
            complete = folder / f".{DATABASE}.{secrets.token_hex(6)}.part"
            move(Path(beside) / DATABASE, complete)
            begin_replacement(folder / DATABASE, complete)
            for ending in SIDE_FILES:  # SQLite must not apply them to the new database
                if is_file(folder / f"{DATABASE}{ending}"):
                    move(folder / f"{DATABASE}{ending}", kept.with_name(kept.name + ending))
            finish_replacement(folder / DATABASE)
    return saved, kept


def _free_name(folder: Path) -> Path:
    """Return the path `run.db.damaged`, with a number if it or one with an ending of SQLite exists."""
    for number in count(1):
        kept = folder / f"{DATABASE}.damaged{f'-{number}' if number > 1 else ''}"
        if not any(os.path.lexists(f"{kept}{ending}") for ending in ("", *SIDE_FILES)):
            break
    return kept
