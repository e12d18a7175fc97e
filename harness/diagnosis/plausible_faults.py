"""Finds the known faults that the findings about a bot leave possible, before any probability is computed.

`find_plausible` is the first step of `fault_ranking`. It goes by the outcomes of checks, by the channels of
the searches (lengths, results and moves) and by the answers in dialogues. A signature is the recorded
behaviour of a bot with one fault.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache

from harness.check.model import COMMAND_ABILITIES, REFUSING, Check, Level, Outcome, Result
from harness.check.phases.findings import Findings
from harness.diagnosis.contradiction import is_contradicted
from harness.diagnosis.deviations import Channel, Deviations, channels_of
from harness.diagnosis.effects import explains_failure, fails
from harness.diagnosis.pointing import is_random, reads_numbers
from harness.diagnosis.signatures import Signature
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

MOST_CONTRADICTED = 0.5
"""A fault is ruled out if more than this fraction of the checks in its record passed. Chosen: the same fault
of another author must agree in most checks."""

CLEARLY = 3
"""A bot clearly deviates in a channel if it does so at this number of probes or more. Chosen: at four
standard errors each, three chance deviations among 300 probes come once in a million runs."""

CLEAR = 0.5
"""A mean that is wrong by more than this number of standard deviations of one playout shows in every check.
Chosen: then two hundred playouts show it at seven standard errors."""

OFTEN = 8
"""If the record of a fault deviates at this number of searched probes or more, a bot with the fault deviates
at one of them at least. Chosen: enough even if the bot made fewer searches than the record."""


def find_plausible(
    findings: Findings, known: Mapping[str, Signature], seen: Deviations
) -> dict[str, Signature]:
    """Return the signatures of the right bot ("") and of all faults that the findings leave possible.

    seen   the deviations of the searches in the findings
    A fault is ruled out if it concerns a command that the bot lacks, if outcomes of checks speak against it
    (`_fits_outcomes`; without those of level INFO), if the bot never deviates in a channel (lengths, results,
    moves) in which the fault often does, or if the bot passed a check that the fault fails, by answers that
    contradict the fault.
    """
    weighty = [result for result in findings.results if result.check.level is not Level.INFO]
    failing = [result for result in weighty if result.refuses]
    failing = [r for r in failing if not is_random(r.check)] or failing  # random checks fail for any fault
    passed = [result for result in weighty if result.outcome is Outcome.PASS]
    passing = [result.check for result in passed]
    missing = _missing_commands(findings)

    def is_possible(signature: Signature) -> bool:
        return (
            signature.clause not in missing  # the clause of a private command has its name
            and not _needs_a_missing_command(signature.fault, findings.commands)
            and _fits_outcomes(signature, failing, passing)
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


def _passed_otherwise(signature: Signature, passed: Iterable[Result]) -> bool:
    """Return True if a check that the record fails passed, by answers that the fault does not give."""
    return any(
        signature.outcomes.get(result.check.id) in REFUSING
        and is_contradicted(signature.fault, result.transcript)
        for result in passed
    )


def _fits_outcomes(signature: Signature, failing: Collection[Result], passing: Collection[Check]) -> bool:
    """Return True if the outcomes of the checks leave a fault possible.

    It must explain a failure, and if the failed check lists it in `kills`, this is enough. Otherwise two
    things rule it out: one of its own checks passed that shows it at once, and it explains no failure of its
    clause; or more than MOST_CONTRADICTED of the checks that it fails passed.
    """
    explained = [result.check for result in failing if explains_failure(signature, result)]
    if not explained:
        return False
    if any(signature.fault in check.kills for check in explained):
        return True
    if not any(check.clause == signature.clause for check in explained) and any(
        is_own(signature, check) and _shows_at_once(signature, check)
        for check in passing
        if not is_random(check)  # a random check may have met no case of the fault
    ):
        return False
    unseen = sum(signature.outcomes.get(check.id) in REFUSING for check in passing)
    return unseen <= MOST_CONTRADICTED * (len(explained) + unseen)


def _shows_at_once(signature: Signature, check: Check) -> bool:
    """Return False if a bot with the fault may pass the check while it makes few searches.

    That is so if the check judges means, and the fault is recorded to change both of them, length and result,
    by at most CLEAR.
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


def _missing_commands(findings: Findings) -> frozenset[str]:
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
