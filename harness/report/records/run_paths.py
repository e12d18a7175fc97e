"""The paths of the game records and failure folders in the folder of a run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.arena.records import FAILURES
from harness.files import remove_file, remove_folder

SGF_FOLDER = "sgf"
VOID_FOLDER = "sgf/void"
"""The folder of void games (ended by a failure). Other tools that read `sgf` do not count them as results."""
FAILURES_FOLDER = "failures"


def remove_files_of(game_ids: Iterable[str], folder: Path) -> None:
    """Remove the files of games that left the store, since they may be played again. Raises OSError."""
    for game_id in game_ids:
        for parent in (SGF_FOLDER, VOID_FOLDER):
            remove_file(folder / parent / f"{game_id}.sgf", within=folder)
        remove_folder(folder / FAILURES_FOLDER / game_id, within=folder)


def game_file(game_id: str, reason: str) -> str:
    """The SGF file of a game that ended for this reason, relative to the folder of the run."""
    return f"{VOID_FOLDER if reason in FAILURES else SGF_FOLDER}/{game_id}.sgf"
