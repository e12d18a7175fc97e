"""Checks in words."""

from __future__ import annotations

import re
import shlex

import pytest

from harness.check.clauses import CLAUSES
from harness.check.model import Check
from harness.diagnosis.effects import checks_that_catch
from harness.report.text.explain import WIDTH, explanation, fault_explanation
from harness.suite.registry import CHECKS, find
from refbot.deviations.faults import FAULTS


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


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_is_explained_by_the_checks_that_catch_it(name: str) -> None:
    fault, checks = FAULTS[name], checks_that_catch(name)
    text = " ".join(fault_explanation(fault, checks).split())
    assert checks
    assert fault.misconception in text
    assert CLAUSES[fault.clause].requirement in text
    assert all(check.id in text for check in checks)
    (bot,) = re.findall("refbot gtp .*$", text)
    assert shlex.split(bot)[-2:] == ["--fault", name]
