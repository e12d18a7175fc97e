"""The tables of a match run as CSV: UTF-8, one header line, columns that are a contract.

What a spreadsheet would run as a formula is made text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

import pandas as pd

from harness.match import Judgement, Store
from harness.report.match_files import game_file, replaced

GAMES = (
    "game_id", "pair", "game", "black", "white", "size", "komi", "opening", "result", "winner", "reason",
    "offender", "moves", "black_seconds", "white_seconds", "black_nodes", "white_nodes", "started",
    "finished", "duplicate_of", "sgf",
)  # fmt: skip
SEARCHES = ("game_id", "move", "color", "bot", "vertex", "nodes", "score", "seconds")
STANDINGS = (
    "rank", "bot", "games", "points", "score", "elo", "elo_low", "elo_high", "voids", "crashes", "timeouts",
    "illegal",
)  # fmt: skip
PARITY = ("bot_a", "bot_b", "games", "score_a", "low", "high", "margin", "proved_margin", "verdict")
PLAYOUTS = (
    "bot", "searches", "playouts", "nodes_per_playout", "reference", "deviation", "low", "high", "verdict",
)  # fmt: skip

CHUNK = 2_000
"""Rows that are held in memory at a time, however many there are."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet takes for a formula."""

_GAMES = """
    SELECT game_id, min(black, white) AS a, max(black, white) AS b, number AS game, black, white, size, komi,
        opening, result, CASE winner WHEN 'b' THEN black WHEN 'w' THEN white END AS winner, reason,
        CASE offender WHEN 'b' THEN black WHEN 'w' THEN white END AS offender, move_count AS moves,
        black_seconds, white_seconds, black_nodes, white_nodes, started, finished, pair AS pair_number
    FROM game ORDER BY game.number, game.pair"""
_SEARCHES = """
    SELECT game_id, move, colour AS color, CASE colour WHEN 'b' THEN black ELSE white END AS bot, vertex,
        nodes, score, seconds
    FROM game JOIN search ON search.game = game.id ORDER BY game.number, game.pair, search.move"""


def write_tables(store: Store, judgement: Judgement, folder: Path) -> None:
    """All five files, in schedule order. Raises OSError; a file is replaced only when it is complete."""
    write_games_table(store, judgement, folder)
    _write_searches(store, folder / "searches.csv")
    write_verdicts(judgement, folder)


def write_games_table(store: Store, judgement: Judgement, folder: Path) -> None:
    """`games.csv`."""
    with replaced(folder / "games.csv") as file:
        _append(pd.DataFrame(columns=list(GAMES)), file, header=True)
        for chunk in pd.read_sql_query(_GAMES, store.connection, chunksize=CHUNK):
            _append(_games(chunk, judgement), file)


def write_verdicts(judgement: Judgement, folder: Path) -> None:
    """The three small files, which sum up."""
    for name, rows, columns in (
        ("standings.csv", judgement.standings, STANDINGS),
        ("parity.csv", judgement.parity, PARITY),
        ("playouts.csv", judgement.playouts, PLAYOUTS),
    ):
        _write(_frame(rows, columns), folder / name)


def _games(table: pd.DataFrame, judgement: Judgement) -> pd.DataFrame:
    """Rows of the query as they stand in `games.csv`."""
    names = {pair.number: f"{pair.first} - {pair.second}" for pair in judgement.pairs}
    table["pair"] = table["pair_number"].map(names)
    table["duplicate_of"] = table["game_id"].map(judgement.duplicates.get)
    table["sgf"] = [
        game_file(game_id, reason) for game_id, reason in zip(table["game_id"], table["reason"], strict=True)
    ]
    for column in ("black_nodes", "white_nodes"):
        table[column] = table[column].astype("Int64")
    for column in ("black_seconds", "white_seconds"):
        table[column] = table[column].round(6)
    return table.loc[:, list(GAMES)]


def _write_searches(store: Store, path: Path) -> None:
    with replaced(path) as file:
        _append(pd.DataFrame(columns=list(SEARCHES)), file, header=True)
        for chunk in pd.read_sql_query(_SEARCHES, store.connection, chunksize=CHUNK):
            chunk["nodes"] = chunk["nodes"].astype("Int64")
            chunk["seconds"] = chunk["seconds"].round(6)
            _append(chunk, file)


def _frame(rows: Sequence[Any], columns: Sequence[str]) -> pd.DataFrame:
    table = pd.DataFrame([asdict(row) for row in rows], columns=list(columns))
    for column in table.select_dtypes("float"):
        table[column] = table[column].round(6)
    return table


def _write(table: pd.DataFrame, path: Path) -> None:
    with replaced(path) as file:
        _append(table, file, header=True)


def _append(table: pd.DataFrame, file: TextIO, *, header: bool = False) -> None:
    harmless(table).to_csv(file, index=False, header=header, lineterminator="\n")


def harmless(table: pd.DataFrame) -> pd.DataFrame:
    """Texts that a spreadsheet would run as a formula get a ' in front, as spreadsheets have it."""
    table = table.copy()
    for column in table.select_dtypes(["object", "string"]):
        table[column] = table[column].map(lambda v: f"'{v}" if isinstance(v, str) and v[:1] in FORMULA else v)
    return table
