"""The clauses against whatever refers to them: checks, faults, the specification that people read."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from harness.check.clauses import CLAUSES, Clause, Part
from harness.go import Position
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

DOCS = Path(__file__).parents[3] / "docs"

NAMES = """
    complete-games uniform simple-ko forced-pass two-passes move-cap eye area-scoring komi amaf best-rate ties
    no-early-pass fresh-randomness parity no-suicide superko unseen ref-nodes ref-score gtp gtp-position
    gtp-handicap gtp-time gtp-score gtp-records gtp-rules gtp-kgs gtp-tools gtp-analysis
"""


def plain(text: str) -> str:
    """On one line, without the marks of emphasis, so that a page may wrap and stress as it likes."""
    return re.sub(r"\s+", " ", re.sub(r"[*`]", "", text)).strip()


def test_names_are_the_fixed_ones() -> None:
    assert set(CLAUSES) == set(NAMES.split())
    assert all(name == clause.name for name, clause in CLAUSES.items())


def test_every_clause_that_a_check_names_exists() -> None:
    assert {check.clause for check in CHECKS} <= set(CLAUSES)


def test_every_clause_that_a_fault_breaks_exists() -> None:
    assert {fault.clause for fault in FAULTS.values()} <= set(CLAUSES)


def test_every_clause_that_searches_can_show_has_checks() -> None:
    checked = {check.clause for check in CHECKS}
    without = {c.name for c in CLAUSES.values() if c.shown_by == "check"} - checked
    assert without == set()


@pytest.mark.parametrize("clause", CLAUSES.values(), ids=list(CLAUSES))
def test_specification_says_the_same(clause: Clause) -> None:
    name = "gtp.md" if clause.part is Part.COMMAND else "spec.md"
    page = (DOCS / name).read_text(encoding="utf-8") + "\n## the end\n"
    start = page.index(f"\n### {clause.name}\n")  # the heading is the anchor
    section = plain(page[start : page.index("\n##", start + 1)])
    assert clause.requirement in section
    assert plain(clause.reading) in section
    assert f"Source: {clause.source}." in section
    assert f"Level: {clause.level.upper()}." in section


def test_requirements_are_one_sentence() -> None:
    for clause in CLAUSES.values():
        assert re.fullmatch(r"\S[^.]*\.", clause.requirement.replace("7.0", "")), clause.name


def test_eyes_drawn_in_the_specification() -> None:
    label, *rows = re.search(r"^```eyes\n(.*?)^```", (DOCS / "spec.md").read_text("utf-8"), re.M | re.S)[
        1
    ].splitlines()  # type: ignore[index]
    verdicts = re.split(r"\s{2,}", label)
    assert Counter(verdicts) == {"eye": 5, "no eye": 3}
    for verdict, *lines in zip(verdicts, *(re.split(r"\s{2,}", row) for row in rows), strict=True):
        stones = [line.split() for line in reversed(lines) if "=" not in line]  # lowest row first
        left = 0 if len(stones[0]) == 2 else 1  # of the board: a corner or not
        low = 0 if len(stones) == 2 else 1
        there = {(low + r, left + c): sign for r, row in enumerate(stones) for c, sign in enumerate(row)}
        position = Position(5)
        position.set_up(*([p for p, sign in there.items() if sign == colour] for colour in "XO"))
        (point,) = (p for p, sign in there.items() if sign == "*")
        assert position.is_eye("b", point) == (verdict == "eye"), lines
