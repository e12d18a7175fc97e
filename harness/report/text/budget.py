"""Values of `--budget` and numbers of playouts that a report advises."""

from __future__ import annotations

import math

SPARE_FACTOR = 1.5
"""Factor on an estimated time, since the machine may be busier next time."""

ADVISED_BUDGETS = (60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600)
"""Values of --budget in seconds that are advised; above them, whole hours."""


def budget_text(seconds: float) -> str:
    """Return the value of --budget for a run that takes about this time: "3m" for 100 seconds."""
    needed = SPARE_FACTOR * seconds
    total = next((step for step in ADVISED_BUDGETS if needed <= step), 3600 * math.ceil(needed / 3600))
    return f"{total}s" if total < 60 else f"{total // 60}m" if total < 3600 else f"{total // 3600}h"


def rounded_down(playouts: float) -> int:
    """Return a number of playouts with one significant digit, at least 1: 300 for 387.5."""
    if playouts < 1.0:
        return 1
    unit = int(10 ** int(math.log10(playouts)))
    return int(playouts // unit) * unit
