"""The kill matrix: which checks catch which fault of the reference bot, and which causes the diagnosis names.

A fault counts as caught if a check of its own clause fails. Each row of the matrix (`Kill`) is the result of
a whole run on the reference bot with one fault. `conform selftest` makes the rows,
`harness.report.text.matrix` prints them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from harness.check.effort import QUICK, Effort
from harness.check.model import Check, Level
from harness.check.phases.findings import Findings
from harness.check.profile import Profile
from harness.check.verdict import verdict
from harness.diagnosis.cause import Cause
from harness.diagnosis.diagnose import diagnose
from harness.diagnosis.effects import without_twins
from harness.diagnosis.fault_ranking import Suspicion
from harness.selftest.faulty import PLAYOUTS, RIGHT, check_fault, checks_on_board_of, failures_of
from harness.suite.registry import registered
from refbot.deviations.faults import FAULTS


class Case(NamedTuple):
    """A bot to check: the reference bot with one fault ("" for none), and its playouts per search."""

    fault: str
    playouts: int = PLAYOUTS


@dataclass(frozen=True)
class Failing:
    """A failed check, as the matrix stores it. INFO checks are left out."""

    check: str
    clause: str
    level: Level


@dataclass(frozen=True)
class Kill:
    """A row of the matrix: the result for one fault ("" for the right bot).

    causes              the causes that a report names, most likely first
    clause_if_unknown   clause of the first cause if the diagnosis knows neither the fault nor faults like it;
                        empty if it then names no cause
    playouts            of each search
    conditions          what else the result depends on, in words; empty unless read from a file
    """

    fault: str
    clause: str
    verdict: str  # strict: a failed SHOULD refuses too
    failing: tuple[Failing, ...]
    diagnosis: tuple[Suspicion, ...]
    seconds: float
    reason: str = ""  # why the bot could not be checked at all
    causes: tuple[Cause, ...] = ()
    clause_if_unknown: str = ""
    playouts: int = PLAYOUTS
    conditions: str = ""

    @property
    def case(self) -> Case:
        """The bot that was checked."""
        return Case(self.fault, self.playouts)

    @property
    def refused(self) -> bool:
        """True if the verdict is against the bot."""
        return self.verdict in ("deviates", "unusable")

    @property
    def failing_of_clause(self) -> tuple[Failing, ...]:
        """The failing checks of the fault's own clause."""
        return tuple(failing for failing in self.failing if failing.clause == self.clause)

    @property
    def right(self) -> bool:
        """True if a check of the fault's clause failed; for the right bot, if no check failed."""
        return bool(self.failing_of_clause) if self.fault else not self.failing and not self.refused

    @property
    def names_clause(self) -> bool:
        """True if the clause of the first cause is that of the fault."""
        return bool(self.causes) and self.causes[0].clause == self.clause

    @property
    def names_fault(self) -> bool:
        """True if the first cause is the fault, or explains the same failures as the fault."""
        return bool(self.causes) and self.fault in (self.causes[0].name, *self.causes[0].alike)

    @property
    def names_clause_if_unknown(self) -> bool:
        """True if the diagnosis finds the clause without knowing the fault (see `clause_if_unknown`)."""
        return self.clause_if_unknown == self.clause

    @property
    def headline_is_right(self) -> bool:
        """True if the first cause is the fault, or its evidence is a check that must catch the fault."""
        return self.names_fault or (bool(self.causes) and self.fault in kills_of(self.causes[0].evidence))


def kill(case: Case, seed: int, effort: Effort = QUICK, *, brief: bool = False, hosted: bool = False) -> Kill:
    """Run the checks on the reference bot with a fault, or on the right bot ("").

    brief    for a fault, leave out the checks of other clauses that do not search: they start many processes
    hosted   run the bot inside this process
    Faults of optional commands are checked in the profile gtp, where these commands are at home.
    """
    fault, playouts = case
    began = time.monotonic()
    checks = _brief(fault) if brief and fault else checks_on_board_of(fault)
    profile = Profile.GTP if is_of_command(fault) else None
    findings = check_fault(
        fault, seed, checks=checks, effort=effort, playouts=playouts, hosted=hosted, profile=profile
    )
    return row_of(case, findings, time.monotonic() - began)


