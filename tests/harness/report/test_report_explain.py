"""Checks in words."""

from __future__ import annotations

import pytest

from harness.check.clauses import CLAUSES
from harness.check.model import Check
from harness.report.text.explain import WIDTH, explanation
from harness.suite.registry import CHECKS, find


@pytest.mark.parametrize("check", CHECKS, ids=[check.id for check in CHECKS])
def test_says_the_clause_and_where_it_is_explained(check: Check) -> None:
    text = explanation(check)
    clause = CLAUSES[check.clause]
    assert clause.requirement in " ".join(text.split())
    assert f"conform spec {clause.name})" in text
    assert check.title in text


def test_a_long_row_of_passes_is_counted_not_listed() -> None:
    (check,) = find("ref.cap.one")
    text = explanation(check)
    assert "passes" in text
    assert max(map(len, text.splitlines())) <= WIDTH
