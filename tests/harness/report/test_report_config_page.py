"""The page of all keys of a match config."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.arena.config.tables import EngineTable, ReportTable, RunTable, ScheduleTable
from harness.report.pages.config_page import page

STORED = Path(__file__).parents[3] / "docs" / "config.md"


def test_the_stored_page_is_up_to_date() -> None:
    assert STORED.read_text("utf-8") == page(), "run make docs, and look at what it changes"


@pytest.mark.parametrize("table", [RunTable, EngineTable, ScheduleTable, ReportTable])
def test_every_key_has_its_row_and_a_meaning(table: type[RunTable]) -> None:
    rows = page().splitlines()
    for key, field in table.model_fields.items():
        assert field.description
        assert any(
            row.startswith(f"| `{key}` |") and row.endswith(f"| {field.description} |") for row in rows
        )
