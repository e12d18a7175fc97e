"""The paths of the files of a run."""

from __future__ import annotations

from harness.match import FAILURES

SGF_FOLDER = "sgf"
VOID_FOLDER = "sgf/void"
"""Void games have a folder of their own, so that other tools do not count them as results."""
FAILURES_FOLDER = "failures"


def game_file(game_id: str, reason: str) -> str:
    """The SGF file of a game, relative to the run's folder."""
    return f"{VOID_FOLDER if reason in FAILURES else SGF_FOLDER}/{game_id}.sgf"
