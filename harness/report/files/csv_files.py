"""The tables of a run as CSV: UTF-8, one header line, columns that are a contract.

A text that a spreadsheet would run as a formula gets a leading '.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeVar

import pandas as pd

from harness.arena.folder.history import FORMULA
from harness.arena.game.reproduction import search_line
from harness.arena.judge.live import NewGames
from harness.arena.judge.playouts import differing_statistics, estimates
from harness.arena.store.audit import ReferenceSums
from harness.arena.store.rows import StoredGame, StoredSearch
from harness.arena.store.schema import GAMES_CSV, SEARCHES_CSV
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import is_file, open_file, replaced
from harness.report.records.run_paths import game_file
from harness.report.text.suspect_text import named_fault

GAMES_FILE = "games.csv"
GAMES = tuple(column.csv for column in GAMES_CSV)
SEARCHES = tuple(column.csv for column in SEARCHES_CSV)
"""The reference columns are about one playout, empty for searches that were not audited."""
STANDINGS = (
    "rank", "bot", "games", "points", "score", "elo", "elo_low", "elo_high", "voids", "crashes", "timeouts",
    "illegal",
)  # fmt: skip
PARITY = ("bot_a", "bot_b", "games", "score_a", "low", "high", "margin", "proved_margin", "verdict")
PLAYOUTS = (
    "bot", "searches", "playouts", "nodes_per_playout", "reference", "deviation", "low", "high", "verdict",
    "phase", "margin", "spread", "score_searches", "score", "score_reference", "score_deviation", "score_low",
    "score_high", "score_margin", "score_spread", "score_verdict", "choices", "choice_rank", "choice_verdict",
)  # fmt: skip
AUDIT = (
    "bot", "phase", "game_id", "move", "color", "vertex", "statistic", "playouts", "expected", "observed",
    "standard_errors", "reference_playouts", "reproduce",
)  # fmt: skip
DIAGNOSIS = ("bot", "differs", "fault", "probability", "clause", "misconception")
"""A row for each fault that a bot looks like; `differs` lists in which statistics the bot does."""

CHUNK = 2_000
"""Number of rows that are in memory at a time."""

Row = TypeVar("Row")


def write_tables(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write all seven files, in schedule order. Raises OSError; only a complete file replaces an old one."""
    write_games_table(store, verdicts, folder)
    _write_searches(store, folder / "searches.csv")
    write_verdicts(verdicts, folder)
    _write(_deviations(store, verdicts), folder / "audit.csv")
    _write(_diagnoses(verdicts), folder / "diagnosis.csv")


