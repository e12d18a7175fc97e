"""Faults that do nearly the same, so that one of them gives another away."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from harness.diagnosis.effects import explains
from harness.diagnosis.signatures import Signature, signatures
from harness.suite.registry import CHECKS

ALIKE = 0.8
"""Jaccard index of the checks that two faults fail, from which they are twins. Chosen: one check in five may
differ."""


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