def row_of(case: Case, findings: Findings, seconds: float) -> Kill:
    """Return the row of the matrix for the findings of a run."""
    fault, playouts = case
    failing = tuple(
        Failing(result.check.id, result.clause, result.check.level) for result in failures_of(findings)
    )
    said = diagnose(findings, strict=True)
    # The diagnosis without the signatures of the fault and of its twins, the faults that behave alike.
    blind = diagnose(findings, strict=True, known=without_twins(fault)) if fault else said
    return Kill(
        fault,
        FAULTS[fault].clause if fault else "",
        verdict(findings, strict=True),
        failing,
        said.suspicions,
        seconds,
        findings.unusable,
        said.causes,
        blind.causes[0].clause if blind.causes else "",
        playouts,
    )


def is_of_command(fault: str) -> bool:
    """Return whether a fault ("" for none) is one of an optional command."""
    return bool(fault) and FAULTS[fault].where == "command"


def shows_in_searches(fault: str) -> bool:
    """Return whether searches may show a fault ("" for none), so that the number of playouts matters.

    They do not show faults of the wire or of a command.
    """
    return not fault or FAULTS[fault].where not in ("wire", "command")


def cases_of(faults: Sequence[str], numbers: Sequence[int]) -> list[Case]:
    """Return the bots to check: all at the first number of playouts, some at the other numbers.

    At these, a bot is checked if its fault may depend on the number (see `shows_in_searches`).
    """
    return [
        Case(fault, number)
        for number in numbers
        for fault in faults
        if number == numbers[0] or shows_in_searches(fault)
    ]


def kills_of(check_id: str) -> tuple[str, ...]:
    """Return the faults that a check must catch; none for an id of another version."""
    check = registered(check_id)
    return check.kills if check is not None else ()


def _brief(fault: str) -> tuple[Check, ...]:
    """Return the checks of the fault's clause, and the checks of other clauses that search."""
    clause, checks = FAULTS[fault].clause, checks_on_board_of(fault)
    return tuple(c for c in checks if c.clause == clause or c.procedure.search_plan is not None)


def row_text(kill: Kill) -> str:
    """Return a row of the matrix as a line of JSON."""
    return json.dumps(asdict(kill)) + "\n"


def read_rows(path: Path) -> dict[Case, Kill]:
    """Read the rows of a file of `row_text` lines, by bot; none without the file. Skip a cut last line.

    Raises OSError, and ValueError for a damaged line.
    """
    if not path.exists():
        return {}
    whole = (line for line in path.read_text("utf-8").splitlines(keepends=True) if line.endswith("\n"))
    rows = map(TypeAdapter(Kill).validate_json, whole)
    return {row.case: row for row in rows}


def all_faults(patterns: Sequence[str] = ()) -> list[str]:
    """Return RIGHT and all faults, or only the faults whose name or clause matches a pattern."""
    names = [
        name
        for name, fault in FAULTS.items()
        if not patterns or any(fnmatchcase(name, p) or fnmatchcase(fault.clause, p) for p in patterns)
    ]
    return [RIGHT, *names]


def one_fault_per_clause(seed: int) -> list[str]:
    """Return RIGHT and one fault of each clause, which `seed` selects."""
    by_clause: dict[str, list[str]] = {}
    for name, fault in FAULTS.items():
        by_clause.setdefault(fault.clause, []).append(name)
    return [RIGHT, *(names[seed % len(names)] for names in by_clause.values())]


def idle_checks(kills: Iterable[Kill], checks: Sequence[Check]) -> list[str]:
    """Return the ids of the checks that no fault made fail, without INFO checks."""
    busy = {failing.check for kill in kills for failing in kill.failing}
    return [check.id for check in checks if check.level is not Level.INFO and check.id not in busy]
