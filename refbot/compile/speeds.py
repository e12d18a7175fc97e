"""How fast each kernel plays uniform playouts on this machine: measured once, and kept beside the kernels.

Nothing but speed depends on what is kept here. A file that is missing, damaged, or of another processor or
another version counts as no measurement.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping

from refbot.compile.cache import keep_note, note

MEASURED = ("lanes", "scalar")
FILE = "speeds.json"

Times = Mapping[str, float]  # nanoseconds per move, by kernel


@functools.cache
def load_speeds() -> Mapping[int, Times]:
    """The times of each board size that was measured on this machine; read once a process."""
    try:
        kept = json.loads(note(FILE) or "{}")
        return {int(size): dict(times) for size, times in kept.items() if _is_sound(times)}
    except (ValueError, TypeError, AttributeError):
        return {}


def _is_sound(times: object) -> bool:
    return (
        isinstance(times, dict)
        and set(times) == set(MEASURED)
        and all(isinstance(value, float) and 0 < value < math.inf for value in times.values())
    )


def store(size: int, times: Times) -> None:
    """Keeps the times of a board size, beside those that other processes have kept in the meantime."""
    load_speeds.cache_clear()
    keep_note(FILE, json.dumps({**load_speeds(), size: times}, indent=1))
    load_speeds.cache_clear()
