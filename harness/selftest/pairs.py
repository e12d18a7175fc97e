"""Bots with two faults at once: whether the diagnosis names both."""

from __future__ import annotations

import random
from dataclasses import dataclass

from harness.check.effort import QUICK, Effort
from harness.diagnosis.diagnose import diagnose
from harness.selftest.faulty import PLAYOUTS, check_hosted, checks_that_show
from refbot.deviations.faults import FAULTS

NAMED_FIRST = 2
"""Number of causes among which the clauses of both faults should be."""


@dataclass(frozen=True)
class PairDiagnosis:
    """The faults of a bot with two of them, and the clauses of the first causes that were named."""

    faults: tuple[str, str]
    named: tuple[str, ...]  # clauses, at most NAMED_FIRST

    @property
    def names_both(self) -> bool:
        """True if the first causes are of the clauses of both faults."""
        return {FAULTS[fault].clause for fault in self.faults} <= set(self.named)


def pairs_of(seed: int, number: int) -> tuple[tuple[str, str], ...]:
    """Return random pairs of known faults of different clauses, each pair once, repeatable by `seed`."""
    random_source = random.Random(seed)
    names = sorted(FAULTS)
    pairs: dict[tuple[str, str], None] = {}
    while len(pairs) < number:
        first, second = sorted(random_source.sample(names, 2))
        if FAULTS[first].clause != FAULTS[second].clause:
            pairs[first, second] = None
    return tuple(pairs)


def diagnose_pair(
    pair: tuple[str, str], seed: int, *, effort: Effort = QUICK, playouts: int = PLAYOUTS
) -> PairDiagnosis:
    """Check a hosted bot with both faults, and return the clauses of its first causes."""
    largest = max(pair, key=lambda fault: FAULTS[fault].board)
    findings = check_hosted(pair, seed, checks_that_show(largest), effort, playouts)
    return PairDiagnosis(pair, tuple(cause.clause for cause in diagnose(findings).causes[:NAMED_FIRST]))
