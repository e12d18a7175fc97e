"""Ranking of the known faults that would explain the findings, with their probabilities."""

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
"""Number of faults that a report names. Chosen: a reader can try three."""

LEAST_NAMED = 0.05
"""A fault less probable than this is not worth naming. Chosen."""

MISMATCH = 1e-3
"""Chance of a probe to show anything at all, whatever fault the bot has: no two authors err alike. Chosen."""

FEW_MISFITS, MOST_MISFITS = 2, 0.3
"""Observations, and the fraction of those that it explains, that a named fault may leave unexplained. Chosen:
the same fault of another author differs in little."""


@dataclass(frozen=True)
class Suspicion:
    """A fault that would explain the findings, and how probable that is among all explanations.

    `fault` may be UNKNOWN, "something else": none of the registry. It has no clause. A fault that does not
    fit explains the findings better than the others do, but not well: it is never named.
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
    """Return True if a fault explains what was seen, and not only better than the other faults do."""
    predictions = evidence.faults[fault]
    unexplained = diagnosis.misfits(evidence.observed, evidence.conforming, predictions, mismatch=MISMATCH)
    explained = len(predictions.keys() - unexplained)
    return len(unexplained) <= max(FEW_MISFITS, MOST_MISFITS * explained)


def most_probable(suspicions: Sequence[Suspicion]) -> tuple[Suspicion, ...]:
    """Return at most three that are worth naming; what does not fit counts as something else."""
    unknown = sum(item.probability for item in suspicions if not item.known)
    named = [Suspicion(UNKNOWN, "", unknown), *(item for item in suspicions if item.known)]
    worthy = [item for item in named if item.probability >= LEAST_NAMED]
    return tuple(sorted(worthy, key=lambda item: -item.probability)[:MOST_NAMED])
