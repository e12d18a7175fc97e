"""Counts what a diagnosis compared with the records of the known faults, and what it could not compare."""

from __future__ import annotations

from dataclasses import dataclass

from harness.check.model import JUDGED
from harness.check.phases.findings import Findings
from harness.diagnosis.choice_law import recorded_around
from harness.diagnosis.signatures import signatures
from harness.suite.untested import untested_faults
from refbot.deviations.faults import FAULTS


@dataclass(frozen=True)
class Compared:
    """Amounts of what a diagnosis compared, and of what it did not.

    searches, positions   those with records
    dialogues             checks without planned searches whose outcome counts
    faults                known faults
    recorded              numbers of playouts at which moves are recorded next to the bot's: one if it is near
    unrecorded            searched positions without records
    not_judged            checks that were not judged
    untested              faults that no check shows at the bot's number of playouts
    """

    searches: int
    positions: int
    dialogues: int
    faults: int
    recorded: tuple[int, ...]
    unrecorded: int
    not_judged: int
    untested: tuple[str, ...]


def compared(findings: Findings) -> Compared:
    """Return what the diagnosis of these findings compares."""
    right = signatures()[""]
    known = [series for series in findings.series if series.probe.id in right.probes]
    judged = [result for result in findings.results if result.outcome in JUDGED]
    playouts = findings.count.playouts
    return Compared(
        searches=sum(len(series.searches) for series in known),
        positions=len(known),
        dialogues=sum(result.check.procedure.search_plan is None for result in judged),
        faults=len(FAULTS),
        recorded=recorded_around(right, playouts) if playouts and known else (),
        unrecorded=len(findings.series) - len(known),
        not_judged=len(findings.results) - len(judged),
        untested=untested_faults(findings),
    )
