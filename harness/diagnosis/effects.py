"""Effects of a fault on checks, by its recorded signature: what rules it out, and which faults are twins."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from harness.check.model import COMMAND_ABILITIES, REFUSING, Check, Level, Outcome, Result
from harness.check.phases.findings import Findings
from harness.diagnosis.clause_ranking import is_random
from harness.diagnosis.contradiction import is_contradicted
from harness.diagnosis.deviations import Channel, Deviations, channels_of, find_deviations
from harness.diagnosis.signatures import Signature, signatures
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

MOST_CONTRADICTED = 0.5
"""Fraction of the checks that a fault fails: where more of them pass, the bot has another fault. Chosen."""

CLEARLY = 3
"""Number of probes at which something deviates, from which that is no chance. Chosen: at four standard errors
each, three by chance among 300 probes come once in a million runs."""

OFTEN = 8
"""Number of probes at which a record deviates, from which a bot with that fault, searched less, shows it
somewhere. Chosen."""


ALIKE = 0.8
"""Jaccard index of the checks that two faults fail, from which they are twins. Chosen: one check in five may
differ."""


def fails(signature: Signature, check: Check) -> bool:
    """Return whether the recorded fault makes a check fail, or moves what the check looks at."""
    outcome = signature.outcomes.get(check.id)
    if outcome is not None:
        return outcome in REFUSING
    plan = check.procedure.search_plan
    if plan is None or check.identifies:
        return False
    recorded = signature.probes.get(plan.probe.id)
    return recorded is not None and bool(recorded.mean if reads_numbers(check) else recorded.moves)


def explains(signature: Signature, check: Check) -> bool:
    """Return True if a fault may explain a failing check, by its record or because the check is its own."""
    return signature.fault in check.kills or fails(signature, check)


def explains_failure(signature: Signature, result: Result) -> bool:
    """Return whether a fault may explain a failure. It explains a death or a silence only by its record.

    None is where the bot did what it had to do and only wrote its answer wrongly, or where the fault would
    have answered otherwise than the bot did.
    """
    if _is_ruled_out(signature, result):
        return False
    if result.outcome in (Outcome.CRASH, Outcome.TIMEOUT):
        return signature.outcomes.get(result.check.id) is result.outcome
    return explains(signature, result.check)


def reads_numbers(check: Check) -> bool:
    """Return whether a check looks at ref-nodes and ref-score. The others look at the chosen moves."""
    return bool(check.requires.commands)


def plausible(findings: Findings, known: Mapping[str, Signature]) -> dict[str, Signature]:
    """Return the signatures of the right bot ("") and of all faults that the findings leave possible.

    A fault is out if its own checks ran and none of them failed, if nothing that it does was seen, if most of
    the checks that it fails passed, if it is about a command that the bot does not have, or if searches show
    that the bot changes lengths, results or moves and the fault does not, or the other way round.
    """
    weighty = [result for result in findings.results if result.check.level is not Level.INFO]
    failing = [result for result in weighty if result.outcome in REFUSING]
    failing = [r for r in failing if not is_random(r.check)] or failing  # those may have any reason
    passing = [result.check for result in weighty if result.outcome is Outcome.PASS]
    missing = missing_commands(findings)
    seen = find_deviations(findings.series, known[""])
    return {
        name: signature
        for name, signature in known.items()
        if not name
        or (
            signature.clause not in missing
            and _is_possible(signature, _of_its_kind(signature, failing), passing)
            and _has_the_channels(signature, known[""], seen)
        )
    }


def _has_the_channels(signature: Signature, right: Signature, seen: Deviations) -> bool:
    """Return whether a fault deviates in all that the bot deviates in, and in nothing else that was compared.

    Nothing is said of faults that repeat playouts or searches: they move no mean, but spread them all.
    """
    if signature.repeats > 1.0 or FAULTS[signature.fault].playout_counted != 1:
        return True
    own = channels_of(signature, right)
    return not any(
        (len(seen.of(channel)) >= CLEARLY and not own[channel])
        or (len(own[channel] & seen.compared.get(channel, frozenset())) >= OFTEN and not seen.of(channel))
        for channel in Channel
    )


def _of_its_kind(signature: Signature, failing: Collection[Result]) -> list[Check]:
    """Return the failing checks, without those that the fault cannot be the reason of."""
    return [
        result.check
        for result in failing
        if explains_failure(signature, result)
        or (result.outcome is Outcome.FAIL and not _is_ruled_out(signature, result))
    ]


def _is_ruled_out(signature: Signature, result: Result) -> bool:
    """Return whether the answers in a failure say that it has another reason than the fault."""
    return result.judgement.written_wrong or is_contradicted(signature.fault, result.transcript)


def _is_possible(signature: Signature, failing: Collection[Check], passing: Collection[Check]) -> bool:
    """Return whether the outcomes leave a fault possible."""
    if any(signature.fault in check.kills for check in failing):
        return True
    if any(is_own(signature, check) for check in passing) and not any(
        is_own(signature, check) for check in failing
    ):
        return False
    seen = sum(fails(signature, check) for check in failing)
    unseen = sum(fails(signature, check) for check in passing)
    return seen > 0 and unseen <= MOST_CONTRADICTED * (seen + unseen)


def is_own(signature: Signature, check: Check) -> bool:
    """Return whether a check is there to catch a fault, or is one of its clause that the fault fails."""
    return signature.fault in check.kills or (check.clause == signature.clause and fails(signature, check))


def missing_commands(findings: Findings) -> frozenset[str]:
    """Return the private commands that the bot does not have."""
    if findings.commands is None:
        return frozenset()
    return frozenset(COMMAND_ABILITIES) - findings.commands


@cache
def failing_checks(fault: str) -> frozenset[str]:
    """Return the ids of the checks that a recorded fault fails."""
    signature = signatures()[fault]
    return frozenset(check.id for check in CHECKS if explains(signature, check))


def twins(fault: str) -> frozenset[str]:
    """Return the fault itself and the faults of its clause that fail nearly the same checks."""
    known = signatures()
    clause = known[fault].clause if fault in known else None
    return frozenset({fault}) | {
        n for n, s in known.items() if n and s.clause == clause and _are_alike(n, fault)
    }


def without_twins(fault: str) -> Mapping[str, Signature]:
    """Return all signatures but those of a fault and its twins, as if the fault were new."""
    left_out = twins(fault)
    return {name: signature for name, signature in signatures().items() if name not in left_out}


def _are_alike(first: str, second: str) -> bool:
    own, other = failing_checks(first), failing_checks(second)
    return len(own & other) >= ALIKE * len(own | other)
