"""The columns of the CSV files in docs/formats.md follow their definitions."""

from __future__ import annotations

from pathlib import Path

from harness.report.files.columns_page import page
from harness.report.files.csv_columns import FILES

STORED = Path(__file__).parents[3] / "docs" / "formats.md"


def test_the_page_is_up_to_date() -> None:
    text = STORED.read_text(encoding="utf-8")
    assert page(text) == text


def test_each_column_of_a_csv_file_has_a_meaning() -> None:
    assert [column.name for file in FILES for column in file.columns if not column.meaning] == []
