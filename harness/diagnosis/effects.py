"""Effects of a known fault, by its signature: the checks that it fails, and the failures that it explains.

A signature is the recorded behaviour of a bot with one fault. `fails` and `explains` are about a check,
`explains_failure` is about one failure of a bot. `without_twins` hides a fault, to measure the diagnosis of
unknown faults. Twins are faults of one clause that nearly the same checks fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from harness.check.model import REFUSING, Check, Outcome, Result
from harness.diagnosis.choice_law import OF_MOVES
from harness.diagnosis.contradiction import foretells_no_failure, is_contradicted
from harness.diagnosis.pointing import reads_numbers
from harness.diagnosis.signatures import Signature, signatures
from harness.suite.registry import CHECKS, find
from refbot.deviations.faults import FAULTS

ALIKE = 0.8
"""Twins are faults with at least this Jaccard index of failing checks: the number that both fail, divided by
the number that one of them fails. Chosen: one in five may differ."""


def fails(signature: Signature, check: Check) -> bool:
    """Return True if the recorded fault fails a check, or changes the means or moves that the check judges.

    Outcomes are recorded for dialogues, and for checks that are marked with `identifies`. A fault that
    depends on earlier searches may change the numbers of any search: it fails each check that reads them.
    """
    outcome = signature.outcomes.get(check.id)
    if outcome is not None:
        return outcome in REFUSING
    plan = check.procedure.search_plan
    if plan is None or (check.identifies and check.id not in OF_MOVES):
        return False
    if signature.fault and FAULTS[signature.fault].counts_earlier_searches:
        return reads_numbers(check)  # the bot searched other positions before than the record did
    recorded = signature.probes.get(plan.probe.id)
    return recorded is not None and bool(recorded.mean if reads_numbers(check) else recorded.moves)


def checks_that_catch(fault: str) -> Sequence[Check]:
    """Return the checks that list a fault in `kills`; if there are none, the checks that it `fails`.

    Of the latter, checks of the fault's own clause come alone, if there are any.
    """
    made = [check for check in find("*") if fault in check.kills]
    if made:
        return made
    failed = [check for check in CHECKS if fails(signatures()[fault], check)]
    return [check for check in failed if check.clause == FAULTS[fault].clause] or failed


def explains(signature: Signature, check: Check) -> bool:
    """Return True if a bot with the fault `fails` the check, or if the check lists the fault in `kills`."""
    return signature.fault in check.kills or fails(signature, check)


def share_failing(clause: str, check: Check, known: Mapping[str, Signature]) -> float:
    """Return the fraction of a clause's known faults with a recorded failure of a check; 0 without faults."""
    own = [signature for name, signature in known.items() if name and signature.clause == clause]
    return sum(s.outcomes.get(check.id) in REFUSING for s in own) / max(1, len(own))


def explains_failure(signature: Signature, result: Result) -> bool:
    """Return True if a fault may be the cause of a failure: it `explains` the check, and fits the answers.

    True, too, for a wrong move where the record of the fault is uncertain. False for a crash or a timeout
    that is not in the record, if the failure shows another clause than those of the check and the fault, if
    only the form of an answer is wrong, or if a bot with the fault would have answered differently.
    """
    return _may_fail_so(signature, result) and not _has_other_answers(signature, result)


def _may_fail_so(signature: Signature, result: Result) -> bool:
    """Return True if a bot with the fault fails the check, in this way, and by this clause."""
    if result.outcome in (Outcome.CRASH, Outcome.TIMEOUT):
        return signature.outcomes.get(result.check.id) is result.outcome
    if result.clause not in (result.check.clause, signature.clause):
        return False
    return explains(signature, result.check) or _may_choose_so(signature, result.check)


def _may_choose_so(signature: Signature, check: Check) -> bool:
    """Return True for a check of chosen moves that the fault may fail: its record leaves this open."""
    plan = check.procedure.search_plan
    return plan is not None and plan.probe.id in signature.uncertain and not reads_numbers(check)


def _has_other_answers(signature: Signature, result: Result) -> bool:
    """Return True if the answers in a failure show that the fault is not its cause."""
    return (
        result.judgement.written_wrong
        or signature.fault in result.judgement.unlike
        or is_contradicted(signature.fault, result.transcript)
        or foretells_no_failure(signature.fault, result)
    )


@cache
def failing_checks(fault: str) -> frozenset[str]:
    """Return the ids of the checks that a fault `explains`."""
    signature = signatures()[fault]
    return frozenset(check.id for check in CHECKS if explains(signature, check))


def twins(fault: str) -> frozenset[str]:
    """Return the fault and its twins: the faults of its clause that fail nearly the same checks (ALIKE)."""
    known = signatures()
    clause = known[fault].clause if fault in known else None
    return frozenset({fault}) | {
        name for name, own in known.items() if name and own.clause == clause and _are_alike(name, fault)
    }


def without_twins(fault: str) -> Mapping[str, Signature]:
    """Return all signatures except those of a fault and its twins: the diagnosis then does not know it."""
    left_out = twins(fault)
    return {name: signature for name, signature in signatures().items() if name not in left_out}


def _are_alike(first: str, second: str) -> bool:
    own, other = failing_checks(first), failing_checks(second)
    return len(own & other) >= ALIKE * len(own | other)
