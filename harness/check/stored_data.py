"""Reader of the data files of checks: positions to search, with their expected values, found in advance."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

DATA_FOLDER = Path(__file__).parent / "data"
"""The folder that `harness.tools` writes to. Readers use `data_of`."""


def data_of(name: str) -> dict[str, Any]:
    """Return the contents of the data file with this name (without `.json`)."""
    text = files("harness.check").joinpath(f"data/{name}.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
