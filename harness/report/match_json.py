"""A match run as one JSON file, format `conform-match/1`: what the verdicts' tables say, for programs."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness import __version__
from harness.match import Judgement, Store
from harness.report.match_files import replaced

FORMAT = "conform-match/1"
FILE = "report.json"


def write_json(store: Store, judgement: Judgement, folder: Path) -> None:
    """`report.json`. Raises OSError."""
    with replaced(folder / FILE) as file:
        json.dump(as_data(store, judgement), file, indent=1, allow_nan=False)
        file.write("\n")


def as_data(store: Store, judgement: Judgement) -> dict[str, Any]:
    """The run as plain data. The games are in `games.csv`; numbers that are not finite are null."""
    config = store.config()
    assert config is not None, "a store with games has a config"
    told = store.rows("SELECT name, reported_name, reported_version, playouts FROM engine")
    reported = {name: {"name": own, "version": version, "playouts": n} for name, own, version, n in told}
    return {
        "format": FORMAT,
        "tool": {"version": __version__},
        "run": config.run.model_dump(mode="json"),
        "games": judgement.games,
        "sound": judgement.sound,
        "decided": judgement.decided,
        "bots": [
            {
                **_row(row),
                "command": config.engines[row.bot].launch().command,
                "reported": reported[row.bot],
                "failures": {way: count for way, count in judgement.failures[row.bot].items() if count},
            }
            for row in judgement.standings
        ],
        "pairs": [_row(row) for row in judgement.parity],
        "playouts": [_row(row) for row in judgement.playouts],
        "duplicates": len(judgement.duplicates),
        "black": {"games": judgement.black_games, "points": judgement.black_points},
    }


def _row(row: Any) -> dict[str, Any]:
    """A row of a table, by its columns."""
    return {name: _number(value) for name, value in asdict(row).items()}


def _number(value: object) -> object:
    if not isinstance(value, float):
        return value
    return round(value, 6) if math.isfinite(value) else None
