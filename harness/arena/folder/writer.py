"""Protocol of the writer of a run's files. `harness.report` implements it; a run knows only this protocol."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from harness.arena.judge.live import NewGames
from harness.arena.run.moment import RunMoment
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts


class RunWriter(Protocol):
    """Writes the files of a run into its folder. Its methods raise OSError."""

    def write(self, store: Store, verdicts: MatchVerdicts, folder: Path, formats: Iterable[str]) -> None:
        """Write all files of these formats."""

    def write_progress(
        self, store: Store, verdicts: MatchVerdicts, new: NewGames, folder: Path, formats: Iterable[str]
    ) -> bool:
        """Bring the files up to date that are read while the run is played.

        Only the new games are read. False if the files of the earlier games are gone.
        """

    def write_status(self, moment: RunMoment, folder: Path) -> None:
        """Write the file that `conform status` and `conform serve` follow."""
