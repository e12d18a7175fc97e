"""Writes the tables of `harness.oracle`: means and standard deviations of playouts from empty boards.

    python -m harness.tools.tabulate_playouts [--device gpu] [--size 9]

Boards from 9x9 on cannot be enumerated; 3x3 can, and its entry is exact. The playouts are those of the
bundled reference bot, whose kernels are tested against the enumerator. Each entry has its standard errors,
which every judge takes into account. The program may be stopped at any time: it writes the file after each
size and skips those with enough playouts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import harness.oracle
import refbot
from harness.go import Colour, Position
from harness.oracle.expected import Expected, as_entry, expected
from refbot.compile.cache import sources_hash
from refbot.playouts import PlayoutStats, playouts
from refbot.playouts.stats import merged

SEED = 20081013


class Run(NamedTuple):
    """Playouts at one komi, and the komis that they are an entry for: up to half a point from it."""

    komi: float
    komis: tuple[float, ...]
    share: float  # of the playouts of the size; all of them count the lengths


RUNS = {
    9: (Run(0.0, (0.0,), 0.2), Run(6.0, (5.5, 6.0), 0.2), Run(7.0, (6.5, 7.0, 7.5), 0.6)),
    13: (Run(7.5, (7.5,), 1.0),),
    19: (Run(7.5, (7.5,), 1.0),),
}
"""By size: the runs whose playouts its entries come from."""
PLAYOUTS = {
    13: {"cpu": 20_000_000, "gpu": 5_000_000_000},
    19: {"cpu": 10_000_000, "gpu": 1_000_000_000},
    9: {"cpu": 100_000_000, "gpu": 100_000_000_000},
}
"""Number of playouts by size and device, in the order in which they are tabulated. Chosen: an hour on one
core, one to six minutes on a GPU of 2022."""
TABLES = Path(harness.oracle.__file__).with_name("data") / "tables.json"
FORMAT = "conform-tables/1"
SKEW, EXCESS_KURTOSIS = 1.0, 3.0
"""Upper bounds of the skew and excess kurtosis of lengths. Larger values only make judges more cautious."""


def expected_from(stats: PlayoutStats, to_move: Colour, size: int, seeded: str) -> Expected:
    """Return the moments of a playout for the side to move, with the standard errors of their means.

    seeded   the words about the seed, for the field `source`
    """
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
        excess_kurtosis_length=EXCESS_KURTOSIS,
        se_length=stats.sd_moves / root,
        se_result=sd_result / root,
        source=f"{stats.playouts} playouts, kernel {stats.kernel}, {seeded}",
    )


def at_half_a_point(stats: PlayoutStats, less: float) -> PlayoutStats:
    """Return the statistics with Black's wins if the komi were lower by `less`: 0, 0.5 or -0.5 points.

    A komi that is half a point lower makes the draws wins of Black, and one that is half a point higher makes
    them losses. An example: 40 wins of Black, 10 draws and 50 losses at komi 7 count as 45 wins; at komi 6.5
    they are 50 wins, and at komi 7.5 they are 40. The komi of the playouts is a whole number, unless `less`
    is 0.
    """
    if not less:
        return stats
    wins = stats.black_wins + less * stats.draws
    return replace(stats, black_wins=wins, black_wins_squared=wins)


def tabulate(size: int, count: int, device: str, threads: int) -> dict[str, Expected]:
    """Return the entries of an empty board, Black to move, by name, from `count` playouts."""
    runs = RUNS[size]
    stats = [
        playouts(
            refbot.Position.empty(size), round(run.share * count), komi=run.komi, seed=SEED + number,
            threads=threads, device=device,
        )
        for number, run in enumerate(runs)
    ]  # fmt: skip
    all_together = merged(stats, seconds=0.0)  # of different komis: only the lengths are used
    lengths = expected_from(all_together, "b", size, "")
    entries = {}
    for run, results in zip(runs, stats, strict=True):
        for komi in run.komis:
            entry = expected_from(at_half_a_point(results, run.komi - komi), "b", size, "")
            entries[name_of(size, komi)] = replace(
                entry,
                mean_length=lengths.mean_length,
                sd_length=lengths.sd_length,
                se_length=lengths.se_length,
                source=f"{all_together.playouts} playouts, {results.playouts} of them at komi {run.komi:g}, "
                f"kernel {results.kernel}, seed {SEED}, sources {sources_hash()}",
            )
    return entries


def name_of(size: int, komi: float) -> str:
    """The name of an entry."""
    return f"{size}x{size} empty, komi {komi:g}"


def checksum(entries: Mapping[str, Any]) -> str:
    """SHA-256 of the entries, which shows whether the file was edited."""
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode("ascii")).hexdigest()


def write(entries: Mapping[str, Any], path: Path = TABLES) -> None:
    """Write the data file."""
    data = {"format": FORMAT, "seed": SEED, "checksum": checksum(entries), "entries": entries}
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _has_enough(stored: Mapping[str, Any], size: int, count: int) -> bool:
    names = [name_of(size, komi) for run in RUNS[size] for komi in run.komis]
    return all(name in stored and int(stored[name]["source"].split()[0]) >= count for name in names)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--size", type=int, nargs="+", choices=PLAYOUTS, default=list(PLAYOUTS))
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--playouts", type=int, help="playouts of each size [by size and device]")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="compute stored entries again")
    arguments = parser.parse_args()
    stored: dict[str, Any] = json.loads(TABLES.read_text("utf-8"))["entries"] if TABLES.exists() else {}
    for size in arguments.size:
        count = arguments.playouts or PLAYOUTS[size][arguments.device]
        if arguments.again or not _has_enough(stored, size, count):
            entries = tabulate(size, count, arguments.device, arguments.threads)
            stored |= {name: as_entry(moments) for name, moments in entries.items()}
            write(stored)
            print(f"{size}x{size}: {count} playouts", flush=True)  # noqa: T201 (a tool for developers)
    stored["3x3 empty, komi 0.5"] = as_entry(expected(Position(3), "b", 0.5))
    write(stored)


if __name__ == "__main__":
    main()
