"""What a bot that deviates behaves like: the faults of the registry, compared by what the checks saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.checks.diagnosis.evidence import gather
from harness.checks.diagnosis.signatures import signatures
from harness.checks.execution.findings import Findings
from harness.checks.model import Verdict
from harness.checks.verdict import verdict
from harness.stats import diagnosis

UNKNOWN = diagnosis.SOMETHING_ELSE
MOST_NAMED = 3
LEAST_NAMED = 0.05
"""A fault less probable than this is not worth naming."""

MISMATCH = 1e-3
"""Chance of a probe to show anything at all, whatever fault the bot has: no two authors err quite alike."""


@dataclass(frozen=True)
class Suspicion:
    """A fault that would explain the findings, and how probable that is among all explanations.

    `fault` may be UNKNOWN, "something else": none of the registry. It has no clause.
    """

    fault: str
    clause: str
    probability: float

    @property
    def known(self) -> bool:
        """Whether it is a fault of the registry."""
        return self.fault != UNKNOWN


def diagnose(findings: Findings, *, strict: bool = False) -> Sequence[Suspicion]:
    """At most three faults, most probable first; none for a bot with nothing to explain.

    Probabilities are those for a bot that does deviate. Faults that no check tells apart share theirs; what
    is missing to 1 is the share of faults that are not named.
    """
    if verdict(findings, strict=strict) is not Verdict.DEVIATES:
        return ()
    known = signatures()
    evidence = gather(findings, known)
    said = diagnosis.diagnose(evidence.observed, evidence.conforming, evidence.faults, mismatch=MISMATCH)
    left = 1.0 - said.probability(diagnosis.CONFORMING)
    if left <= 0.0:
        return ()
    named = [(name, share / left) for name, share in said.ranked if name != diagnosis.CONFORMING]
    return tuple(
        Suspicion(name, known[name].clause if name in known else "", share)
        for name, share in named[:MOST_NAMED]
        if share >= LEAST_NAMED
    )
