"""Finds the files that match a path with wildcards, in one walk that looks at a limited number of files.

`glob` walks a folder once for each way in which `**/**` can be read, and follows links in circles.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Set
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

MOST_ENTRIES = 500_000
"""Most files and folders that one search looks at. Chosen: more than large collections of games have."""
LONGEST_PATTERN = 4_096
"""Most characters of a pattern. Chosen: longer than any path of Linux."""
MOST_DEPTH = 200
"""Most levels of nested folders. Chosen: real ones have ten; Python nests about a thousand calls."""
ANY_FOLDERS = "**"


class PatternError(ValueError):
    """A pattern cannot be searched for. The text says why."""


class FileSearch:
    """Searches for some patterns. All of them together may look at `most` files and folders."""

    def __init__(self, most: int = MOST_ENTRIES) -> None:
        self._most = self._left = most

    def matches(self, pattern: str) -> Iterator[str]:
        """Yield each path that matches, once. Raises PatternError.

        `**` stands for any folders, or none. No wildcard stands for a dot at the beginning of a name. A slash
        at the end of a pattern with wildcards is ignored: `a*/` matches files, too. A `..` after a wildcard
        matches nothing.
        """
        if len(pattern) > LONGEST_PATTERN:
            raise PatternError(
                f"a pattern of {len(pattern):,} characters is longer than any path: shorten it"
            )
        if not glob.has_magic(pattern):
            if os.path.lexists(pattern):
                yield pattern
            return
        parts = Path(pattern).parts
        fixed = next(index for index, part in enumerate(parts) if glob.has_magic(part))
        folder, wild = os.path.join("", *parts[:fixed]), _WildParts(parts[fixed:])
        state = wild.skip_folders({0})
        if wild.end in state and os.path.isdir(folder):
            yield folder
        yield from self._below(folder, state, wild, ())

    def _below(
        self, folder: str, state: frozenset[int], wild: _WildParts, above: tuple[tuple[int, int], ...]
    ) -> Iterator[str]:
        """Yield the matches below a folder; `above`: device and inode of each folder around it."""
        try:
            found = os.stat(folder or os.curdir)
            with os.scandir(folder or os.curdir) as entries:
                first = islice(entries, self._left + 1)
                below = sorted((entry.name, _is_folder(entry)) for entry in first)
        except (OSError, ValueError):  # no folder, one that may not be read, or a path with a NUL
            return
        this = (found.st_dev, found.st_ino)
        if this in above:  # a link leads back
            return
        if len(above) > MOST_DEPTH:
            raise PatternError(
                f"the search would go more than {MOST_DEPTH} folders deep: name a folder nearer to the files"
            )
        for name, is_folder in below:
            self._count_entry()
            path = os.path.join(folder, name)
            matched = wild.match(name, state)
            inside = wild.skip_folders(matched)
            # A `**` that took this name may end with a file, but `file/**` does not match `file`.
            whole = inside if is_folder else matched | wild.skip_folders(matched & state)
            if wild.end in whole:
                yield path
            if is_folder and inside - {wild.end}:
                yield from self._below(path, inside, wild, (*above, this))

    def _count_entry(self) -> None:
        """Count one more file or folder. Raises PatternError if it is one too many."""
        if not self._left:
            raise PatternError(
                f"more than {self._most:,} files and folders would have to be searched: "
                "name a folder nearer to the files"
            )
        self._left -= 1


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Return True for a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


@dataclass(frozen=True)
class _WildParts:
    """The parts of a pattern from its first wildcard on: ("**", "*.sgf") of "games/**/*.sgf".

    A state is the set of the indices of all parts that the next name of a path may match; it has `end` if the
    names so far match the whole pattern. For the example, the state at the start is {0, 1}: the next name may
    be a folder of `**`, or match `*.sgf`. After the name "a.sgf" it is {0, 1, 2}, and 2 is the end.
    """

    parts: tuple[str, ...]

    @property
    def end(self) -> int:
        """The index after the last part."""
        return len(self.parts)

    def match(self, name: str, state: Set[int]) -> frozenset[int]:
        """Return the state after one more folder or file name of a path. At `**`, the state may also stay."""
        after = set()
        for index in state - {self.end}:
            part = self.parts[index]
            if name.startswith(".") and not part.startswith("."):
                continue
            if part == ANY_FOLDERS:
                after.add(index)
            elif fnmatchcase(name, part):
                after.add(index + 1)
        return frozenset(after)

    def skip_folders(self, state: Set[int]) -> frozenset[int]:
        """Return the state with the index after each `**` in it: a `**` may match no folder."""
        found = set(state)
        for index, part in enumerate(self.parts):
            if index in found and part == ANY_FOLDERS:
                found.add(index + 1)
        return frozenset(found)
