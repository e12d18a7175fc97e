"""Entries in the cache of the user: a small JSON file each. A cache that cannot be used is no error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from harness.files.atomic import replaced
from harness.files.guarded import read_file, remove_file
from refbot.compile.cache import make_private


def read_entry(path: Path, most: int) -> dict[str, Any]:
    """Return an entry of at most `most` bytes; an empty one if there is none, or none that can be read."""
    try:
        entry = json.loads(read_file(path, most=most))
    except (OSError, ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def keep_entry(path: Path, entry: Mapping[str, Any], *, most: int, most_files: int) -> None:
    """Store an entry; one of more than `most` characters is left out, and so is one that cannot be written.

    The newest `most_files` entries of its folder stay, the others are removed.
    """
    text = json.dumps(entry)
    if len(text) > most:
        return
    with suppress(OSError):
        make_private(path.parent)
        with replaced(path) as file:
            file.write(text)
        entries = sorted(path.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in entries[:-most_files]:
            remove_file(old)
