"""The index: what was read from the stores of runs that have no usable status file, in the cache of the user.

To read a run from its store is to check and to judge all its games, which takes seconds for a large run. So
each is read once. An entry is one small file. It counts only while the files of the store are those that were
read, and for the version of conform that read them; a damage of the disk that leaves size and times of a file
alone is found by the commands that open the run.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from harness import __version__
from harness.arena.store.opening import SIDE_FILES
from harness.arena.store.store import DATABASE
from harness.files import UnsafeFileError, read_file, remove_file, replaced
from harness.report.status.run import MOST_BYTES, RunStatus
from refbot.compile.cache import in_user_cache, make_private

FORMAT = "conform-index/1"
MOST_IN_FOLDER = 64
"""Entries in each of the 256 folders; the oldest go. Chosen: 16,000 runs of 5 to 100 kB each."""


class RunIndex:
    """The statuses of stored runs, by the path of their folder. A cache that cannot be used is no error."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder`: where the entries are; None: in the cache of the user."""
        self._folder = folder or in_user_cache("runs")

    def find(self, run: Path, files: list[list[int]]) -> RunStatus | None:
        """The status of a run whose store consists of `files` (see `files_of`); None without an entry."""
        try:
            entry = json.loads(read_file(self._path(run), most=MOST_BYTES))
            if isinstance(entry, dict) and entry.pop("status_of", None) == _stamp(run, files):
                return RunStatus.model_validate(entry["status"])
        except (OSError, UnsafeFileError, ValueError, KeyError, RecursionError, ValidationError):
            pass
        return None

    def keep(self, run: Path, files: list[list[int]], status: RunStatus) -> None:
        """Store the status of a run that was read while its store consisted of `files`."""
        path = self._path(run)
        text = json.dumps({"status_of": _stamp(run, files), "status": status.model_dump(mode="json")})
        if len(text) > MOST_BYTES:
            return
        with suppress(OSError, UnsafeFileError):
            for folder in (self._folder, path.parent):
                make_private(folder)
            with replaced(path) as file:
                file.write(text)
            entries = sorted(path.parent.glob("*.json"), key=lambda entry: entry.stat().st_mtime)
            for old in entries[:-MOST_IN_FOLDER]:
                remove_file(old)

    def _path(self, run: Path) -> Path:
        key = blake2b(str(run.absolute()).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        return self._folder / key[:2] / f"{key[2:]}.json"


def files_of(run: Path) -> list[list[int]]:
    """Device, inode, size and times of the files of a store. Any change of their content changes a time."""
    found = []
    for ending in ("", *SIDE_FILES):
        with suppress(OSError):
            state = (run / f"{DATABASE}{ending}").lstat()
            found.append([state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns])
    return found


def _stamp(run: Path, files: list[list[int]]) -> dict[str, Any]:
    return {"format": FORMAT, "version": __version__, "run": str(run.absolute()), "files": files}
