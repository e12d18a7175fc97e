"""What a fault of the registry does to a check, by its recorded signature; and which faults are out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set

from harness.checks.diagnosis.signatures import Signature
from harness.checks.execution.findings import Findings
from harness.checks.model import REFUSING, Ability, Check, Level, Outcome, Result

COMMANDS = {"ref-nodes": Ability.COUNTS_MOVES, "ref-score": Ability.REPORTS_SCORE}
"""The private commands, with the check that reports that a bot has none of them."""

MOST_CONTRADICTED = 0.5
"""Fraction of the checks that a fault fails: where more of them pass, the bot has another fault."""


def fails(signature: Signature, check: Check) -> bool:
    """Whether the recorded fault makes a check fail, or moves what the check looks at."""
    outcome = signature.outcomes.get(check.id)
    if outcome is not None:
        return outcome in REFUSING
    plan = check.procedure.search_plan
    if plan is None or check.identifies:
        return False
    recorded = signature.probes.get(plan.probe.id)
    return recorded is not None and bool(recorded.mean if reads_numbers(check) else recorded.moves)


def reads_numbers(check: Check) -> bool:
    """Whether a check of searches looks at ref-nodes and ref-score; else it looks at the chosen moves."""
    return bool(check.requires.commands)


def plausible(findings: Findings, known: Mapping[str, Signature]) -> dict[str, Signature]:
    """The signatures of the right bot ("") and of all faults that the findings leave possible.

    A fault is out if its own checks ran and none of them failed, if nothing that it does was seen, if most of
    the checks that it fails passed, or if it is about a command that the bot does not have.
    """
    decided = [
        r
        for r in findings.results
        if r.check.level is not Level.INFO and r.outcome in (*REFUSING, Outcome.PASS)
    ]
    failing = [result for result in decided if result.outcome in REFUSING]
    passing = [result for result in decided if result.outcome is Outcome.PASS]
    failing_kills, passing_kills = _kills(failing), _kills(passing)
    missing = missing_commands(findings)
    return {
        name: signature
        for name, signature in known.items()
        if not name
        or (
            (name in failing_kills or name not in passing_kills)
            and signature.clause not in missing
            and _is_seen(signature, failing, passing)
        )
    }


def missing_commands(findings: Findings) -> frozenset[str]:
    """The private commands that the bot does not have."""
    if findings.commands is None:
        return frozenset()
    return frozenset(COMMANDS) - findings.commands


def _kills(results: Iterable[Result]) -> Set[str]:
    return {fault for result in results for fault in result.check.kills}


def _is_seen(signature: Signature, failing: Collection[Result], passing: Collection[Result]) -> bool:
    """Whether something that the fault does was seen, and not too much of it is missing."""
    seen = sum(fails(signature, result.check) for result in failing)
    unseen = sum(fails(signature, result.check) for result in passing)
    return seen > 0 and unseen <= MOST_CONTRADICTED * (seen + unseen)
