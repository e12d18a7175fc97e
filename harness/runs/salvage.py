"""Replaces the damaged store of a run by a store of its sound games."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from harness.match import DATABASE, DamagedStoreError, Salvage, Store, salvage
from harness.runs.lock import locked


def salvage_run(folder: Path) -> tuple[Salvage, Path] | None:
    """Save the sound games of a damaged run; None, and no change, if nothing is damaged.

    The damaged file is kept beside the new store; its path is returned. Raises StoreError if nothing can be
    saved, FolderInUseError and OSError.
    """
    with locked(folder):
        try:
            Store.open(folder, read_only=True).close()
        except DamagedStoreError:
            pass
        else:
            return None
        with tempfile.TemporaryDirectory(dir=folder, prefix=".salvage-") as beside:
            saved = salvage(folder, Path(beside))
            kept = _keep_damaged(folder)
            os.replace(Path(beside) / DATABASE, folder / DATABASE)
    return saved, kept


def _keep_damaged(folder: Path) -> Path:
    """Copy the damaged database, and move its write-ahead log: it must not meet the new database."""
    number, kept = 1, folder / f"{DATABASE}.damaged"
    while kept.exists():
        number += 1
        kept = folder / f"{DATABASE}.damaged-{number}"
    shutil.copy2(folder / DATABASE, kept)
    for ending in ("-wal", "-shm"):
        log = folder / f"{DATABASE}{ending}"
        if log.exists():
            log.rename(kept.with_name(kept.name + ending))
    return kept
