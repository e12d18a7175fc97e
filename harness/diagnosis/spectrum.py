"""The spectrum of a bot: which checks fail and pass, and how its searches deviate.

`clause_ranking` ranks the clauses by it. The name is from spectrum-based fault localisation, which compares
the tests that fail and pass.
"""

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
    """The input of the ranking of the clauses.

    failing      checks of MUST and SHOULD that refuse the bot, each with the clause that its failure shows
    passing      checks of MUST and SHOULD that passed
    deviations   of the searches
    certain      ids of the searched probes whose playouts must all have one length, of more than one move
    fit          explanations of wrong results; None if too few are wrong
    spread       how much searches vary, relative to a right bot's (`typical_spread`)
    """

    failing: Collection[Check]
    passing: Collection[Check]
    deviations: Deviations = field(default_factory=Deviations)
    certain: frozenset[str] = frozenset()
    fit: KomiFit | None = None
    spread: float = 1.0


def spectrum_of(findings: Findings, right: Signature) -> Spectrum:
    """Return the spectrum of the bot with these findings; `right`: the signature of the right bot."""
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
    """Return the check of a result, about the clause that the result shows: it may be a more exact one."""
    return replace(result.check, clause=result.clause)
