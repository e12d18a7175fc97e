"""Finds what there is to look at below a folder: match runs, checks, reports of checks, histories.

Only names and the first bytes of files are read. Symbolic links are not followed: `latest` would show a run
twice, and a link in a folder that somebody sent could lead anywhere.
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
"""Folders above a run, below the folder that is served. Chosen: schedules need three."""
MOST_FOLDERS = 20_000
"""Folders that are read in one search; further ones are not shown. Chosen: they take about a second."""
MOST_REPORT_BYTES = 50_000_000
"""Bytes of a file that may be a report. Chosen: reports with wire logs have a tenth of it."""
HEAD_BYTES = 200
"""A report of a check names its format in its first bytes."""
HISTORY = "history.csv"
LEFT_OUT = frozenset({"sgf", "failures", "badges"})
"""Folders that conform writes and that hold no run."""


class Kind(StrEnum):
    """Kind of a place; the first part of its address."""

    MATCH = "match"
    CHECK = "check"
    REPORT = "report"
    HISTORY = "history"


Signature = tuple[int, ...]
"""Of a file: it changes when the file is written or replaced. Empty if there is no file."""


@dataclass(frozen=True)
class Place:
    """Something to look at. `path` is a folder for a match and a history, and a file for a check."""

    kind: Kind
    path: Path
    name: str  # relative to the folder that is served

    @property
    def key(self) -> str:
        """Name of the place in addresses, without a character of its path."""
        named = f"{self.kind}\0{self.name}".encode("utf-8", "surrogateescape")
        return blake2b(named, digest_size=8).hexdigest()

    @property
    def address(self) -> str:
        """The address of its page, relative to the overview."""
        return f"{self.kind}/{self.key}/"

    @property
    def title(self) -> str:
        """The name for people."""
        return self.path.absolute().name if self.name == "." else self.name.removesuffix(SUFFIX)

    @property
    def report(self) -> Place | None:
        """Place of the future report of a check that runs."""
        if self.kind is not Kind.CHECK:
            return None
        path = self.path.with_name(self.path.name.removesuffix(SUFFIX))
        return Place(Kind.REPORT, path, self.name.removesuffix(SUFFIX))

    @property
    def watched(self) -> Path:
        """The file that changes with the place."""
        match self.kind:
            case Kind.MATCH:
                return self.path / run_status.FILE
            case Kind.HISTORY:
                return self.path / HISTORY
        return self.path


def signature(path: Path) -> Signature:
    """Return the present state of a file without reading it."""
    try:
        found = path.stat(follow_symlinks=False)
    except (OSError, ValueError):
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


class Finder:
    """Searches a folder again and again. A file is opened only when it is new or changed.

    Several threads may use it; they search one after the other.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._reports: dict[Path, tuple[Signature, bool]] = {}
        self._searching = threading.Lock()

    def find(self) -> dict[str, Place]:
        """Every place by its key."""
        with self._searching:
            return {place.key: place for place in self._places()}

    def _places(self) -> Iterator[Place]:
        waiting = [(self.root, 0)]
        seen: set[Path] = set()
        for number, (folder, depth) in enumerate(waiting):
            if number >= MOST_FOLDERS:
                break
            names, below = _entries(folder)
            if DATABASE in names or run_status.FILE in names:
                yield self._place(Kind.MATCH, folder)
                continue
            if HISTORY in names:
                yield self._place(Kind.HISTORY, folder)
            for name in names:
                path = folder / name
                if name.endswith(SUFFIX):
                    yield self._place(Kind.CHECK, path)
                elif name.endswith(".json") and self._is_report(path):
                    seen.add(path)
                    yield self._place(Kind.REPORT, path)
            if depth < MOST_DEPTH:
                waiting += [(folder / name, depth + 1) for name in below]
        self._reports = {path: known for path, known in self._reports.items() if path in seen}

    def _place(self, kind: Kind, path: Path) -> Place:
        return Place(kind, path, os.path.relpath(path, self.root))

    def _is_report(self, path: Path) -> bool:
        now = signature(path)
        before, known = self._reports.get(path, ((), False))
        if now != before:
            known = bool(now) and now[1] <= MOST_REPORT_BYTES and FORMAT in _head(path)
            self._reports[path] = now, known
        return known


def _entries(folder: Path) -> tuple[list[str], list[str]]:
    """Names of the regular files and of the folders to look into, sorted. Empty for what cannot be read."""
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
