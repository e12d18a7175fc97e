"""Counts what a diagnosis compared with the records of the known faults, and what it could not compare.

Reports print the result of `count_compared`, so that a user knows what the diagnosis is based on.
"""

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
"""Expected log-likelihood ratio (in nats) from which a check of the chosen moves almost surely refuses a bot
with a fault. Chosen: far more than any share of the error budget asks for."""


@dataclass(frozen=True)
class Compared:
    """Amounts of what a diagnosis compared, and of what it did not.

    searches, positions   number of searches at recorded positions, and number of these positions
    dialogues             number of judged checks without planned searches
    faults                number of known faults
    recorded              the recorded numbers of playouts next to the bot's, one or two (`recorded_around`);
                          empty if the bot's number is unknown, or if no searched position is recorded
    unrecorded            number of searched positions without a record
    not_judged            number of checks that were not judged
    untested              names of the faults that no check could show at the bot's number of playouts (see
                          `untested_faults`), but for those that a judged check of moves would refuse, and
                          those that causes name
    """

    searches: int
    positions: int
    dialogues: int
    faults: int
    recorded: tuple[int, ...]
    unrecorded: int
    not_judged: int
    untested: tuple[str, ...]


def count_compared(findings: Findings, named: Collection[str] = ()) -> Compared:
    """Return the amounts for the diagnosis of these findings.

    named   faults that the causes name: they do not count as untested
    """
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
    """Return True if a judged check of chosen moves almost surely refuses a bot with the fault (CERTAIN)."""
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
    """Return the mean log-likelihood ratio of one move of a bot with a fault, in nats, against a right bot.

    expected   probability of each move of a right bot
    moves      number of recorded searches of a bot with the fault that chose each move; half a search is
               added to each number, because a move that was not recorded is not impossible
    This is the Kullback-Leibler divergence.
    """
    vertices = {*expected, *moves}
    total = sum(moves.values()) + 0.5 * len(vertices)
    shares = {vertex: (moves.get(vertex, 0.0) + 0.5) / total for vertex in vertices}
    least = 0.5 / total  # a right bot hardly makes some moves: their probability counts as this much
    return sum(
        share * math.log(share / max(expected.get(vertex, 0.0), least)) for vertex, share in shares.items()
    )
