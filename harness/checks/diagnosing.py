"""What a bot that deviates behaves like: the faults of the registry, compared by what the checks saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.checks.evidence import gather
from harness.checks.run import Findings, verdict
from harness.checks.signatures import signatures
from harness.stats import diagnosis

MOST_NAMED = 3
LEAST_NAMED = 0.01
"""A fault less probable than this is not worth naming."""

MISMATCH = 1e-3
"""Chance of a probe to show anything at all, whatever fault the bot has: no two authors err quite alike."""


@dataclass(frozen=True)
class Suspicion:
    """A fault that would explain the findings, and how probable that is among all explanations."""

    fault: str
    clause: str
    probability: float


def diagnose(findings: Findings, *, strict: bool = False) -> Sequence[Suspicion]:
    """At most three faults, most probable first; none for a bot with nothing to explain.

    Faults that no check tells apart share their probability. What is missing to 1 is the share of other
    faults, of "conforming" and of "something else".
    """
    if verdict(findings, strict=strict) != "deviates":
        return ()
    known = signatures()
    evidence = gather(findings, known)
    said = diagnosis.diagnose(evidence.observed, evidence.conforming, evidence.faults, mismatch=MISMATCH)
    named = [(name, share) for name, share in said.ranked if name in known and share >= LEAST_NAMED]
    return tuple(Suspicion(name, known[name].clause, share) for name, share in named[:MOST_NAMED])
