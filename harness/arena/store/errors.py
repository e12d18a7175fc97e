"""The errors of the store. Each has a text for the user, without a traceback."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from harness.arena.errors import FileError
from harness.gtp import printable_text

MOST_NAMED = 3
"""Damaged parts that a message names. Chosen: one line."""
NOTHING_KEPT = "nothing can be kept; replace the run's folder by a backup of it, or remove it"
LOCKED = "is locked by another program: end that program, or try again later"


class Damage(NamedTuple):
    """A part of a store that is not as it was written: `part` is "game", "config", "engine" or "event"."""

    part: str
    id: str
    what: str


class UnsoundPartError(Exception):
    """A part of a run that another machine has sent has values that conform does not write."""


class StoreError(FileError):
    """The database of a run cannot be used."""


def no_run(folder: Path, file: str) -> StoreError:
    """The error for a folder that has no database of a run, that is, no `file`."""
    remedy = "give the folder of a run: conform match makes one in reports/"
    return StoreError(folder, f"no run is stored there ({file} is missing); {remedy}")


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
