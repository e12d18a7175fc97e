"""Finds the files that match a path with wildcards, in one walk that looks at a limited number of files.

`glob` walks a folder once for each way in which `**/**` can be read, and follows links in circles.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Set
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

MOST_ENTRIES = 500_000
"""Most files and folders that one search looks at. Chosen: more than large collections of games have."""
LONGEST_PATTERN = 4_096
"""Characters of a pattern. Chosen: longer than any path of Linux."""
MOST_DEPTH = 200
"""Most levels of nested folders. Chosen: real ones have ten; Python nests about a thousand calls."""
ANY_FOLDERS = "**"
NOWHERE = -1


class PatternError(ValueError):
    """A pattern cannot be searched for. The text says why."""


class FileSearch:
    """Searches for some patterns. All of them together may look at `most` files and folders."""

    def __init__(self, most: int = MOST_ENTRIES) -> None:
        self._most = self._left = most

    def matches(self, pattern: str) -> Iterator[str]:
        """Yield each path that matches, once. `**` stands for any folders, or none. Raises PatternError."""
        if len(pattern) > LONGEST_PATTERN:
            raise PatternError(f"a pattern of {len(pattern):,} characters is longer than any path")
        if not glob.has_magic(pattern):
            if os.path.lexists(pattern):
                yield pattern
            return
        parts = Path(pattern).parts
        fixed = next(place for place, part in enumerate(parts) if glob.has_magic(part))
        folder, parts = os.path.join("", *parts[:fixed]), parts[fixed:]
        places = _started({0}, parts)
        if len(parts) in places and os.path.isdir(folder):
            yield folder
        yield from self._below(folder, places - {len(parts)}, parts, ())

    def _below(
        self, folder: str, places: frozenset[int], parts: tuple[str, ...], above: tuple[tuple[int, int], ...]
    ) -> Iterator[str]:
        """Yield the matches in a folder.

        places   the parts of the pattern that an entry may match
        above    the folders around it
        """
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
            raise PatternError(f"it matches in folders that are more than {MOST_DEPTH} deep")
        for name, is_folder in below:
            if not self._left:
                raise PatternError(
                    f"more than {self._most:,} files and folders would have to be searched: "
                    "name a folder nearer to the files"
                )
            self._left -= 1
            path = os.path.join(folder, name)
            stepped = {_step(place, parts, name) for place in places} - {NOWHERE}
            after = _started(stepped, parts)
            # A final `**` matches the files below a folder, but `file/**` does not match `file`.
            within = _started(stepped & places, parts)
            if len(parts) in (after if is_folder else stepped | within):
                yield path
            inner = after - {len(parts)}
            if inner and is_folder:
                yield from self._below(path, inner, parts, (*above, this))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _step(place: int, parts: tuple[str, ...], name: str) -> int:
    """Return the place after a name was matched at `place`; NOWHERE if it does not match."""
    part = parts[place]
    if name.startswith(".") and not part.startswith("."):
        return NOWHERE
    if part == ANY_FOLDERS:
        return place
    return place + 1 if fnmatchcase(name, part) else NOWHERE


def _started(places: Set[int], parts: tuple[str, ...]) -> frozenset[int]:
    """Return these places, and each place that follows them if a `**` matches no folder."""
    found = set(places)
    for place, part in enumerate(parts):
        if place in found and part == ANY_FOLDERS:
            found.add(place + 1)
    return frozenset(found)
