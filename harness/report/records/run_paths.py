"""The paths of the files of a run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.arena.records import FAILURES
from harness.files import remove_file, remove_folder

SGF_FOLDER = "sgf"
VOID_FOLDER = "sgf/void"
"""Void games have a folder of their own, so that other tools do not count them as results."""
FAILURES_FOLDER = "failures"


def remove_files_of(game_ids: Iterable[str], folder: Path) -> None:
    """Remove the files of games that are no longer in the store: they may be played again. Raises OSError."""
    for game_id in game_ids:
        for parent in (SGF_FOLDER, VOID_FOLDER):
            remove_file(folder / parent / f"{game_id}.sgf", within=folder)
        remove_folder(folder / FAILURES_FOLDER / game_id, within=folder)


def game_file(game_id: str, reason: str) -> str:
    """The SGF file of a game, relative to the run's folder."""
    return f"{VOID_FOLDER if reason in FAILURES else SGF_FOLDER}/{game_id}.sgf"
