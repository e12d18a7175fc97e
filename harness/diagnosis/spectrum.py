"""The spectrum of a bot: which checks fail and pass, and how its searches deviate."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from harness.check.model import Check, Level, Outcome, Result
from harness.check.phases.findings import Findings
from harness.diagnosis.deviations import Deviations, find_deviations
from harness.diagnosis.komi_fit import KomiFit, komi_fit
from harness.diagnosis.signatures import Signature
from harness.diagnosis.spread import typical_spread


@dataclass(frozen=True)
class Spectrum:
    """The input of the ranking: checks of MUST and SHOULD, and the deviations of searches."""

    failing: Collection[Check]
    passing: Collection[Check]
    deviations: Deviations = field(default_factory=Deviations)
    certain: frozenset[str] = frozenset()  # ids of the probes whose playouts all have the same length
    fit: KomiFit | None = None
    spread: float = 1.0  # of the searches of one probe, relative to a right bot's: see `typical_spread`


def spectrum_of(findings: Findings, right: Signature) -> Spectrum:
    """Return the part of the findings that the ranking of the clauses uses; `right`: a right bot's record."""
    weighty = [r for r in findings.results if r.check.level is not Level.INFO]
    certain = {
        series.probe.id
        for series in findings.series
        if series.probe.expected.certain_length and series.probe.expected.mean_length > 1.0
    }
    return Spectrum(
        [about(r) for r in weighty if r.refuses],
        [r.check for r in weighty if r.outcome is Outcome.PASS],
        find_deviations(findings.series, right),
        frozenset(certain),
        komi_fit(findings.series),
        typical_spread(findings.series),
    )


def about(result: Result) -> Check:
    """Return the check, with its clause replaced by the clause of the result."""
    return replace(result.check, clause=result.clause)
