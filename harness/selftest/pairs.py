"""Bots with two faults at once: whether the diagnosis names both."""

from __future__ import annotations

import random
from dataclasses import dataclass

from harness.check.effort import QUICK, Effort
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.diagnosis.diagnose import diagnose
from harness.selftest.faulty import PLAYOUTS, checks_that_show
from harness.selftest.hosted_bot import HostedBot
from refbot.deviations.faults import FAULTS

NAMED_FIRST = 2
"""Number of causes among which the clauses of both faults should be."""


@dataclass(frozen=True)
class PairDiagnosis:
    """The clauses of the first causes of a bot with two faults, and of the faults themselves."""

    faults: tuple[str, str]
    clauses: tuple[str, str]  # of the faults
    named: tuple[str, ...]  # of the first two causes

    @property
    def names_both(self) -> bool:
        """True if the first causes are of the clauses of both faults."""
        return set(self.clauses) <= set(self.named)


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
    with HostedBot(*pair, playouts=playouts, seed=seed) as bot:
        settings = RunSettings(bot.launch, checks_that_show(largest), effort=effort, seed=seed)
        findings = findings_of(check_bot(bot, settings))
    causes = diagnose(findings).causes[:NAMED_FIRST]
    first, second = pair
    return PairDiagnosis(
        pair, (FAULTS[first].clause, FAULTS[second].clause), tuple(cause.clause for cause in causes)
    )
