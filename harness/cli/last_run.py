"""`LastRun`: the checks that failed or were undecided when a bot was last checked, for `conform check --lf`.

They are kept in the cache of the user: a small file for each folder and command of a bot.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from harness.files import UnsafeFileError, read_file, remove_file, replaced
from refbot.compile.cache import in_user_cache, make_private

FORMAT = "conform-last/1"
MOST_FILES = 500
"""Files that are kept; the oldest go. Chosen: each has some hundred bytes."""
MAX_BYTES = 1 << 20


class LastRun:
    """The checks of one bot that failed or were undecided when it was last checked from this folder."""

    def __init__(self, command: str, folder: Path) -> None:
        key = blake2b(f"{folder}\0{command}".encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        self._folder = in_user_cache("last")
        self._file = self._folder / f"{key}.json"

    def read(self) -> frozenset[str]:
        """Return the ids; none without a readable file."""
        try:
            data = json.loads(read_file(self._file, most=MAX_BYTES))
        except (OSError, UnsafeFileError, ValueError, RecursionError):
            return frozenset()
        known = isinstance(data, dict) and data.get("format") == FORMAT
        ids = data.get("checks") if known else None
        ids = ids if isinstance(ids, list) else []
        return frozenset(each for each in ids if isinstance(each, str))

    def write(self, ids: Collection[str]) -> None:
        """Keep these ids. A cache that cannot be written is no error: the next `--lf` checks all."""
        with suppress(OSError, UnsafeFileError):
            make_private(self._folder)
            with replaced(self._file) as file:
                file.write(json.dumps({"format": FORMAT, "checks": sorted(ids)}))
            files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
            for old in files[:-MOST_FILES]:
                remove_file(old)