def write_games_table(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write `games.csv`."""
    with replaced(folder / GAMES_FILE) as file:
        _append_games(store.games(), verdicts, file, header=True)


def add_games(store: Store, verdicts: MatchVerdicts, new: NewGames, folder: Path) -> bool:
    """Add the games that were judged now to `games.csv`; False if it is gone. Raises OSError.

    The file is replaced by a longer copy, so that a reader never sees a part of a line. `write_games_table`
    puts its lines into schedule order at the end of the run.
    """
    path = folder / GAMES_FILE
    if new.complete:
        judged = set(new.ids)
        with replaced(path) as file:
            games = (game for game in store.games() if game.game_id in judged)
            _append_games(games, verdicts, file, header=True)
        return True
    if not new.ids:
        return is_file(path)
    try:
        earlier = os.fdopen(open_file(path), "rb")
    except FileNotFoundError:
        return False
    lines = io.StringIO(newline="")
    _append_games(map(store.game, new.ids), verdicts, lines, header=False)
    with earlier, replaced(path, binary=True) as file:
        shutil.copyfileobj(earlier, file)
        file.write(lines.getvalue().encode())
    return True


def _append_games(
    games: Iterable[StoredGame], verdicts: MatchVerdicts, file: IO[str], *, header: bool
) -> None:
    if header:
        _append(pd.DataFrame(columns=list(GAMES)), file, header=True)
    for chunk in _chunks(games):
        _append(_games(pd.DataFrame(chunk, columns=list(StoredGame._fields)), verdicts), file)


def write_verdicts(verdicts: MatchVerdicts, folder: Path) -> None:
    """Write standings.csv, parity.csv and playouts.csv."""
    for name, rows, columns in (
        ("standings.csv", verdicts.standings, STANDINGS),
        ("parity.csv", verdicts.parity, PARITY),
        ("playouts.csv", verdicts.playouts, PLAYOUTS),
    ):
        _write(_frame(rows, columns), folder / name)


def _chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows in lists of at most CHUNK."""
    iterator = iter(rows)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


def _games(table: pd.DataFrame, verdicts: MatchVerdicts) -> pd.DataFrame:
    """Stored games as rows of `games.csv`."""
    names = {pair.number: f"{pair.first} - {pair.second}" for pair in verdicts.pairs}
    table = table.assign(
        pair=table["pair"].map(names),
        game=table["number"],
        moves=table["move_count"],
        duplicate_of=table["game_id"].map(verdicts.duplicates.get),
        sgf=[game_file(id_, reason) for id_, reason in zip(table["game_id"], table["reason"], strict=True)],
    )
    for column in ("black_nodes", "white_nodes"):
        table[column] = table[column].astype("Int64")
    for column in ("black_seconds", "white_seconds", "seconds"):
        table[column] = table[column].astype(float).round(6)
    return table.loc[:, list(GAMES)]


def _write_searches(store: Store, path: Path) -> None:
    with replaced(path) as file:
        _append(pd.DataFrame(columns=list(SEARCHES)), file, header=True)
        for chunk in _chunks(_searches(store)):
            table = pd.DataFrame(chunk, columns=list(SEARCHES))
            table["nodes"] = table["nodes"].astype("Int64")
            table["reference_playouts"] = table["reference_playouts"].astype("Int64")
            for column in ("seconds", *SEARCHES[SEARCHES.index("reference_length") :]):
                table[column] = table[column].astype("Float64").round(6)
            _append(table, file)


def _searches(store: Store) -> Iterator[tuple[Any, ...]]:
    """Every search as a row of `searches.csv`."""
    for search, sums in store.audit.searches_in_order():
        yield (*_in_order(search), *_reference(sums))


def _in_order(search: StoredSearch) -> tuple[Any, ...]:
    return (search.game_id, search.move, search.colour, search.bot, *search[4:])


def _reference(sums: ReferenceSums | None) -> tuple[float | None, ...]:
    if sums is None:
        return (None,) * 6
    length, result = estimates(sums)
    covariance = sums.moves_wins / sums.playouts - length.mean * result.mean
    return sums.playouts, length.mean, length.sd, result.mean, result.sd, covariance


def _deviations(store: Store, verdicts: MatchVerdicts) -> pd.DataFrame:
    """The rows of `audit.csv`."""
    config = store.config()
    assert config is not None, "a store with games has a config"
    rows = []
    for deviation in verdicts.deviations:
        launch = config.engines[deviation.bot].launch()
        line = search_line(store.game(deviation.game_id), deviation.move, deviation.color, launch)
        rows.append({**asdict(deviation), "reproduce": line})
    table = pd.DataFrame(rows, columns=list(AUDIT))
    for column in ("expected", "observed", "standard_errors"):
        table[column] = table[column].astype(float).round(6)
    return table


def _diagnoses(verdicts: MatchVerdicts) -> pd.DataFrame:
    """The rows of `diagnosis.csv`."""
    differing = differing_statistics(verdicts.playouts)
    rows = [
        {**named_fault(suspect)._asdict(), "differs": "; ".join(differing[suspect.bot])}
        for suspect in verdicts.suspects
    ]
    return pd.DataFrame(rows, columns=list(DIAGNOSIS))


def _frame(rows: Sequence[Any], columns: Sequence[str]) -> pd.DataFrame:
    table = pd.DataFrame([asdict(row) for row in rows], columns=list(columns))
    for column in table.select_dtypes("float"):
        table[column] = table[column].round(6)
    return table


def _write(table: pd.DataFrame, path: Path) -> None:
    with replaced(path) as file:
        _append(table, file, header=True)


def _append(table: pd.DataFrame, file: IO[str], *, header: bool = False) -> None:
    harmless(table).to_csv(file, index=False, header=header, lineterminator="\n")


def harmless(table: pd.DataFrame) -> pd.DataFrame:
    """The table with a ' before each text that a spreadsheet would run as a formula."""
    table = table.copy()
    for column in table.select_dtypes(["object", "string"]):
        table[column] = table[column].map(lambda v: f"'{v}" if isinstance(v, str) and v[:1] in FORMULA else v)
    return table
