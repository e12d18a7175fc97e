"""Notices that the folder of a run is moved or deleted while the run is played, and keeps its games.

The store stays open: a moved file can still be written, and a deleted one can still be read. So no finished
game is lost if a deleted store is written anew before it is closed.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import TypeVar

from harness.arena.folder.errors import FolderGoneError
from harness.arena.store.errors import StoreError
from harness.arena.store.store import DATABASE, Store
from harness.files import opened_folder, os_reason

PAUSE = 0.5
"""Seconds between two looks at the folder. Chosen: a user notices within a second, and a look costs
microseconds."""

Event = TypeVar("Event")
Result = TypeVar("Result")
Steps = Generator[Event, None, Result]


@contextmanager
def games_kept(store: Store) -> Iterator[None]:
    """Keep the games of an open store, wherever its folder goes during the block.

    Raises FolderGoneError at the end of the block, also in place of an error of the block, if the folder was
    moved or deleted.
    """
    with opened_folder(store.path.parent) as folder:
        try:
            yield
        finally:
            if not store.is_in_place():
                raise FolderGoneError(_keep_games(store, folder))


def while_in_place(store: Store, steps: Steps[Event, Result]) -> Steps[Event, Result]:
    """Pass on the steps and the result of a generator while the folder of the store is in its place.

    Looks at the folder after a step, every PAUSE seconds at most. Raises FolderGoneError if the folder was
    moved or deleted.
    """
    next_look = time.monotonic() + PAUSE
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                result: Result = end.value
                return result
            yield step
            if time.monotonic() >= next_look:
                next_look = time.monotonic() + PAUSE
                if not store.is_in_place():
                    raise FolderGoneError(
                        f"{store.path.parent} was moved or deleted; run the command where it is now"
                    )


def _keep_games(store: Store, folder: int) -> str:
    """Write the store anew if its folder was deleted. Return a sentence about what became of the games."""
    path, games = store.path.parent, f"all {len(store.played())} finished games"
    during = "while its games were played"
    if moved := _new_path(store, folder):
        return f"{path}: was moved {during}; {games} are in {moved}. {_continue(moved)}"
    try:
        place = _free_place(path)
        store.write_copy(place)
    except (OSError, StoreError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else str(error)
        return (
            f"{path}: was deleted {during}; {games} are lost, because they cannot be written anew: {reason}"
        )
    return f"{path}: was deleted {during}; {games} were written to {place}. {_continue(place)}"


def _continue(folder: Path) -> str:
    return f"To continue, run the same command with --out {shlex.quote(str(folder))}"


def _new_path(store: Store, folder: int) -> Path | None:
    """The present path of a folder that was moved; None if it was deleted, or the system does not know."""
    try:
        moved = Path(os.readlink(f"/proc/self/fd/{folder}"))
    except OSError:
        return None
    return moved if store.is_in_place(moved / DATABASE) else None


def _free_place(folder: Path) -> Path:
    """The folder, or one beside it, that has no store."""
    for number in count(1):
        place = folder if number == 1 else folder.with_name(f"{folder.name}-saved-{number - 1}")
        if not os.path.lexists(place / DATABASE):
            break
    return place
