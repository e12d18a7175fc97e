"""The search for places. A place is a thing with a page: a match run, a running check, a report, a history.

The search reads only the names of files and the first bytes of JSON files. It follows no symbolic links: the
link `latest` would show a run twice, and a link in a folder from somebody else could lead to any file.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path

from harness.arena.store.store import DATABASE
from harness.files import read_file
from harness.report.check_format import FORMAT
from harness.report.status import run as run_status
from harness.report.status.check import SUFFIX

MOST_DEPTH = 6
"""Levels of folders that are searched below the served folder. Chosen: schedules need three."""
MOST_FOLDERS = 20_000
"""Folders that one search reads; further ones are not shown. Chosen: they take about a second."""
MOST_REPORT_BYTES = 50_000_000
"""Largest size of a report in bytes. Chosen: ten times a report with wire logs."""
HEAD_BYTES = 200
"""Bytes at the start of a JSON file that are searched for the name of the report format."""
HISTORY = "history.csv"
LEFT_OUT = frozenset({"sgf", "failures", "badges"})
"""Folders that conform writes and that hold no run."""


class Kind(StrEnum):
    """The kind of a place. Its value is the first part of the address of the page."""

    MATCH = "match"
    CHECK = "check"
    REPORT = "report"
    HISTORY = "history"


Signature = tuple[int, ...]
"""(inode, size, time of change) of a file, or of several files one after the other.

A new value means a changed file; empty: there is no file."""


@dataclass(frozen=True)
class Place:
    """A run, a running check, a report or a history.

    `path` is the folder of a run or of a history, the status file of a check, or the file of a report.
    """

    kind: Kind
    path: Path
    name: str  # the path relative to the folder that is served, such as "nightly/20261128T010000Z"

    @property
    def key(self) -> str:
        """The name of the place in addresses: a hash of its kind and name, which reveals no path."""
        named = f"{self.kind}\0{self.name}".encode("utf-8", "surrogateescape")
        return blake2b(named, digest_size=8).hexdigest()

    @property
    def address(self) -> str:
        """The address of its page, relative to the overview."""
        return f"{self.kind}/{self.key}/"

    @property
    def title(self) -> str:
        """The name for people: without `SUFFIX`, the ending of status files."""
        return self.path.absolute().name if self.name == "." else self.name.removesuffix(SUFFIX)

    @property
    def report(self) -> Place | None:
        """The place of the report that a running check will write; None for other kinds."""
        if self.kind is not Kind.CHECK:
            return None
        path = self.path.with_name(self.path.name.removesuffix(SUFFIX))
        return Place(Kind.REPORT, path, self.name.removesuffix(SUFFIX))

    @property
    def watched(self) -> Path:
        """The file whose signature shows that the place has changed. A run may have none (see `reading`)."""
        match self.kind:
            case Kind.MATCH:
                return self.path / run_status.FILE
            case Kind.HISTORY:
                return self.path / HISTORY
        return self.path


def signature(path: Path) -> Signature:
    """Return the signature of a file, without opening it; empty if there is none."""
    try:
        found = path.stat(follow_symlinks=False)
    except (OSError, ValueError):
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


class Finder:
    """Searches one folder repeatedly. A file is opened only when it is new or changed.

    Several threads may use a finder; a lock lets one search at a time.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._reports: dict[Path, tuple[Signature, bool]] = {}
        self._searching = threading.Lock()

    def find(self) -> dict[str, Place]:
        """Search the folder, and return every place by its key."""
        with self._searching:
            return {place.key: place for place in self._places()}

    def _places(self) -> Iterator[Place]:
        """Search level by level. The folder of a run is searched further only if it has a history too.

        Files in a folder are no places if the folder is that of a run without a history.
        """
        waiting = [(self.root, ".", 0)]  # (folder, name, depth); it grows while it is read
        seen: set[Path] = set()  # the JSON files: what the cache keeps
        for number, (folder, folder_name, depth) in enumerate(waiting):
            if number >= MOST_FOLDERS:
                break
            files, below = _entries(folder)
            if DATABASE in files or run_status.FILE in files:
                yield Place(Kind.MATCH, folder, folder_name)
                if HISTORY not in files:  # a schedule writes it beside its runs: these are searched for
                    continue
            if HISTORY in files:
                yield Place(Kind.HISTORY, folder, folder_name)
            beside = "" if folder is self.root else f"{folder_name}/"
            for file in files:
                path = folder / file
                if file.endswith(SUFFIX):
                    yield Place(Kind.CHECK, path, f"{beside}{file}")
                elif file.endswith(".json"):
                    seen.add(path)
                    if self._is_report(path):
                        yield Place(Kind.REPORT, path, f"{beside}{file}")
            if depth < MOST_DEPTH:
                waiting += [(folder / name, f"{beside}{name}", depth + 1) for name in below]
        self._reports = {path: known for path, known in self._reports.items() if path in seen}

    def _is_report(self, path: Path) -> bool:
        """Return True if a JSON file is the report of a check. The answer is kept until the file changes."""
        now = signature(path)
        before, known = self._reports.get(path, ((), False))
        if now != before:
            known = bool(now) and now[1] <= MOST_REPORT_BYTES and FORMAT in _head(path)
            self._reports[path] = now, known
        return known


def _entries(folder: Path) -> tuple[list[str], list[str]]:
    """Return the sorted names of the regular files and of the folders to search, without hidden ones.

    An unreadable folder has none.
    """
    try:
        with os.scandir(folder) as entries:
            seen = [entry for entry in entries if not entry.name.startswith(".")]
            files = [entry.name for entry in seen if entry.is_file(follow_symlinks=False)]
            folders = {entry.name for entry in seen if entry.is_dir(follow_symlinks=False)}
    except OSError:
        return [], []
    return sorted(files), sorted(folders - LEFT_OUT)


def _head(path: Path) -> str:
    try:
        return read_file(path, most=HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
