"""Replaces the damaged store of a run by a store of its sound games."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from itertools import count
from pathlib import Path

from harness.arena.folder.lock import locked
from harness.arena.store.errors import DamagedStoreError
from harness.arena.store.opening import SIDE_FILES
from harness.arena.store.salvage import Salvage, salvage
from harness.arena.store.store import DATABASE
from harness.arena.store.takeover import begin_replacement, check_at_rest, finish_replacement
from harness.files import is_file, move, open_file

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def salvage_run(folder: Path) -> tuple[Salvage, Path] | None:
    """Save the sound games of a damaged run; None, and no change, if nothing is damaged.

    The damaged file is kept beside the new store; its path is returned too. Raises StoreError if nothing can
    be saved, FolderInUseError and OSError.
    """
    with locked(folder):
        finish_replacement(folder / DATABASE)
        try:
            check_at_rest(folder / DATABASE)
        except DamagedStoreError:
            pass
        else:
            return None
        with tempfile.TemporaryDirectory(dir=folder, prefix=".salvage-") as beside:
            saved = salvage(folder, Path(beside))
            kept = _copy_damaged(folder)
            complete = folder / f".{DATABASE}.{secrets.token_hex(6)}.part"
            move(Path(beside) / DATABASE, complete)
            begin_replacement(folder / DATABASE, complete)
            for ending in SIDE_FILES:  # SQLite must not apply them to the new database
                if is_file(folder / f"{DATABASE}{ending}"):
                    move(folder / f"{DATABASE}{ending}", kept.with_name(kept.name + ending))
            finish_replacement(folder / DATABASE)
    return saved, kept


def _copy_damaged(folder: Path) -> Path:
    """Copy the damaged database beside it, with its times. Return the path of the copy."""
    kept = _free_name(folder)
    source = open_file(folder / DATABASE)
    with os.fdopen(source, "rb") as old, os.fdopen(open_file(kept, NEW, mode=0o600), "wb") as new:
        shutil.copyfileobj(old, new)
        new.flush()
        status = os.fstat(source)
        os.fchmod(new.fileno(), status.st_mode & 0o777)
        os.utime(new.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))
    return kept


def _free_name(folder: Path) -> Path:
    """`run.db.damaged`, with a number if needed: a name that is free, also with the endings of SQLite."""
    for number in count(1):
        kept = folder / f"{DATABASE}.damaged{f'-{number}' if number > 1 else ''}"
        if not any(os.path.lexists(f"{kept}{ending}") for ending in ("", *SIDE_FILES)):
            break
    return kept
