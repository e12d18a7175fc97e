"""`history.csv`: one row per bot and run, over all runs of a config, removed runs included."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from harness.files import replaced
from harness.report.csv_files import FORMULA
from harness.runs import ScheduledRun, StateFileError
from harness.scheduler.change import BotChange, find_change
from harness.scheduler.run_summary import BotSummary, RunSummary, summarise_run

FILE = "history.csv"
COLUMNS = (
    "time", "run", "bot", "version", "games", "points", "score", "elo", "elo_low", "elo_high",
    "nodes_per_playout", "reference", "deviation", "low", "high", "playouts", "parity", "seconds_per_move",
    "voids", "failures", "crashes", "timeouts", "illegal", "nodes_shift", "nodes_shift_p", "changed",
)  # fmt: skip
"""A contract. `failures`: void games that the bot caused; `changed`: empty for an unchanged bot."""

Row = dict[str, str]


def add_to_history(folder: Path, run: ScheduledRun, finished: Iterable[ScheduledRun]) -> None:
    """Put the rows of a run into the history. The run is compared with the run before it in `finished`.

    Raises StateFileError for a file that is not a history, StoreError and OSError.
    """
    before = max((other for other in finished if other.order < run.order), key=_order, default=None)
    rows = [row for row in _stored(folder / FILE) if row["run"] != run.name]
    _write(folder / FILE, [*rows, *_rows(run, before)])


def rebuild_history(folder: Path, finished: Iterable[ScheduledRun]) -> int:
    """Compute the rows of the stored runs again; rows of removed runs stay. Returns the number of runs.

    The rows of the oldest stored run stay too, if there are any: the run that they compare with is removed.
    """
    kept = _stored(folder / FILE)
    in_order = sorted(finished, key=_order)
    before: ScheduledRun | None = None
    for run in in_order:
        if before is None and any(row["run"] == run.name for row in kept):
            before = run
            continue
        kept = [row for row in kept if row["run"] != run.name] + _rows(run, before)
        before = run
    _write(folder / FILE, kept)
    return len(in_order)


def _order(run: ScheduledRun) -> tuple[int, float, int]:
    return run.order


def _rows(run: ScheduledRun, before: ScheduledRun | None) -> list[Row]:
    now = summarise_run(run.folder, run.began)
    if now is None:
        return []
    previous = summarise_run(before.folder, before.began) if before else None
    return [
        _row(now, bot, find_change(name, now, previous) if previous else BotChange(()))
        for name, bot in now.bots.items()
    ]


def _row(run: RunSummary, bot: BotSummary, changed: BotChange) -> Row:
    standing, nodes = bot.standing, bot.nodes
    values = {
        "time": run.began,
        "run": run.name,
        "bot": standing.bot,
        "version": bot.version,
        "games": standing.games,
        "points": standing.points,
        "score": standing.score,
        "elo": standing.elo,
        "elo_low": standing.elo_low,
        "elo_high": standing.elo_high,
        "nodes_per_playout": nodes and nodes.nodes_per_playout,
        "reference": nodes and nodes.reference,
        "deviation": nodes and nodes.deviation,
        "low": nodes and nodes.low,
        "high": nodes and nodes.high,
        "playouts": nodes and nodes.verdict,
        "parity": "; ".join(f"{name}: {verdict}" for name, verdict in bot.opponents.items()),
        "seconds_per_move": bot.seconds_per_move,
        "voids": standing.voids,
        "failures": bot.failures,
        "crashes": standing.crashes,
        "timeouts": standing.timeouts,
        "illegal": standing.illegal,
        "nodes_shift": changed.nodes_shift,
        "nodes_shift_p": changed.nodes_shift_p,
        "changed": "; ".join(changed.sentences),
    }
    return {name: _cell(value) for name, value in values.items()}


def _cell(value: object) -> str:
    """Text that a spreadsheet would run as a formula gets a leading ', as in the other tables."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return str(value)


def _stored(path: Path) -> list[Row]:
    """The rows of the file. Raises StateFileError for a file that is not a history."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            rows = list(reader)
            whole = tuple(reader.fieldnames or ()) == COLUMNS and all(
                None not in row.values() for row in rows
            )
    except FileNotFoundError:
        return []
    except (UnicodeDecodeError, csv.Error):
        whole = False
    if not whole:
        raise StateFileError(
            path,
            "is damaged, or of another version; move it away, then write it again from the stored runs: "
            "conform schedule CONFIG --history",
        )
    return rows


def _write(path: Path, rows: list[Row]) -> None:
    with replaced(path) as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
