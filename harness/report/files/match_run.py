"""Every file of a stored run, by format, and the files that are kept up to date while the run is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from harness.arena.judge.live import NewGames
from harness.arena.run.moment import RunMoment
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.ci.junit import write_junit
from harness.report.files.bundles import write_bundles, write_failed
from harness.report.files.csv_files import add_games, write_tables, write_verdicts
from harness.report.files.gogui_dat import write_dat
from harness.report.files.match_json import write_json
from harness.report.files.sgf_files import write_games
from harness.report.html.run_page import write_page
from harness.report.status.run import write_status

Writer = Callable[[Store, MatchVerdicts, Path], object]

WRITERS: dict[str, Writer] = {
    "csv": write_tables,
    "sgf": lambda store, _, folder: write_games(store, folder),
    "gogui-dat": write_dat,
    "json": write_json,
    "junit": write_junit,
    "html": write_page,
}
"""The function that writes each format. A new format is a new entry."""


class RunFiles:
    """Writes the files of a run. The methods raise OSError."""

    def write(self, store: Store, verdicts: MatchVerdicts, folder: Path, formats: Iterable[str]) -> None:
        """Write the files of these formats, and the bundles of failed games, into `folder`."""
        for name in formats:
            WRITERS[name](store, verdicts, folder)
        write_bundles(store, folder)

    def write_progress(
        self, store: Store, verdicts: MatchVerdicts, new: NewGames, folder: Path, formats: Iterable[str]
    ) -> bool:
        """Write the verdicts, and add the new games and the bundles of those that failed.

        Returns False if the table of the earlier games is gone.
        """
        write_failed(store.failures_of(new.failed), store, folder)
        if "csv" not in formats:
            return True
        write_verdicts(store, verdicts, folder)
        return add_games(store, verdicts, new, folder)

    def write_status(self, moment: RunMoment, folder: Path) -> None:
        """Write the file that onlookers follow."""
        write_status(moment, folder)


RUN_FILES = RunFiles()
