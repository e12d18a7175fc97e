"""The paths of the files about games in the folder of a run. A large run has folders of a thousand games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.arena.config.pairs import count_all_games
from harness.arena.config.tables import MatchConfig
from harness.arena.records import FAILURES
from harness.files import remove_file, remove_folder

SGF_FOLDER = "sgf"
VOID_FOLDER = "sgf/void"
"""The folder of void games (ended by a failure). Other tools that read `sgf` do not count them as results."""
COLLECTION, VOID_COLLECTION = "games.sgf", "void.sgf"
FAILURES_FOLDER = "failures"
LOGS_FOLDER = "logs"
MOST_TOGETHER = 1000
"""Games whose files share a folder. Chosen: file managers and shells handle such a folder at once."""


@dataclass(frozen=True)
class RunPaths:
    """The places of the files of games, relative to the folder of the run.

    grouped      each folder has at most MOST_TOGETHER games, all of one pair; else all games share one folder
    collection   all game records are in two files, one of them for void games
    """

    grouped: bool = False
    collection: bool = False

    @classmethod
    def of(cls, config: MatchConfig, engines: Iterable[str]) -> RunPaths:
        """The paths of a run with this config and these engines, by name."""
        return cls(count_all_games(config, list(engines)) > MOST_TOGETHER, config.report.sgf == "collection")

    def game_file(self, game_id: str, reason: str) -> str:
        """Return the path, in the folder of the run, of the SGF file of a game that ended for this reason."""
        void = reason in FAILURES
        if self.collection:
            return VOID_COLLECTION if void else COLLECTION
        return f"{VOID_FOLDER if void else SGF_FOLDER}/{self._group(game_id)}{game_id}.sgf"

    def failure_folder(self, game_id: str) -> str:
        """Return the path, in the folder of the run, of the folder of a failed game."""
        return f"{FAILURES_FOLDER}/{self._group(game_id)}{game_id}"

    def log_file(self, game_id: str) -> str:
        """Return the path, in the folder of the run, of the file with the GTP logs of a game."""
        return f"{LOGS_FOLDER}/{self._group(game_id)}{game_id}.txt"

    def _group(self, game_id: str) -> str:
        """The folder of a group of games, named by the first of them, such as `p001-g01001/`."""
        if not self.grouped:
            return ""
        pair, _, number = game_id.partition("-g")
        first = (int(number) - 1) // MOST_TOGETHER * MOST_TOGETHER + 1
        return f"{pair}-g{first:05d}/"


LAYOUTS = (RunPaths(), RunPaths(grouped=True))
"""The layouts in which a run may have a file for each game."""


def remove_files_of(game_ids: Iterable[str], folder: Path) -> None:
    """Remove the files of games that left the store, since they may be played again. Raises OSError.

    Collections stay: the end of the run writes them anew.
    """
    for game_id in game_ids:
        for paths in LAYOUTS:
            for reason in ("score", "crash"):  # a counted game, a void one
                remove_file(folder / paths.game_file(game_id, reason), within=folder)
            remove_file(folder / paths.log_file(game_id), within=folder)
            remove_folder(folder / paths.failure_folder(game_id), within=folder)
