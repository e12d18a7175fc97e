"""The table of engines by clauses: one model for the site of reports and for docs/engines.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from harness.check.clauses import CLAUSES
from harness.report.records.stored_check import KINDS, CheckedOnce

CELL_KINDS = {
    "fail": "MUST checks failed (their number)",
    "note": "only SHOULD checks failed (their number)",
    "open": "checks are undecided",
    "pass": "all judged checks passed",
    "skip": "no check was judged",
}
"""By kind of a cell, the gravest first: its meaning. INFO checks do not count. KINDS are kinds of a check."""


@dataclass(frozen=True)
class Cell:
    """The outcome of an engine for one clause."""

    kind: str  # of CELL_KINDS
    count: int = 0  # failed MUST checks ("fail") or SHOULD checks ("note"); 0 for other kinds


@dataclass(frozen=True)
class Row:
    """An engine in the table. `cells` are in the order of the clauses of the table."""

    cells: tuple[Cell, ...]
    passed: int  # checks of any level
    must: int  # failed MUST checks
    should: int  # failed SHOULD checks
    unjudged: int  # checks of any level that were skipped, are undecided or ended in an error
    cause: str  # id of the check that shows the first cause; empty without one


@dataclass(frozen=True)
class EngineTable:
    """The clauses of which any engine has a check that was not skipped, and a row for each engine.

    A clause that this version of conform does not know has no column, but its checks count in the rows.
    """

    clauses: tuple[str, ...]
    rows: tuple[Row, ...]


def engine_table(engines: Sequence[CheckedOnce]) -> EngineTable:
    """Make the table of engines, in their order."""
    judged = {check["clause"] for engine in engines for check in engine.checks if check["outcome"] != "skip"}
    clauses = tuple(name for name in CLAUSES if name in judged)
    return EngineTable(clauses, tuple(_row(engine, clauses) for engine in engines))


def _row(engine: CheckedOnce, clauses: Sequence[str]) -> Row:
    """The row of one engine."""
    kinds = Counter(KINDS[check["outcome"]] for check in engine.checks)
    return Row(
        cells=tuple(_cell(engine, clause) for clause in clauses),
        passed=kinds["pass"],
        must=len(engine.failing),
        should=len(engine.failing_at("should")),
        unjudged=kinds["skip"] + kinds["open"],
        cause=engine.cause,
    )


def _cell(engine: CheckedOnce, clause: str) -> Cell:
    """The gravest kind among an engine's MUST and SHOULD checks of a clause."""
    counts = Counter(
        (check["level"], KINDS[check["outcome"]]) for check in engine.checks if check["clause"] == clause
    )
    for kind, level in (("fail", "must"), ("note", "should")):
        if count := counts[level, "fail"]:
            return Cell(kind, count)
    for kind in ("open", "pass"):
        if counts["must", kind] or counts["should", kind]:
            return Cell(kind)
    return Cell("skip")
