"""The data files of checks: probes and moments that were found once, and come with the package."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def data_of(name: str) -> dict[str, Any]:
    """What the file of this name holds."""
    text = files("harness.checks").joinpath(f"data/{name}.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
