"""Writes the tables of `harness.oracle`: means and standard deviations of playouts from empty boards.

    python -m harness.tools.tabulate_playouts

These boards cannot be enumerated. The playouts are those of the bundled reference bot, whose kernels are
tested against the enumerator. Each entry has its standard errors, which every judge takes into account. The
program may be stopped at any time: it writes the file after each entry and skips those with enough playouts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import harness.oracle
import refbot
from harness.go import Colour, Position
from harness.oracle.expected import Expected, as_entry, expected
from refbot.compile.cache import sources_hash
from refbot.playouts import PlayoutStats, playouts

SEED = 20081013
ROWS = (
    # board size, komi, playouts
    (9, 0.0, 100_000_000),
    (9, 5.5, 100_000_000),
    (9, 6.0, 100_000_000),
    (9, 6.5, 100_000_000),
    (9, 7.0, 100_000_000),
    (9, 7.5, 100_000_000),
    (13, 7.5, 20_000_000),
    (19, 7.5, 10_000_000),
)
TABLES = Path(harness.oracle.__file__).with_name("data") / "tables.json"
FORMAT = "conform-tables/1"
SKEW, KURTOSIS = 1.0, 3.0
"""Upper bounds of the skew and excess kurtosis of lengths. Larger values only make judges more cautious."""


def moments_of(stats: PlayoutStats, to_move: Colour, size: int, seeded: str) -> Expected:
    """The moments of one playout for the side to move, with the standard errors of their means."""
    rate = stats.black_rate
    sd_result = math.sqrt(stats.black_wins_squared / stats.playouts - rate**2)
    root = math.sqrt(stats.playouts)
    return Expected(
        mean_length=stats.mean_moves,
        sd_length=stats.sd_moves,
        mean_result=rate if to_move == "b" else 1.0 - rate,
        sd_result=sd_result,
        shortest=1,
        longest=3 * size * size,
        skew_length=SKEW,
        kurtosis_length=KURTOSIS,
        se_length=stats.sd_moves / root,
        se_result=sd_result / root,
        source=f"{stats.playouts} playouts, kernel {stats.kernel}, {seeded}",
    )


def tabulate(size: int, komi: float, count: int, threads: int) -> Expected:
    """The moments on an empty board, Black to move."""
    stats = playouts(refbot.Position.empty(size), count, komi=komi, seed=SEED, threads=threads)
    seeded = f"seed {SEED}, sources {sources_hash()}"
    return moments_of(stats, "b", size, seeded)


def checksum(entries: Mapping[str, Any]) -> str:
    """SHA-256 of the entries, which shows whether the file was edited."""
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode("ascii")).hexdigest()


def write(entries: Mapping[str, Any], path: Path = TABLES) -> None:
    """Write the data file."""
    data = {"format": FORMAT, "seed": SEED, "checksum": checksum(entries), "entries": entries}
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _enough(entry: Mapping[str, Any] | None, count: int) -> bool:
    return entry is not None and int(entry["source"].split()[0]) >= count


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--playouts", type=int, help="playouts of each entry [10 to 100 million, by size]")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="compute stored entries again")
    arguments = parser.parse_args()
    stored: dict[str, Any] = json.loads(TABLES.read_text("utf-8"))["entries"] if TABLES.exists() else {}
    for size, komi, usual in ROWS:
        name, count = f"{size}x{size} empty, komi {komi:g}", arguments.playouts or usual
        if arguments.again or not _enough(stored.get(name), count):
            stored[name] = as_entry(tabulate(size, komi, count, arguments.threads))
            write(stored)
            print(f"{name}: {count} playouts", flush=True)  # noqa: T201 (a tool for developers)
    stored["3x3 empty, komi 0.5"] = as_entry(expected(Position(3), "b", 0.5))
    write(stored)


if __name__ == "__main__":
    main()
