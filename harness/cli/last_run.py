"""The checks that failed or were undecided when a bot was last checked, for `conform check --lf`.

They are kept in the cache of the user: a small file for each folder and command of a bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from harness.files.user_cache import keep_entry, read_entry
from refbot.compile.cache import in_user_cache

FORMAT = "conform-last/2"
MOST_FILES = 500
"""Files that are kept; the oldest go. Chosen: each has some hundred bytes."""
MAX_BYTES = 1 << 20
"""Largest size of a file. Chosen: the ids of all checks take about ten kilobytes."""


@dataclass(frozen=True)
class Unpassed:
    """The ids of the checks of a bot that failed, and of those that were undecided."""

    failed: frozenset[str] = frozenset()
    undecided: frozenset[str] = frozenset()


class LastRun:
    """The file with the checks that one bot did not pass in its last check from this folder."""

    def __init__(self, command: str, folder: Path) -> None:
        key = blake2b(f"{folder}\0{command}".encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        self._file = in_user_cache("last") / f"{key}.json"

    def read(self) -> Unpassed:
        """Return the ids; none without a readable file."""
        entry = read_entry(self._file, MAX_BYTES)
        known = entry.get("format") == FORMAT
        return Unpassed(_ids_in(entry, "failed"), _ids_in(entry, "undecided")) if known else Unpassed()

    def write(self, unpassed: Unpassed) -> None:
        """Keep these ids. A cache that cannot be written is no error: the next `--lf` checks all."""
        ids = {"failed": sorted(unpassed.failed), "undecided": sorted(unpassed.undecided)}
        keep_entry(self._file, {"format": FORMAT, **ids}, most=MAX_BYTES, most_files=MOST_FILES)


def _ids_in(entry: dict[str, object], key: str) -> frozenset[str]:
    ids = entry.get(key)
    return frozenset(each for each in ids if isinstance(each, str)) if isinstance(ids, list) else frozenset()
