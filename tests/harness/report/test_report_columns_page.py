"""The columns of the CSV files in docs/formats.md, and the rows that readers get, follow the schema."""

from __future__ import annotations

from pathlib import Path

from harness.arena.store.rows import StoredGame
from harness.arena.store.schema import GAME, GAME_TIME, GAMES_CSV, SEARCHES_CSV
from harness.report.pages.columns_page import page

STORED = Path(__file__).parents[3] / "docs" / "formats.md"


def test_the_page_is_up_to_date() -> None:
    text = STORED.read_text(encoding="utf-8")
    assert page(text) == text


def test_each_column_of_a_csv_file_has_a_meaning() -> None:
    assert [column.csv for column in (*GAMES_CSV, *SEARCHES_CSV) if not column.meaning] == []


def test_a_stored_game_has_the_columns_of_its_tables_in_their_order() -> None:
    hidden = ("id", "line")
    columns = [name for name in GAME.names if name not in hidden] + list(GAME_TIME.names[1:])
    assert list(StoredGame._fields) == columns
