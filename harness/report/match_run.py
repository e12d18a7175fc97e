"""Every file of a stored run, by format; and the same files kept up to date while the run goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from harness.match import Judgement, MatchConfig, Store, judge
from harness.report.bundles import write_bundles
from harness.report.csv_files import write_games_table, write_tables, write_verdicts
from harness.report.gogui_dat import write_dat
from harness.report.match_json import write_json
from harness.report.match_junit import write_junit
from harness.report.sgf_files import write_games

Writer = Callable[[Store, Judgement, Path], object]

WRITERS: dict[str, Writer] = {
    "csv": write_tables,
    "sgf": lambda store, _, folder: write_games(store, folder),
    "gogui-dat": write_dat,
    "json": write_json,
    "junit": write_junit,
}
"""What writes a format; a new format is an entry here."""


def unwritten(formats: Iterable[str]) -> list[str]:
    """Those of the formats that a config may name and that nothing here writes yet."""
    return [name for name in formats if name not in WRITERS]


def write_run(store: Store, config: MatchConfig, folder: Path, formats: Iterable[str]) -> Judgement:
    """Write the files of these formats, and the bundles of failed games, into `folder`. Raises OSError."""
    judgement = judge(store, config)
    for name in formats:
        if name in WRITERS:
            WRITERS[name](store, judgement, folder)
    write_bundles(store, folder)
    return judgement


def write_progress(store: Store, judgement: Judgement, folder: Path, formats: Iterable[str]) -> None:
    """What can be read while the run goes on: the verdicts, the games, the bundles of those that failed."""
    if "csv" in formats:
        write_verdicts(judgement, folder)
        write_games_table(store, judgement, folder)
    write_bundles(store, folder)
