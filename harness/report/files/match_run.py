"""Every file of a stored run, by format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.ci.junit import write_junit
from harness.report.files.bundles import write_bundles
from harness.report.files.csv_files import write_tables
from harness.report.files.gogui_dat import write_dat
from harness.report.files.match_json import write_json
from harness.report.files.sgf_files import write_games
from harness.report.html.run_page import write_page

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


def write_run(store: Store, verdicts: MatchVerdicts, folder: Path, formats: Iterable[str]) -> None:
    """Write the files of these formats, and the bundles of failed games, into `folder`. Raises OSError."""
    for name in formats:
        WRITERS[name](store, verdicts, folder)
    write_bundles(store, folder)
