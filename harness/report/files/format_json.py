"""The format `json`: the verdicts on a run as one file for programs, `conform-match/1`."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness import __version__
from harness.arena.judge.playouts import differing_statistics
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.files import replaced
from harness.report.text.suspect_text import named_fault

FORMAT = "conform-match/1"
FILE = "report.json"


def write(store: Store, verdicts: MatchVerdicts, folder: Path) -> None:
    """Write `report.json`. Raises OSError."""
    with replaced(folder / FILE) as file:
        json.dump(as_data(store, verdicts), file, indent=1, allow_nan=False)
        file.write("\n")


def as_data(store: Store, verdicts: MatchVerdicts) -> dict[str, Any]:
    """The run as plain data, without its games. In verdicts, a number that is not finite is None."""
    config = store.config()
    assert config is not None, "a store with games has a config"
    reported = {
        engine.name: {
            "name": engine.reported_name,
            "version": engine.reported_version,
            "playouts": engine.playouts,
        }
        for engine in store.engines()
    }
    return {
        "format": FORMAT,
        "tool": {"version": __version__},
        "run": config.run.model_dump(mode="json"),
        "games": verdicts.games,
        "sound": verdicts.sound,
        "decided": verdicts.decided,
        "bots": [
            {
                **_row(row),
                "command": config.engines[row.bot].launch().command,
                "reported": reported[row.bot],
                "failures": {way: count for way, count in verdicts.failures[row.bot].items() if count},
            }
            for row in verdicts.standings
        ],
        "pairs": [_row(row) for row in verdicts.parity],
        "playouts": [_row(row) for row in verdicts.playouts],
        "diagnoses": _diagnoses(verdicts),
        "scores": verdicts.scores._asdict(),
        "duplicates": len(verdicts.duplicates),
        "question_changes": list(verdicts.question_changes),
        "black": {"games": verdicts.black_games, "points": verdicts.black_points},
    }


def _diagnoses(verdicts: MatchVerdicts) -> list[dict[str, Any]]:
    """For each bot that differs from the reference: the faults that would explain it, most probable first."""
    return [
        {
            "bot": bot,
            "differs": list(statistics),
            "suspects": [
                {name: value for name, value in named_fault(suspect)._asdict().items() if name != "bot"}
                for suspect in verdicts.suspects
                if suspect.bot == bot
            ],
        }
        for bot, statistics in differing_statistics(verdicts.playouts).items()
    ]


def _row(row: Any) -> dict[str, Any]:
    """A verdict as {field: value}, with six decimals."""
    return {name: _number(value) for name, value in asdict(row).items()}


def _number(value: object) -> object:
    if not isinstance(value, float):
        return value
    return round(value, 6) if math.isfinite(value) else None
