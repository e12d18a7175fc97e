"""What the diagnosis of a bot compared, and the faults that the run could not show: a line for each."""

from __future__ import annotations

from collections.abc import Iterator

from harness.diagnosis.compared import Compared
from harness.report.numbers import amount
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
    names = ", ".join(_described(found.untested[:LISTED]))
    more = f", and {len(found.untested) - LISTED} more" if len(found.untested) > LISTED else ""
    return f"Not tested at {playouts:,} playouts per search, where it hardly shows: {names}{more}."


def _described(faults: tuple[str, ...]) -> Iterator[str]:
    for fault in faults:
        yield f"{fault} ({FAULTS[fault].misconception})"
