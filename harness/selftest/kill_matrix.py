"""The kill matrix: which check catches which fault, and what the diagnosis makes of it.

A check is only there once it has caught its fault; a fault counts as caught when a check of its own clause
fails. All runs are whole ones, on the reference bot with one fault, as `conform check` would make them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from pydantic import TypeAdapter

from harness.check.effort import QUICK, Effort
from harness.check.model import REFUSING, Check, Level
from harness.check.verdict import verdict
from harness.diagnosis.cause import Cause
from harness.diagnosis.diagnose import diagnose
from harness.diagnosis.effects import without_twins
from harness.diagnosis.fault_ranking import Suspicion
from harness.selftest.faulty import RIGHT, check_fault
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS


@dataclass(frozen=True)
class Failing:
    """A check that failed: what a matrix needs to know of it."""

    check: str
    clause: str
    level: Level


@dataclass(frozen=True)
class Kill:
    """Result for one fault ("" is the right bot).

    `causes` are those that a report names; `left_out` is the clause that is named first when the diagnosis
    does not know the fault, nor any fault like it.
    """

    fault: str
    clause: str
    verdict: str  # with SHOULD counted
    failing: tuple[Failing, ...]
    diagnosis: tuple[Suspicion, ...]
    seconds: float
    reason: str = ""  # of a bot that could not be checked at all
    causes: tuple[Cause, ...] = ()
    left_out: str = ""

    @property
    def refused(self) -> bool:
        """True if anybody would see that something is wrong."""
        return self.verdict in ("deviates", "unusable")

    @property
    def by_clause(self) -> tuple[Failing, ...]:
        """The failing checks of the fault's own clause."""
        return tuple(failing for failing in self.failing if failing.clause == self.clause)

    @property
    def right(self) -> bool:
        """A fault must be refused by a check of its clause; the right bot by none."""
        return bool(self.by_clause) if self.fault else not self.failing and not self.refused

    @property
    def diagnosed(self) -> bool:
        """True if the clause that is named first is the right one."""
        return bool(self.causes) and self.causes[0].clause == self.clause

    @property
    def named(self) -> bool:
        """Return whether the headline names the fault itself, or faults that explain the same failures."""
        return bool(self.causes) and self.fault in (self.causes[0].name, *self.causes[0].alike)

    @property
    def found_without(self) -> bool:
        """True if the right clause is named first by a diagnosis that does not know the fault."""
        return self.left_out == self.clause

    @property
    def headed(self) -> bool:
        """Return whether the headline names the fault or a failing check that is there to catch it."""
        return self.named or (bool(self.causes) and self.fault in kills_of(self.causes[0].evidence))


def kill(fault: str, seed: int, effort: Effort = QUICK, *, brief: bool = False, hosted: bool = False) -> Kill:
    """Check the reference bot with a fault, or the right one (""), with all checks.

    `brief` leaves out the dialogues of other clauses than the fault's: starting a process over and over is
    what they take time for. `hosted` starts none.
    """
    began = time.monotonic()
    checks = _brief(FAULTS[fault].clause) if brief and fault else CHECKS
    findings = check_fault(fault, seed, checks=checks, effort=effort, hosted=hosted)
    failing = tuple(
        Failing(result.check.id, result.clause, result.check.level)
        for result in findings.results
        if result.outcome in REFUSING and result.check.level is not Level.INFO
    )
    said = diagnose(findings, strict=True)
    blind = diagnose(findings, strict=True, known=without_twins(fault)) if fault else said
    return Kill(
        fault,
        FAULTS[fault].clause if fault else "",
        verdict(findings, strict=True),
        failing,
        said.suspicions,
        time.monotonic() - began,
        findings.unusable,
        said.causes,
        blind.causes[0].clause if blind.causes else "",
    )


def kills_of(check_id: str) -> tuple[str, ...]:
    """The faults that a check is there to catch."""
    return next((check.kills for check in CHECKS if check.id == check_id), ())


def _brief(clause: str) -> tuple[Check, ...]:
    return tuple(c for c in CHECKS if c.clause == clause or c.procedure.search_plan is not None)


def as_line(kill: Kill) -> str:
    """A row of the matrix as a line of JSON."""
    return json.dumps(asdict(kill)) + "\n"


def kept_in(path: Path) -> dict[str, Kill]:
    """The rows in a file of such lines, by fault; none if there is no file. A cut last line is left out."""
    if not path.exists():
        return {}
    whole = (line for line in path.read_text("utf-8").splitlines(keepends=True) if line.endswith("\n"))
    rows = map(TypeAdapter(Kill).validate_json, whole)
    return {row.fault: row for row in rows}


def all_faults(patterns: Sequence[str] = ()) -> list[str]:
    """The right bot and every fault; or those alone whose name or clause matches a pattern."""
    names = [
        name
        for name, fault in FAULTS.items()
        if not patterns or any(fnmatchcase(name, p) or fnmatchcase(fault.clause, p) for p in patterns)
    ]
    return [RIGHT, *names]


def one_a_clause(seed: int) -> list[str]:
    """The right bot and one fault of each clause, other ones for another seed."""
    by_clause: dict[str, list[str]] = {}
    for name, fault in FAULTS.items():
        by_clause.setdefault(fault.clause, []).append(name)
    return [RIGHT, *(names[seed % len(names)] for names in by_clause.values())]


def idle(kills: Iterable[Kill], checks: Sequence[Check]) -> list[str]:
    """The checks, INFO ones left out, that no fault made fail."""
    busy = {failing.check for kill in kills for failing in kill.failing}
    return [check.id for check in checks if check.level is not Level.INFO and check.id not in busy]
