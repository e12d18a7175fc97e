"""Consequences: failures that an earlier cause makes likely, and that are no cause of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Result
from harness.check.procedures.chosen_move import Violation
from harness.diagnosis.cause import Cause, CauseKind
from harness.diagnosis.effects import share_failing
from harness.diagnosis.signatures import Signature

LEAST_PROBABLE = 0.5
"""A fault heads a cause only if its probability is larger."""

OFTEN = 0.5
"""A check is expected to fail with a clause if this fraction of the known faults of the clause fails it."""

EARLY_PASS = "no-early-pass"
"""The clause of a bot that passes although it has a candidate."""

SPOILS_NUMBERS = frozenset({Part.NODES, Part.SCORE, Part.SCORING, Part.PLAYOUT, Part.RULE})
"""Parts whose faults make the numbers of most searches wrong."""


def is_joined(
    causes: list[Cause], cause: Cause, explained: Sequence[Result], known: Mapping[str, Signature]
) -> bool:
    """Return whether a cause is a consequence of an earlier one, which then explains its failures too."""
    for place, earlier in enumerate(causes):
        if _is_consequence(cause, explained, earlier, known):
            causes[place] = replace(earlier, explains=(*earlier.explains, *cause.explains))
            return True
    return False


def _is_consequence(
    cause: Cause, explained: Sequence[Result], earlier: Cause, known: Mapping[str, Signature]
) -> bool:
    """Return whether an earlier cause makes the failures of a cause likely.

    A dialogue that reads ref-nodes or ref-score sees wrong playouts, whatever it is about. Its failure has a
    cause of its own only if one known fault explains it, and not half of the faults of the earlier clause do.
    If several faults would explain it, one fault of the earlier clause is enough. A bot that passes early
    also passes where nothing but false eyes is left: it need not take them for eyes. A missing ability of the
    earlier clause is a part of it.
    """
    is_wire = CLAUSES[cause.clause].part is Part.WIRE
    if cause.kind is CauseKind.ABILITY and cause.clause == earlier.clause and not is_wire:
        return True
    if earlier.clause == EARLY_PASS and all(r.check.id == Violation.FALSE_EYE for r in explained):
        return True
    if any(r.check.procedure.search_plan is not None or not r.check.needs.commands for r in explained):
        return False
    share = min(share_failing(earlier.clause, r.check, known) for r in explained)
    if cause.kind is CauseKind.FAULT and not cause.alike and cause.probability > LEAST_PROBABLE:
        return share >= OFTEN
    spoils = CLAUSES[earlier.clause].part in SPOILS_NUMBERS and cause.clause != earlier.clause
    return spoils or share > 0.0
