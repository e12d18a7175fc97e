"""Makes `data/tables.json`: moments of playouts where nothing can be enumerated, from very many of them.

    python -m harness.oracle.tabulate --playouts 100000000

The playouts are the bundled reference bot's, whose kernels are held against the enumerator where that can
reach. Each entry carries its standard error, so that no verdict takes a table for more than it is.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import refbot
from harness.go import Colour, Position
from harness.oracle.expected import Expected, as_entry, expected
from refbot.playouts import PlayoutStats, playouts

SEED = 20081013
KOMI = (0.0, 5.5, 6.0, 6.5, 7.0, 7.5)
TABLES = Path(__file__).with_name("data") / "tables.json"
SKEW, KURTOSIS = 1.0, 3.0
"""Bounds on the shape of a length: generous, since they only make the judges more careful."""


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


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--playouts", type=int, default=100_000_000)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    entries = {}
    for komi in KOMI:
        stats = playouts(
            refbot.Position.empty(9), arguments.playouts, komi=komi, seed=SEED, threads=arguments.threads
        )
        entries[f"9x9 empty, komi {komi:g}"] = as_entry(moments_of(stats, "b", 9, f"seed {SEED}"))
    entries["3x3 empty, komi 0.5"] = as_entry(expected(Position(3), "b", 0.5))
    TABLES.parent.mkdir(exist_ok=True)
    TABLES.write_text(json.dumps({"format": "conform-tables/1", "entries": entries}, indent=1) + "\n")


if __name__ == "__main__":
    main()
