"""One cause of failures: its name, the failure that shows it best, and the failures that it explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Check, Confirmation, Level, Result
from harness.check.phases.events import Event
from harness.diagnosis.clause_ranking import is_direct, is_random
from harness.diagnosis.effects import reads_numbers

_BEST_FIRST = (
    Confirmation.CONFIRMED,
    Confirmation.NOT_NEEDED,
    Confirmation.WITH_HISTORY,
    Confirmation.NOT_TRIED,
    Confirmation.UNSTABLE,
)


class CauseKind(StrEnum):
    """Kind of a cause."""

    MISSING = "missing"  # required commands
    ABILITY = "ability"
    FAULT = "fault"
    CLAUSE = "clause"


@dataclass(frozen=True)
class Cause:
    """One cause of failures.

    name       of the fault or of the clause; of an ability, the id of its check; the missing commands
    alike      other faults that explain the same failures
    evidence   id of the failing check to look at first
    explains   ids of the failing checks that the cause explains, the evidence among them
    """

    kind: CauseKind
    name: str
    clause: str
    probability: float
    evidence: str
    explains: tuple[str, ...]
    alike: tuple[str, ...] = ()


@dataclass(frozen=True)
class CauseFound(Event):
    """A cause of the failures became known, the one to look at first before the others."""

    cause: Cause


def clause_explains(clause: str, check: Check, evidence: Check) -> bool:
    """Return whether a fault of a clause, seen at the evidence, may be why another check fails too."""
    part = CLAUSES[clause].part
    if part is Part.WIRE:  # the topic of `gtp.frame.id-echo` is `gtp.frame.id`
        return check.clause == clause and check.id.split("-", 1)[0] == evidence.id.split("-", 1)[0]
    if check.clause == clause:
        return True
    if check.procedure.search_plan is None and not is_random(check):
        return False
    if part in (Part.NODES, Part.CHOICE):
        return reads_numbers(check) == (part is Part.NODES)
    return part not in (Part.GAME, Part.MATCH)


def cause_of(
    kind: CauseKind,
    name: str,
    clause: str,
    probability: float,
    explained: Sequence[Result],
    evidence: Result | None = None,
) -> Cause:
    """Return a cause of the failures that it explains; the best evidence among them comes first."""
    shown = evidence or best_evidence(explained, name if kind is CauseKind.FAULT else "", clause)
    others = [result.check.id for result in explained if result is not shown]
    return Cause(kind, name, clause, min(1.0, probability), shown.check.id, (shown.check.id, *others))


def best_evidence(results: Sequence[Result], fault: str, clause: str = "") -> Result:
    """Return the failure that shows a cause best: of its own clause, exact, confirmed, the first of these."""
    return min(
        results,
        key=lambda r: (
            r.confirmation is Confirmation.UNSTABLE,
            bool(clause) and r.clause != clause,
            list(Level).index(r.check.level),
            not is_direct(r.check),
            r.judgement.p_value is not None,
            bool(fault) and fault not in r.check.kills,
            _BEST_FIRST.index(r.confirmation),
        ),
    )
