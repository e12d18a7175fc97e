"""Diagnosis of a deviating bot: the causes of its failures in order, each with the failures that it explains.

One cause is named at a time (`next_cause`), from the sets of one and two known faults (`fault_ranking`) and
the clauses (`clause_ranking`). Its failures are then set aside. After a known fault, further faults are
ranked together with it, by all observations; observations that another cause explains are left out. A cause
is the lack of required commands or of an ability that other checks need, a known fault, or a clause that the
bot gets wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.check.model import Level, Verdict
from harness.check.phases.findings import Findings
from harness.check.verdict import verdict
from harness.diagnosis.cause import Cause, CauseKind
from harness.diagnosis.choice_law import signatures_at
from harness.diagnosis.consequences import add_cause, relies_on_missing
from harness.diagnosis.effects import explains_failure
from harness.diagnosis.fault_ranking import Suspects, Suspicion, most_probable
from harness.diagnosis.next_cause import next_cause
from harness.diagnosis.signatures import Signature, signatures
from harness.diagnosis.unexplained import Unexplained, nearly_certain


@dataclass(frozen=True)
class Diagnosis:
    """The diagnosis of one bot. Both fields are empty for a bot that does not deviate.

    causes       the most basic first, then the most probable; each failing MUST check (of a strict run: each
                 failing SHOULD check, too) belongs to exactly one
    suspicions   known faults that the bot behaves like, and "something else": at most three in all, the most
                 probable first
    """

    causes: tuple[Cause, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()


def diagnose(
    findings: Findings, *, strict: bool = False, known: Mapping[str, Signature] | None = None
) -> Diagnosis:
    """Return the causes of the failures, and the known faults that the bot behaves like.

    strict  recommendations that are not followed make the bot deviate, and need a cause, too
    known   its keys are the faults to compare with, and "" for the right bot; None: all faults
    Probabilities assume that the bot deviates. Faults that no check can distinguish share their probability.
    An explanation by two faults counts for both, so the sum of the probabilities may exceed 1.
    """
    if verdict(findings, strict=strict) is not Verdict.DEVIATES:
        return Diagnosis()
    known = _known_at(findings, known)
    levels = {Level.MUST, Level.SHOULD} if strict else {Level.MUST}
    failing = [r for r in findings.results if r.refuses and r.check.level is not Level.INFO]
    left = [result for result in failing if result.check.level in levels]
    # `rest` loses all checks that a cause explains. `evidence` keeps those that a known fault explains: the
    # next cause is ranked together with this fault.
    rest = evidence = findings
    suspects = Suspects(evidence, known)
    suspicions = first = suspects.rank()
    sure = nearly_certain(first)
    causes: list[Cause] = []
    named: list[str] = []  # known faults among the causes
    while left:
        cause = next_cause(Unexplained(rest, left, suspicions, known, failing))
        explained = [r for r in left if r.check.id in cause.explains]
        if cause.name in sure and not relies_on_missing(explained, causes):
            causes.append(cause)
        else:
            add_cause(causes, cause, explained, known, failing)
        left = [result for result in left if result.check.id not in cause.explains]
        if not left:
            break
        rest = rest.without(cause.explains)
        if cause.kind is CauseKind.FAULT:
            named.append(cause.name)
        else:
            evidence = evidence.without(cause.explains)
            suspects = Suspects(evidence, known)
        among = {name for name, own in known.items() if name and any(explains_failure(own, r) for r in left)}
        suspicions = suspects.rank(named, among)
    return Diagnosis(tuple(causes), most_probable(first))


def _known_at(findings: Findings, known: Mapping[str, Signature] | None) -> Mapping[str, Signature]:
    """Return the signatures of the faults in `known` (None: of all), at the bot's number of playouts."""
    every = signatures_at(findings.series[0].playouts) if findings.series else signatures()
    return every if known is None else {name: every[name] for name in known}
