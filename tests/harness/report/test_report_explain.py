"""Checks in words."""

from __future__ import annotations

import re
import shlex

from harness.check.clauses import CLAUSES
from harness.diagnosis.effects import checks_that_catch
from harness.report.text.explain import WIDTH, explanation, fault_explanation
from harness.suite.registry import CHECKS, find
from refbot.deviations.faults import FAULTS


def test_says_the_clause_and_where_it_is_explained() -> None:
    for check in CHECKS:
        text = explanation(check)
        clause = CLAUSES[check.clause]
        assert clause.requirement in " ".join(text.split()), check.id
        assert f"conform spec {clause.name})" in text, check.id
        assert check.title in text, check.id


def test_a_long_row_of_passes_is_counted_not_listed() -> None:
    (check,) = find("ref.cap.one")
    text = explanation(check)
    assert "passes" in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_every_fault_is_explained_by_the_checks_that_catch_it() -> None:
    for name, fault in FAULTS.items():
        checks = checks_that_catch(name)
        text = " ".join(fault_explanation(fault, checks).split())
        assert checks, name
        assert fault.misconception in text, name
        assert CLAUSES[fault.clause].requirement in text, name
        assert all(check.id in text for check in checks), name
        (bot,) = re.findall("refbot gtp .*$", text)
        assert shlex.split(bot)[-2:] == ["--fault", name]
