"""Checks bots with two faults at once, and tests that the diagnosis names the clauses of both."""

from __future__ import annotations

import random
from dataclasses import dataclass

from harness.check.effort import QUICK, Effort
from harness.diagnosis.diagnose import diagnose
from harness.selftest.faulty import PLAYOUTS, check_hosted, checks_on_board_of, failures_of
from refbot.deviations.faults import FAULTS

NAMED_FIRST = 2
"""Number of causes among which the clauses of both faults should be."""


@dataclass(frozen=True)
class PairDiagnosis:
    """A bot with two faults: the clauses of its failing checks, and those of the first causes."""

    faults: tuple[str, str]
    failing: frozenset[str]  # INFO checks are left out
    named: tuple[str, ...]  # at most NAMED_FIRST

    @property
    def clauses(self) -> frozenset[str]:
        """The clauses that the bot gets wrong."""
        return frozenset(FAULTS[fault].clause for fault in self.faults)

    @property
    def names_both(self) -> bool:
        """True if the first causes are of the clauses of both faults."""
        return self.clauses <= set(self.named)

    @property
    def shows_both(self) -> bool:
        """True if a check of each clause failed. Otherwise one fault hides the other."""
        return self.clauses <= self.failing


def draw_pairs(seed: int, number: int) -> tuple[tuple[str, str], ...]:
    """Return `number` random pairs of known faults, repeatable by `seed`. No two pairs are the same.

    The faults of a pair have different clauses. `number` must not exceed the number of such pairs.
    """
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
    """Check a hosted bot with both faults, and return the clauses of its failures and first causes."""
    largest = max(pair, key=lambda fault: FAULTS[fault].board)
    findings = check_hosted(pair, seed, checks_on_board_of(largest), effort, playouts)
    failing = frozenset(result.clause for result in failures_of(findings))
    causes = diagnose(findings, strict=True).causes[:NAMED_FIRST]
    return PairDiagnosis(pair, failing, tuple(cause.clause for cause in causes))
