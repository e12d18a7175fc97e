"""Effects of a known fault on checks, by its signature: failures it explains, and whether it is possible.

A signature is the recorded behaviour of a bot with one fault. `explains_failure` says whether a fault may
cause one failure. `plausible` keeps the faults that the findings about a bot leave possible: the first step
of `fault_ranking`. `without_twins` hides a fault, to measure the diagnosis of unknown faults. Twins are
faults of one clause that nearly the same checks fail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from harness.check.model import COMMAND_ABILITIES, REFUSING, Check, Level, Outcome, Result
from harness.check.phases.findings import Findings
from harness.diagnosis.choice_law import OF_MOVES
from harness.diagnosis.contradiction import foretells_no_failure, is_contradicted
from harness.diagnosis.deviations import Channel, Deviations, channels_of
from harness.diagnosis.pointing import is_random, reads_numbers
from harness.diagnosis.signatures import Signature, signatures
from harness.suite.registry import CHECKS, find
from refbot.deviations.faults import FAULTS

MOST_CONTRADICTED = 0.5
"""If more than this fraction of the checks that a fault fails pass, the bot has another fault. Chosen:
the same fault of another author must agree in most checks."""

CLEARLY = 3
"""Number of deviating probes from which chance is ruled out. Chosen: at four standard errors each, three
chance deviations among 300 probes come once in a million runs."""

CLEAR = 0.5
"""Standard deviations of one playout by which a mean must be wrong to show in every check. Chosen: then two
hundred playouts show it at seven standard errors."""

OFTEN = 8
"""If the record of a fault deviates at this many probes that were searched, a bot with the fault shows it at
one of them. Chosen: enough even if the bot made fewer searches than the record."""

ALIKE = 0.8
"""Twins are faults with at least this Jaccard index of failing checks: the number that both fail, divided by
the number that one of them fails. Chosen: one in five may differ."""


def fails(signature: Signature, check: Check) -> bool:
    """Return True if the recorded fault fails a check, or changes the means or moves that the check judges.

    Outcomes are recorded for dialogues, and for checks that are marked with `identifies`.
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

    False for a crash or a timeout that is not in the record, if the failure shows a third clause, if only the
    form of an answer is wrong, or if a bot with the fault would have answered differently.
    """
    return _may_fail_so(signature, result) and not _has_other_answers(signature, result)


def _may_fail_so(signature: Signature, result: Result) -> bool:
    """Return True if a bot with the fault fails the check, in this way, and by this clause."""
    if result.outcome in (Outcome.CRASH, Outcome.TIMEOUT):
        return signature.outcomes.get(result.check.id) is result.outcome
    if result.clause not in (result.check.clause, signature.clause):
        return False  # the failure shows a third clause
    return explains(signature, result.check)


def plausible(findings: Findings, known: Mapping[str, Signature], seen: Deviations) -> dict[str, Signature]:
    """Return the signatures of the right bot ("") and of all faults that the findings leave possible.

    seen   the deviations of the searches in the findings
    A fault is ruled out if its own checks ran and none failed, if no check that it fails failed, if most of
    those passed, if it concerns a command that the bot lacks, if the bot never deviates in a channel
    (lengths, results, moves) in which the fault often does, or if answers in a passed check contradict it.
    """
    weighty = [result for result in findings.results if result.check.level is not Level.INFO]
    failing = [result for result in weighty if result.refuses]
    failing = [r for r in failing if not is_random(r.check)] or failing  # random checks fail for any fault
    passed = [result for result in weighty if result.outcome is Outcome.PASS]
    passing = [result.check for result in passed]
    missing = missing_commands(findings)

    def is_possible(signature: Signature) -> bool:
        explained = [r.check for r in failing if explains_failure(signature, r)]
        return (
            signature.clause not in missing  # the clause of a private command has its name
            and not _needs_a_missing_command(signature.fault, findings.commands)
            and _fits_outcomes(signature, explained, passing)
            and not _lacks_a_channel(signature, known[""], seen)
            and not _passed_otherwise(signature, passed)
        )

    return {name: signature for name, signature in known.items() if not name or is_possible(signature)}


def clear_channels(seen: Deviations) -> frozenset[Channel]:
    """Return the channels in which a bot deviates at CLEARLY probes or more."""
    return frozenset(channel for channel in Channel if len(seen.of(channel)) >= CLEARLY)


def channels_reached(signature: Signature, right: Signature) -> frozenset[Channel]:
    """Return the channels that a fault changes at any probe.

    A fault that repeats playouts or searches changes the spread of all channels, though no mean. A fault of
    playouts also changes moves: perhaps not at the recorded number of playouts, but at others.
    """
    if _changes_spread(signature):
        return frozenset(Channel)
    reached = {channel for channel, probes in channels_of(signature, right).items() if probes}
    if reached and FAULTS[signature.fault].where == "playout":
        reached.add(Channel.MOVE)
    return frozenset(reached)


def _lacks_a_channel(signature: Signature, right: Signature, seen: Deviations) -> bool:
    """Return True if the bot never deviates in a channel, at OFTEN or more probes where the fault does."""
    if _changes_spread(signature):
        return False
    own = channels_of(signature, right)
    return any(
        len(own[channel] & seen.compared.get(channel, frozenset())) >= OFTEN and not seen.of(channel)
        for channel in Channel
    )


def _changes_spread(signature: Signature) -> bool:
    """Return True for a fault that repeats random numbers, or counts each playout several times."""
    return signature.repeats > 1.0 or FAULTS[signature.fault].playout_counted != 1


def _has_other_answers(signature: Signature, result: Result) -> bool:
    """Return True if the answers in a failure show that the fault is not its cause."""
    return (
        result.judgement.written_wrong
        or signature.fault in result.judgement.unlike
        or is_contradicted(signature.fault, result.transcript)
        or foretells_no_failure(signature.fault, result)
    )


def _passed_otherwise(signature: Signature, passed: Iterable[Result]) -> bool:
    """Return True if a check that the record fails passed, by answers that the fault does not give."""
    return any(
        signature.outcomes.get(result.check.id) in REFUSING
        and is_contradicted(signature.fault, result.transcript)
        for result in passed
    )


def _fits_outcomes(signature: Signature, explained: Collection[Check], passing: Collection[Check]) -> bool:
    """Return True if the outcomes of the checks leave a fault possible.

    explained   the failing checks that the fault explains. One that lists the fault in `kills` is enough;
                otherwise no check of its clause that shows the fault may pass, unless another one failed, and
                at most MOST_CONTRADICTED of the checks in its record may pass
    """
    if any(signature.fault in check.kills for check in explained):
        return True
    if not any(check.clause == signature.clause for check in explained) and any(
        is_own(signature, check) and _shows_at_once(signature, check)
        for check in passing
        if not is_random(check)  # a random check may have met no case of the fault
    ):
        return False
    unseen = sum(signature.outcomes.get(check.id) in REFUSING for check in passing)
    return bool(explained) and unseen <= MOST_CONTRADICTED * (len(explained) + unseen)


def _shows_at_once(signature: Signature, check: Check) -> bool:
    """Return False if a check judges means, and the fault makes neither wrong by more than CLEAR.

    A bot with the fault may then pass, because it made too few searches.
    """
    plan = check.procedure.search_plan
    recorded = signature.probes.get(plan.probe.id) if plan else None
    if plan is None or recorded is None or not recorded.mean or not reads_numbers(check):
        return True
    right = plan.probe.expected
    gaps = (recorded.mean[0] - right.mean_length, recorded.mean[1] - right.mean_result)
    spreads = (right.sd_length, right.sd_result)
    return any(abs(gap) > CLEAR * sd + 1e-9 for gap, sd in zip(gaps, spreads, strict=True))


def is_own(signature: Signature, check: Check) -> bool:
    """Return True if a check lists the fault in `kills`, or is of its clause and fails with it."""
    return signature.fault in check.kills or (check.clause == signature.clause and fails(signature, check))


def missing_commands(findings: Findings) -> frozenset[str]:
    """Return which of ref-nodes and ref-score the bot lacks; none if its commands are not known."""
    if findings.commands is None:
        return frozenset()
    return frozenset(COMMAND_ABILITIES) - findings.commands


def _needs_a_missing_command(fault: str, commands: frozenset[str] | None) -> bool:
    """Return True if each check that lists a fault in `kills` needs an optional command that the bot lacks.

    commands   of the bot; None if not known
    """
    if commands is None:
        return False
    own = _optional_commands(fault)
    return bool(own) and all(not needed <= commands for needed in own)


@cache
def _optional_commands(fault: str) -> tuple[frozenset[str], ...]:
    """Return the optional commands that a check needs, for each check that lists the fault in `kills`."""
    return tuple(frozenset(check.needs.optional_commands) for check in CHECKS if fault in check.kills)


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
