"""Writes a line about what a diagnosis compared, and a line about the faults that the run could not show."""

from __future__ import annotations

from harness.diagnosis.compared import Compared
from harness.report.numbers import amount, listed
from refbot.deviations.faults import FAULTS

LISTED = 6
"""Faults that are listed by name; chosen: they fit in two lines."""


def compared_text(found: Compared) -> str:
    """Return the line under the causes: what was compared, and what was not."""
    parts = [
        f"{amount(found.searches, 'search')} of {amount(found.positions, 'position')}",
        f"{amount(found.dialogues, 'dialogue')}",
    ]
    shown = f"Compared: {' and '.join(parts)}, with the records of {found.faults} faults"
    if found.recorded:
        numbers = " and ".join(f"{number:,}" for number in found.recorded)
        shown += f" (moves: recorded at {numbers} playouts)"
    missing = []
    if found.unrecorded:
        missing.append(f"{amount(found.unrecorded, 'position')} without a record")
    if found.not_judged:
        missing.append(f"{amount(found.not_judged, 'check')} that ended without a judgement")
    return f"{shown}. Not compared: {', '.join(missing)}." if missing else f"{shown}."


def untested_text(found: Compared, playouts: int | None) -> str:
    """Return the line about faults that the number of playouts hides; empty if there are none."""
    if not found.untested:
        return ""
    faults = [f"{fault} ({FAULTS[fault].misconception})" for fault in found.untested]
    shown = listed(faults, LISTED, ", and")
    return f"Not tested at {playouts:,} playouts per search, where it hardly shows: {shown}."
