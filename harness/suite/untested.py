"""Faults that a check of a bot could not show, because of the bot's number of playouts per search.

With few playouts a wrong rule of choice changes few moves; with many, no candidate is without visits. The
report of a bot names these faults, so that a pass promises no more than was tested.
"""

from __future__ import annotations

from harness.check.effort import Effort
from harness.check.model import JUDGED, Outcome, Result
from harness.check.phases.findings import Findings
from harness.check.procedures.search import SearchProcedure
from refbot.deviations.faults import FAULTS


def untested_faults(findings: Findings) -> tuple[str, ...]:
    """Return the names of faults that no check of the run shows at the bot's number of playouts.

    They are faults in `kills` of checks that were judged or skipped, in the order of FAULTS. Empty if the
    number of playouts is not known, or if the bot made no searches.
    """
    playouts = findings.count.playouts
    if playouts is None or not findings.series:
        return ()
    effort = findings.series[0].effort
    shown: set[str] = set()
    hidden: set[str] = set()
    for result in findings.results:
        showable = {fault for fault in result.check.kills if _can_show(result, fault, playouts, effort)}
        if result.outcome in JUDGED:
            shown |= showable
        if result.outcome in JUDGED | {Outcome.SKIP}:  # too few or too many playouts also skip a check
            hidden |= set(result.check.kills) - showable
    return tuple(fault for fault in FAULTS if fault in hidden - shown)


def _can_show(result: Result, fault: str, playouts: int, effort: Effort) -> bool:
    """True if the check of a result, were it judged, shows the fault at this number of playouts."""
    procedure = result.check.procedure
    if not isinstance(procedure, SearchProcedure) or procedure.shows is None:
        return True
    return procedure.shows(fault, playouts, effort)
