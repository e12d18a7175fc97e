"""The index: the statuses of runs that have a store but no usable status file, in the cache of the user.

Reading a store checks and judges all its games, which takes seconds for a large run. The index saves doing it
again. An entry is one small file. It is valid for one version of conform, and until a file of the store
changes. The index does not notice damage that leaves the size and the times of a file as they were: commands
that open the run find it.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from harness import __version__
from harness.arena.store.opening import SIDE_FILES
from harness.arena.store.store import DATABASE
from harness.files.user_cache import keep_entry, read_entry
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
        """The status of a run whose store consists of `files` (see `files_of`), if it was kept; else None."""
        entry = read_entry(self._path(run), MOST_BYTES)
        if entry.get("status_of") != _stamp(run, files):
            return None
        try:
            return RunStatus.model_validate(entry.get("status"))
        except ValueError:  # from a cache that another program has changed
            return None

    def keep(self, run: Path, files: list[list[int]], status: RunStatus) -> None:
        """Store the status of a run that was read while its store consisted of `files`."""
        entry = {"status_of": _stamp(run, files), "status": status.model_dump(mode="json")}
        with suppress(OSError):
            make_private(self._folder)
        keep_entry(self._path(run), entry, most=MOST_BYTES, most_files=MOST_IN_FOLDER)

    def _path(self, run: Path) -> Path:
        key = blake2b(str(run.absolute()).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        return self._folder / key[:2] / f"{key[2:]}.json"


def files_of(run: Path) -> list[list[int]]:
    """Device, inode, size and times of each file of a store. Writing to a file changes its times."""
    found = []
    for ending in ("", *SIDE_FILES):
        with suppress(OSError):
            state = (run / f"{DATABASE}{ending}").lstat()
            found.append([state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns])
    return found


def _stamp(run: Path, files: list[list[int]]) -> dict[str, Any]:
    return {"format": FORMAT, "version": __version__, "run": str(run.absolute()), "files": files}
