"""Every file of a stored run, by format, and the files that are kept up to date while the run is played.

Each module `format_NAME` of this package is a format: `conform report --format NAME` and `formats` in the
config know it by its name, and its function `write(store, verdicts, folder)` is called. A new format is a new
module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from harness.arena.config.tables import REPORT_FORMATS
from harness.arena.judge.live import NewGames
from harness.arena.run.moment import RunMoment
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.files.bundles import write_bundles
from harness.report.files.format_csv import add_games, write_verdicts
from harness.report.status.run import write_status

WRITERS: dict[str, Callable[[Store, MatchVerdicts, Path], object]] = {
    name: import_module(f"harness.report.files.format_{name.replace('-', '_')}").write
    for name in REPORT_FORMATS
}
"""By the name of a format, the function that writes it."""


class RunFiles:
    """Writes the files of a run. The methods raise OSError."""

    def write(self, store: Store, verdicts: MatchVerdicts, folder: Path, formats: Iterable[str]) -> None:
        """Write the files of these formats, and the bundles of failed games, into `folder`."""
        for name in formats:
            WRITERS[name](store, verdicts, folder)
        write_bundles(store.failures(), store, folder)

    def write_progress(
        self, store: Store, verdicts: MatchVerdicts, new: NewGames, folder: Path, formats: Iterable[str]
    ) -> bool:
        """Write the verdicts, and add the new games and the bundles of those that failed.

        Returns False if the table of the earlier games is gone.
        """
        write_bundles(store.failures_of(new.failed), store, folder)
        if "csv" not in formats:
            return True
        write_verdicts(store, verdicts, folder)
        return add_games(store, verdicts, new, folder)

    def write_status(self, moment: RunMoment, folder: Path) -> None:
        """Write the file that onlookers follow."""
        write_status(moment, folder)


RUN_FILES = RunFiles()
