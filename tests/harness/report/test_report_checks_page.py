"""The page of all checks."""

from __future__ import annotations

from pathlib import Path

from harness.check.clauses import CLAUSES
from harness.report.pages.checks_page import page
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

STORED = Path(__file__).parents[3] / "docs" / "checks.md"


def test_the_stored_page_is_up_to_date() -> None:
    assert STORED.read_text("utf-8") == page(), "run make docs, and look at what it changes"


def test_every_check_clause_and_fault_is_there() -> None:
    rows = page().splitlines()
    for check in CHECKS:
        assert sum(row.startswith(f"| `{check.id}` |") for row in rows) == 1
    assert [row[3:] for row in rows if row.startswith("## ")] == list(CLAUSES)
    assert all(f"`{name}`" in page() for name in FAULTS)


def test_a_clause_without_checks_says_so() -> None:
    bare = page(())
    assert bare.count("No check yet.") == len(CLAUSES) - 1
    assert bare.count("No search shows this") == 1  # parity
