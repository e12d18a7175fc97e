"""Counts what a diagnosis compared with the records of the known faults, and what it could not compare."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from harness.check.model import JUDGED
from harness.check.phases.findings import Findings
from harness.check.procedures.search import SearchProcedure
from harness.diagnosis.choice_law import recorded_around, signatures_at
from harness.diagnosis.signatures import signatures
from harness.suite.untested import untested_faults
from refbot.deviations.faults import FAULTS

CERTAIN = 20.0
"""Expected log-likelihood ratio (in nats) from which the moves of a fault would almost surely have refused
the bot. Chosen: far more than any share of the error budget asks for."""


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


def compared(findings: Findings, named: Collection[str] = ()) -> Compared:
    """Return what the diagnosis of these findings compares. `named`: faults that its causes name."""
    right = signatures()[""]
    known = [series for series in findings.series if series.probe.id in right.probes]
    judged = [result for result in findings.results if result.outcome in JUDGED]
    playouts = findings.count.playouts
    untested = [fault for fault in untested_faults(findings) if fault not in named]
    return Compared(
        searches=sum(len(series.searches) for series in known),
        positions=len(known),
        dialogues=sum(result.check.procedure.search_plan is None for result in judged),
        faults=len(FAULTS),
        recorded=recorded_around(right, playouts) if playouts and known else (),
        unrecorded=len(findings.series) - len(known),
        not_judged=len(findings.results) - len(judged),
        untested=tuple(fault for fault in untested if not _would_refuse(findings, fault)),
    )


def _would_refuse(findings: Findings, fault: str) -> bool:
    """Return whether a check of chosen moves would almost surely have refused a bot with a known fault."""
    playouts = findings.count.playouts
    if not playouts:
        return False
    made = {series.probe.id: len(series.searches) for series in findings.series}
    signature = signatures_at(playouts).get(fault)
    known = signature.probes if signature is not None else {}
    for result in findings.results:
        procedure = result.check.procedure
        if result.outcome in JUDGED and isinstance(procedure, SearchProcedure):
            probe, expected = procedure.probe.id, procedure.expected_choices(playouts)
            moves = known[probe].moves if expected and probe in known else {}
            if moves and made.get(probe, 0) * _divergence(expected, moves) > CERTAIN:
                return True
    return False


def _divergence(expected: Mapping[str, float], moves: Mapping[str, float]) -> float:
    """Return the mean log-likelihood ratio of one move, in nats (the Kullback-Leibler divergence).

    expected   probability of each move of a right bot
    moves      number of recorded searches of a bot with a fault that chose each move; half a search is added
               to each number, because a move that was not recorded is not impossible
    """
    vertices = {*expected, *moves}
    total = sum(moves.values()) + 0.5 * len(vertices)
    shares = {vertex: (moves.get(vertex, 0.0) + 0.5) / total for vertex in vertices}
    least = 0.5 / total  # a right bot hardly makes some moves: their probability counts as this much
    return sum(
        share * math.log(share / max(expected.get(vertex, 0.0), least)) for vertex, share in shares.items()
    )
