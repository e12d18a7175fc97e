"""Somebody moves or deletes the folder of a run while it is played.

Before: the match played on, its games were lost, and it ended with "run the same command". After: it ends at
once, says where the folder is or writes it anew, and every finished game is there.
"""

import shutil
from pathlib import Path

import pytest

from harness.arena.folder.errors import FolderGoneError
from harness.arena.folder.play import MatchSettings, follow, run_match
from harness.arena.records import GameSummary
from harness.arena.store.store import Store
from harness.report.files.run_folder import RunFolder
from tests.harness.arena.match_helpers import Command, MakeConfig, Quiet

ENDLESS = 100_000
"""Games of a match that only ends when its folder is gone."""


class Somebody(Quiet):
    """Does something to the folder after the third game."""

    def __init__(self, act: object) -> None:
        super().__init__()
        self._act = act

    def on_game(self, summary: GameSummary) -> None:
        if len(self.summaries) == 3:
            assert callable(self._act)
            self._act()


def played_until_gone(make_config: MakeConfig, player: Command, folder: Path, act: object) -> tuple[str, int]:
    """Play until the folder is gone. Return the sentence for the user, and how many games were reported."""
    config = make_config({"a": player(), "b": player()}, games=ENDLESS, workers=1)
    somebody = Somebody(act)
    with pytest.raises(FolderGoneError) as error:
        follow(run_match(MatchSettings(config, folder)), RunFolder(pause=0.0).handle, somebody.handle)
    return str(error.value), len(somebody.summaries)


def games_in(folder: Path) -> int:
    with Store.open(folder) as store:
        return len(store.played())


def test_a_moved_run_is_found_and_complete(make_config: MakeConfig, player: Command, tmp_path: Path) -> None:
    folder, moved = tmp_path / "run", tmp_path / "else" / "where"
    moved.parent.mkdir()
    text, reported = played_until_gone(make_config, player, folder, lambda: folder.rename(moved))
    assert f"--out {moved}" in text
    assert games_in(moved) >= reported
    assert not folder.exists()


def test_a_deleted_run_is_written_anew(make_config: MakeConfig, player: Command, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    text, reported = played_until_gone(make_config, player, folder, lambda: shutil.rmtree(folder))
    assert f"--out {folder}" in text
    assert games_in(folder) >= reported


def test_another_run_in_its_place_stays(make_config: MakeConfig, player: Command, tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def replace_by_another() -> None:
        shutil.rmtree(folder)
        Store.create(folder).close()

    text, reported = played_until_gone(make_config, player, folder, replace_by_another)
    assert f"--out {folder}-saved-1" in text
    assert games_in(folder) == 0
    assert games_in(tmp_path / "run-saved-1") >= reported
