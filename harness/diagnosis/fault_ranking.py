"""Ranking of the known faults by the probability that they explain the findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.check.phases.findings import Findings
from harness.diagnosis.effects import plausible
from harness.diagnosis.observations import Evidence, gather
from harness.diagnosis.signatures import Signature
from harness.stats import diagnosis

UNKNOWN = diagnosis.SOMETHING_ELSE
MOST_NAMED = 3
"""Most faults that a report names. Chosen: a reader can try three."""

LEAST_NAMED = 0.05
"""Least probability of a fault that is named. Chosen: below it, the fault is wrong 19 times in 20."""

MISMATCH = 1e-3
"""Chance that an observation fits no prediction, whatever fault the bot has. Chosen: small, but above 0,
because two authors rarely make exactly the same error."""

FEW_MISFITS, MOST_MISFITS = 2, 0.3
"""Most observations that a named fault may leave unexplained: the larger of a number, and a fraction of those
that it explains. Chosen: the same fault by another author differs in few of them."""


@dataclass(frozen=True)
class Suspicion:
    """A fault that may explain the findings.

    fault         name of a known fault, or UNKNOWN ("something else", without a clause)
    probability   among all explanations
    fits          False if the fault explains the findings better than others, but not well: it is not named
    """

    fault: str
    clause: str
    probability: float
    fits: bool = True

    @property
    def known(self) -> bool:
        """True for a fault of the registry that explains the findings."""
        return self.fault != UNKNOWN and self.fits


def suspect_faults(findings: Findings, known: Mapping[str, Signature]) -> tuple[Suspicion, ...]:
    """Return all faults that are not ruled out, and "something else", the most probable first."""
    possible = plausible(findings, known)
    if len(possible) == 1:
        return (Suspicion(UNKNOWN, "", 1.0),)
    evidence = gather(findings, possible)
    found = diagnosis.diagnose(evidence.observed, evidence.conforming, evidence.faults, mismatch=MISMATCH)
    left = 1.0 - found.probability(diagnosis.CONFORMING)
    if left <= 0.0:
        return (Suspicion(UNKNOWN, "", 1.0),)
    named = [(name, share / left) for name, share in found.ranked if name != diagnosis.CONFORMING]
    unfit = {n for n, share in named if n != UNKNOWN and share >= LEAST_NAMED and not _fits(n, evidence)}
    return tuple(
        Suspicion(name, possible[name].clause if name in possible else "", share, name not in unfit)
        for name, share in named
    )


def _fits(fault: str, evidence: Evidence) -> bool:
    """Return True if a fault leaves few observations unexplained."""
    predictions = evidence.faults[fault]
    unexplained = diagnosis.misfits(evidence.observed, evidence.conforming, predictions, mismatch=MISMATCH)
    explained = len(predictions.keys() - unexplained)
    return len(unexplained) <= max(FEW_MISFITS, MOST_MISFITS * explained)


def most_probable(suspicions: Sequence[Suspicion]) -> tuple[Suspicion, ...]:
    """Return at most MOST_NAMED suspicions to name. Faults that do not fit count as UNKNOWN."""
    unknown = sum(item.probability for item in suspicions if not item.known)
    named = [Suspicion(UNKNOWN, "", unknown), *(item for item in suspicions if item.known)]
    worthy = [item for item in named if item.probability >= LEAST_NAMED]
    return tuple(sorted(worthy, key=lambda item: -item.probability)[:MOST_NAMED])
