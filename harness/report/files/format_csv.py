"""The format `csv`: the tables of a run as UTF-8 files with one header line. docs/formats.md has the columns.

A text that a spreadsheet would run as a formula is written with an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
import math
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from harness.arena.folder.history import FORMULA
from harness.arena.judge.live import NewGames
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import is_file, open_file, replaced
from harness.report.files.csv_columns import FILES, GAMES, VERDICTS, CsvFile, Run


def write(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write all files, with games in schedule order. Raises OSError; the file in question stays as it was."""
    config = store.config()
    assert config is not None, "a store with games has a config"
    run = Run(store, config, verdicts)
    for file in FILES:
        _write(file, run, folder)


def write_verdicts(run: Run, folder: Path) -> None:
    """Write standings.csv, parity.csv and playouts.csv. Raises OSError."""
    for file in VERDICTS:
        _write(file, run, folder)


def add_games(run: Run, new: NewGames, folder: Path) -> bool:
    """Add the newly judged games to `games.csv`; return False if there is no such file. Raises OSError.

    If `new` has all judged games (`new.complete`), the file is written anew, whether it exists or not.
    Otherwise a longer copy replaces the file, so that a reader never sees half a line. At the end of the run,
    `write` puts the lines into schedule order.
    """
    path, store = folder / GAMES.name, run.store
    if new.complete:
        judged = set(new.ids)
        _write(GAMES, run, folder, (cells for cells in store.game_cells() if cells["game_id"] in judged))
        return True
    if not new.ids:
        return is_file(path)
    try:
        earlier = os.fdopen(open_file(path), "rb")
    except FileNotFoundError:
        return False
    lines = io.StringIO(newline="")
    _append(GAMES, run, store.game_cells(new.ids), lines, header=False)
    with earlier, replaced(path, binary=True) as file:
        shutil.copyfileobj(earlier, file)
        file.write(lines.getvalue().encode())
    return True


def _write(table: CsvFile, run: Run, folder: Path, rows: Iterable[Any] | None = None) -> None:
    """Write a file with these rows; None: all its rows."""
    with replaced(folder / table.name) as file:
        _append(table, run, table.rows(run) if rows is None else rows, file, header=True)


def _append(table: CsvFile, run: Run, rows: Iterable[Any], file: IO[str], *, header: bool) -> None:
    """Write rows as lines of a table, after the names of the columns if `header`."""
    writer = csv.writer(file, lineterminator="\n")
    if header:
        writer.writerow(table.header)
    columns = [(column.cell, column.exact) for column in table.columns]
    writer.writerows([_shown(cell(row, run), exact) for cell, exact in columns] for row in rows)


def _shown(value: object, exact: bool) -> object:
    """A value as a cell: 6 decimals unless `exact`, empty for NaN, an apostrophe before a formula."""
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return value if exact else round(value, 6)
    return f"'{value}" if isinstance(value, str) and value[:1] in FORMULA else value
