"""Faults that do nearly the same, so that one of them gives another away."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from harness.diagnosis.effects import explains
from harness.diagnosis.signatures import Signature, signatures
from harness.suite.registry import CHECKS

ALIKE = 0.8
"""Jaccard index of the checks that two faults fail, from which they are twins."""


@cache
def failing_checks(fault: str) -> frozenset[str]:
    """The ids of the checks that a recorded fault fails."""
    signature = signatures()[fault]
    return frozenset(check.id for check in CHECKS if explains(signature, check))


def twins(fault: str) -> frozenset[str]:
    """The fault itself and the faults of its clause that fail nearly the same checks."""
    known = signatures()
    if fault not in known:
        return frozenset({fault})
    own = failing_checks(fault)
    return frozenset(
        name
        for name, signature in known.items()
        if name == fault
        or (name and signature.clause == known[fault].clause and _jaccard(own, failing_checks(name)) >= ALIKE)
    )


def without_twins(fault: str) -> Mapping[str, Signature]:
    """All signatures but those of a fault and its twins: what a diagnosis knows of a fault that is new."""
    left_out = twins(fault)
    return {name: signature for name, signature in signatures().items() if name not in left_out}


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    union = first | second
    return len(first & second) / len(union) if union else 1.0
