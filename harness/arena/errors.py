"""The errors of this package. Each has a text for the user, without a traceback."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.gtp import printable_text

if TYPE_CHECKING:
    from harness.arena.store.checksums import Damage

MOST_NAMED = 3
"""Damaged parts that a message names."""


class MatchError(Exception):
    """Base class: a match cannot be configured, played, stored or read."""


class PlayError(MatchError):
    """The match cannot be played: an engine does not start, an opening is wrong, or workers are lost."""


class FileError(MatchError):
    """A file cannot be used. The text is one line that starts with its path."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class StoreError(FileError):
    """The database of a run cannot be used."""


class DamagedStoreError(StoreError):
    """The database of a run is not as it was written. `damages`: the damaged parts, where they are known."""

    def __init__(self, path: Path, state: str, damages: Sequence[Damage] = ()) -> None:
        self.damages = tuple(damages)
        what = "; ".join(f"{part} {name} {what}" for part, name, what in self.damages[:MOST_NAMED])
        more = len(self.damages) - MOST_NAMED
        what = printable_text(what + (f"; and {more} more" if more > 0 else "") or state)
        super().__init__(
            path,
            f"is not a database of conform, or is damaged ({what}). It was left unchanged; "
            f"conform report {shlex.quote(str(path.parent))} --salvage keeps the games that are sound",
        )
