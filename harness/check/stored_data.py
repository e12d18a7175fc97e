"""The data files of checks: probes and moments that were found once, and come with the package."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

DATA_FOLDER = Path(__file__).parent / "data"
"""Where the tools write; readers use `data_of`."""


def data_of(name: str) -> dict[str, Any]:
    """Return the data in the file of this name."""
    text = files("harness.check").joinpath(f"data/{name}.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
