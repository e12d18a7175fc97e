"""The checks that failed or were undecided when a bot was last checked, for `conform check --lf`.

They are kept in the cache of the user: a small file for each folder and command of a bot.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from harness.files import UnsafeFileError, read_file, remove_file, replaced
from refbot.compile.cache import in_user_cache, make_private

FORMAT = "conform-last/2"
MOST_FILES = 500
"""Files that are kept; the oldest go. Chosen: each has some hundred bytes."""
MAX_BYTES = 1 << 20


@dataclass(frozen=True)
class Unpassed:
    """The ids of the checks of a bot that failed, and of those that were undecided."""

    failed: frozenset[str] = frozenset()
    undecided: frozenset[str] = frozenset()


class LastRun:
    """What one bot did not pass when it was last checked from this folder."""

    def __init__(self, command: str, folder: Path) -> None:
        key = blake2b(f"{folder}\0{command}".encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        self._folder = in_user_cache("last")
        self._file = self._folder / f"{key}.json"

    def read(self) -> Unpassed:
        """Return the ids; none without a readable file."""
        try:
            data = json.loads(read_file(self._file, most=MAX_BYTES))
        except (OSError, UnsafeFileError, ValueError, RecursionError):
            return Unpassed()
        known = isinstance(data, dict) and data.get("format") == FORMAT
        return Unpassed(_ids_in(data, "failed"), _ids_in(data, "undecided")) if known else Unpassed()

    def write(self, unpassed: Unpassed) -> None:
        """Keep these ids. A cache that cannot be written is no error: the next `--lf` checks all."""
        with suppress(OSError, UnsafeFileError):
            make_private(self._folder)
            with replaced(self._file) as file:
                ids = {"failed": sorted(unpassed.failed), "undecided": sorted(unpassed.undecided)}
                file.write(json.dumps({"format": FORMAT, **ids}))
            files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
            for old in files[:-MOST_FILES]:
                remove_file(old)


def _ids_in(data: dict[str, object], key: str) -> frozenset[str]:
    ids = data.get(key)
    return frozenset(each for each in ids if isinstance(each, str)) if isinstance(ids, list) else frozenset()
