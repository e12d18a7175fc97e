"""axe-core in a page that a browser shows: what keeps people from using the page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[4]
AXE = Path(os.environ.get("CONFORM_AXE") or ROOT / ".venv/axe/node_modules/axe-core/axe.min.js")
SCHEMES = ["light", "dark"]

needs_axe = pytest.mark.skipif(
    not AXE.is_file(), reason="no axe-core: npm install --prefix .venv/axe axe-core"
)
"""Skips a test where axe-core is not installed."""


def serious_faults(page: Any) -> list[tuple[str, str]]:
    """Each serious fault with the first element that has it. The page's context must bypass its policy."""
    page.evaluate(AXE.read_text("utf-8"))
    violations = page.evaluate("axe.run()")["violations"]
    return [
        (fault["id"], fault["nodes"][0]["html"])
        for fault in violations
        if fault["impact"] in ("serious", "critical")
    ]
