"""What a bot that deviates behaves like: the faults of the registry, compared by what the checks saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.checks.run import Findings

MOST_NAMED = 3


@dataclass(frozen=True)
class Suspicion:
    """A fault that would explain the findings, and how probable that is among all explanations."""

    fault: str
    clause: str
    probability: float


def diagnose(findings: Findings) -> Sequence[Suspicion]:
    """At most three faults, most probable first; none for a bot with nothing to explain."""
    return ()
