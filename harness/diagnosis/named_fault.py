"""Names a known fault as a cause, with the failures that it explains, if it is probable enough.

`next_cause` calls `named_fault` with the known faults of the likeliest clause, or of a missing ability. The
argument `rest` has the failures that no cause explains yet. A *suspicion* is a fault with its probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Result
from harness.diagnosis.cause import Cause, CauseKind, best_evidence, cause_of, clause_explains
from harness.diagnosis.contradiction import foretells_no_failure
from harness.diagnosis.fault_ranking import LEAST_NAMED, Suspicion, most_claimed
from harness.diagnosis.pointing import is_random, subject_of
from harness.diagnosis.unexplained import Unexplained

# These limits were chosen by hand. How often the diagnosis is right with them: docs/statistics.md, "Clauses".

FAULT_OF_CLAUSE = 0.5
"""A fault is named in place of its clause if it, together with those that explain the same failures, has at
least this share of the clause's probability."""

FEW_OTHERS, MOST_OTHERS = 2, 0.25
"""A fault also gets the failures that its record lacks if they are at most FEW_OTHERS, or at most the
fraction MOST_OTHERS of those in its record; else it gets none of them."""


def named_fault(rest: Unexplained, suspicions: Sequence[Suspicion], probability: float) -> Cause | None:
    """Return the most probable of these faults that explains failures as a cause; None if none may be named.

    suspicions    known faults that fit well, the most probable first; a fault that explains no failure, or
                  random ones alone, is passed over
    probability   of their clause. The first fault and those that explain the same failures together need
                  FAULT_OF_CLAUSE of it, and LEAST_NAMED. `most_claimed` chooses the name and `alike` of the
                  cause among them
    """
    explained = {item.fault: _explained_by(rest, item) for item in suspicions}
    seen = (item for item in suspicions if any(not is_random(r.check) for r in explained[item.fault]))
    if (first := next(seen, None)) is None:
        return None
    own = explained[first.fault]
    alike = [item for item in suspicions if explained[item.fault] == own]
    if sum(item.probability for item in alike) < max(LEAST_NAMED, FAULT_OF_CLAUSE * probability):
        return None
    if leaves_as_many(rest, first, own):
        return None
    failures = _with_few_others(rest, first, own)
    first, *others = most_claimed(alike, own)
    shown = best_evidence(own, first.fault, first.clause)
    cause = cause_of(CauseKind.FAULT, first.fault, first.clause, first.probability, failures, shown)
    return replace(cause, alike=tuple(item.fault for item in others))


def _explained_by(rest: Unexplained, fault: Suspicion) -> list[Result]:
    return [r for r in rest.left if rest.explains(fault.fault, r) and not rest.belongs_to_other(fault, r)]


def leaves_as_many(rest: Unexplained, fault: Suspicion, explained: Sequence[Result]) -> bool:
    """Return True if a fault leaves as many failures of its subjects unexplained as it explains, or more.

    explained   the failures that the fault explains; their subjects are those of `subject_of`
    Another fault of the subject is then likelier than two. If the fault is of the choice, every unexplained
    failure counts (but random ones), because all moves that it changes are recorded. For other faults, a
    failure counts if a replay with the fault shows none.
    """
    subjects = {subject_of(result) for result in explained}
    others = [r for r in rest.failing if r not in explained and subject_of(r) in subjects]
    if CLAUSES[fault.clause].part is Part.CHOICE:
        against = sum(not is_random(result.check) for result in others)
    else:
        against = sum(foretells_no_failure(fault.fault, result) for result in others)
    return against >= len(explained)


def _with_few_others(rest: Unexplained, fault: Suspicion, explained: Sequence[Result]) -> list[Result]:
    """Return the explained failures, and other failures that the clause can cause if these are few."""
    clause = fault.clause
    shown = best_evidence(explained, "", clause)
    others = [
        r
        for r in rest.left
        if r not in explained
        and clause_explains(clause, r.check, shown.check)
        and not rest.belongs_to_other(fault, r)
    ]
    few = len(others) <= max(FEW_OTHERS, MOST_OTHERS * len(explained))
    kept = {r.check.id for r in (*explained, *(others if few else ()))}
    return [result for result in rest.left if result.check.id in kept]
