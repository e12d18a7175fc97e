"""The published experiments on playouts. Each is a function that runs playouts and yields rows.

Its arguments are the published table, the number of playouts per line (None: as published) and a seed.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from statistics import median
from time import thread_time
from typing import Any

import pandas as pd

from harness.seeds.comparison import Row
from refbot.deviations.options import NO_OPTIONS, Options
from refbot.measure.warm import kernels_of, load_kernels
from refbot.playouts import PlayoutStats, playouts
from refbot.rules import Position

Experiment = Callable[[pd.DataFrame, int | None, int], Iterator[Row]]

VAN_DE_VEERDONK_PLAYOUTS = 100_000
OTHER_PLAYOUTS = 100_000  # where the author gives no number
SD_MOVES = 16.02  # standard deviation of the moves of one uniform playout on 9x9
UNIT = 1.0  # largest rounding error of values that are published as whole numbers
KOMI = 7.5
TIMINGS = 7  # a speed is the median of this number of measurements; chosen
MATCH_TABLES = ("yamashita-2010-cutoff", "yamashita-2010-komi")


class UnknownTableError(ValueError):
    """There is no published table of this name."""

    def __init__(self, table: str) -> None:
        self.table = table
        known = [*EXPERIMENTS, *MATCH_TABLES]
        near = difflib.get_close_matches(table, known, n=1, cutoff=0.0)
        super().__init__(f"unknown table {table!r}: did you mean {near[0]!r}? There are {', '.join(known)}")


def published(table: str) -> pd.DataFrame:
    """The published values of a table (see its columns in `data`); empty cells are nan."""
    with files("harness.seeds").joinpath(f"data/{table}.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)


def _lines(table: pd.DataFrame) -> list[Any]:
    """The lines of a table as named tuples: each column is an attribute."""
    return list(table.itertuples())


def chosen(tables: Sequence[str]) -> list[str]:
    """The tables to run (default: all that need no match). Raises UnknownTableError."""
    for table in tables:
        if table not in (*EXPERIMENTS, *MATCH_TABLES):
            raise UnknownTableError(table)
    return list(tables) or list(EXPERIMENTS)


def run(table: str, count: int | None = None, seed: int = 1) -> list[Row]:
    """The rows of one experiment, with `count` playouts per line (default: as published)."""
    return list(EXPERIMENTS[table](published(table), count, seed))


def _moves_error(stats: PlayoutStats) -> float:
    return stats.sd_moves / math.sqrt(stats.playouts)


def _wins_error(playouts: int) -> float:
    return 0.5 / math.sqrt(playouts)


def dailey(table: pd.DataFrame, count: int | None, seed: int) -> Iterator[Row]:
    """Moves and Black's results at each komi."""
    for line in _lines(table):
        theirs = int(line.playouts)
        n = count or theirs
        size = int(line.size)
        load_kernels(kernels_of(size, n, amaf=False))
        stats = playouts(Position.empty(size), n, float(line.komi), seed=seed + line.Index)
        case = f"komi {line.komi:g}"
        if not math.isnan(line.moves):
            yield Row(
                "dailey-2008", case, "moves per playout", line.moves / theirs, stats.mean_moves,
                _moves_error(stats), SD_MOVES / math.sqrt(theirs),
            )  # fmt: skip
        yield Row(
            "dailey-2008", case, "Black wins", line.score, stats.black_rate, _wins_error(n),
            _wins_error(theirs),
        )  # fmt: skip


def van_de_veerdonk(table: pd.DataFrame, count: int | None, seed: int) -> Iterator[Row]:
    """Moves, results and the shares of each kind of move, for each policy."""
    n = count or VAN_DE_VEERDONK_PLAYOUTS
    name = "vandeveerdonk"
    for policy, lines in table.groupby("policy", sort=False):
        load_kernels(kernels_of(9, n, amaf=False, policy=str(policy)))
        stats = playouts(Position.empty(9), n, KOMI, policy=str(policy), seed=seed)
        first = _lines(lines)[0]
        theirs = 1 / math.sqrt(VAN_DE_VEERDONK_PLAYOUTS)
        yield Row(
            name, str(policy), "moves per playout", first.moves, stats.mean_moves, _moves_error(stats),
            SD_MOVES * theirs,
        )  # fmt: skip
        yield Row(
            name, str(policy), "Black wins", first.black_wins, stats.black_rate, _wins_error(n), 0.5 * theirs
        )
        yield Row(
            name, str(policy), "1,000 playouts per second", first.kpps, n / stats.seconds / 1000, 0.0,
            comparable=False,
        )  # fmt: skip
        for line in _lines(lines):
            if line.kind in stats.kinds:
                yield from _shares(str(policy), line, stats)


def _shares(policy: str, line: Any, stats: PlayoutStats) -> Iterator[Row]:
    """One kind of move of a policy: how often playouts considered it, found it and accepted it."""
    kind = str(line.kind)
    counts = stats.kinds[kind]
    found = counts["found"] if kind == "capture" else counts["considered"]
    figures = [
        ("considered", counts["considered"] / stats.playouts, None),
        ("found", counts["found"] / stats.playouts, None),
        ("found_pct", 100 * counts["found"] / counts["considered"], counts["considered"]),
        ("accepted_pct", 100 * counts["accepted"] / found, found),
    ]
    for column, measured, tries in figures:  # tries: number that a percentage is of
        value = float(getattr(line, column))
        if math.isnan(value):
            continue
        share = measured / 100
        # The error of a count per playout is taken as its square root (Poisson); most counts vary less.
        error = (
            100 * math.sqrt(share * (1 - share) / tries) if tries else math.sqrt(measured / stats.playouts)
        )
        quantity = f"{kind}: {column.replace('_pct', ', %')}"
        yield Row("vandeveerdonk", policy, quantity, value, measured, error, rounding=UNIT)


def hillis(table: pd.DataFrame, count: int | None, seed: int) -> Iterator[Row]:
    """Moves without passes, and the speed, with and without the mercy rule."""
    n = count or OTHER_PLAYOUTS
    for line in _lines(table):
        mercy = None if math.isnan(line.mercy_threshold) else int(line.mercy_threshold)
        options = Options(mercy=mercy)
        faults = ["nodes-no-passes"]
        load_kernels(kernels_of(2, 1, amaf=False, options=options, faults=faults))
        placed = playouts(
            Position.empty(9), n, KOMI, options=options, kernel="scalar", seed=seed, faults=faults
        )
        case = "no mercy" if mercy is None else f"mercy {mercy}"
        yield Row(
            "hillis-antigo", case, "moves without passes", line.moves_without_passes, placed.mean_moves,
            _moves_error(placed), rounding=UNIT,
        )  # fmt: skip
        seconds = _seconds(options, n, seed)
        yield Row(
            "hillis-antigo", case, "playouts per second", line.playouts_per_second, n / seconds, 0.0,
            comparable=False,
        )  # fmt: skip


def hendley(table: pd.DataFrame, count: int | None, seed: int) -> Iterator[Row]:
    """The speedup when a clear lead in stones decides a playout, and how often wrongly (not published)."""
    n = count or OTHER_PLAYOUTS
    for line in _lines(table):
        case = f"threshold {line.threshold}"
        early = Options(early_score=float(line.threshold))
        plain, short = _seconds(NO_OPTIONS, n, seed), _seconds(early, n, seed)
        yield Row(
            "hendley-2007", case, "faster by, %", line.speedup_pct, 100 * (plain / short - 1), 0.0,
            comparable=False,
        )  # fmt: skip
        checked = Options(early_score=float(line.threshold), check_early_score=True)
        load_kernels(kernels_of(9, n, amaf=False, options=checked))
        counts = playouts(Position.empty(9), n, KOMI, options=checked, seed=seed).kinds["early-score"]
        wrong = counts["wrong"] / n
        yield Row(
            "hendley-2007", case, "wrong results, %", math.nan, 100 * wrong,
            100 * math.sqrt(wrong * (1 - wrong) / n), comparable=False,
        )  # fmt: skip


def _seconds(options: Options, n: int, seed: int) -> float:
    """Processor seconds of `n` playouts from the empty 9x9 board, by the median of TIMINGS parts."""
    part = max(1, n // TIMINGS)
    load_kernels(kernels_of(9, part, amaf=False, options=options))
    taken = []
    for _ in range(TIMINGS):
        began = thread_time()
        playouts(Position.empty(9), part, KOMI, options=options, seed=seed)
        taken.append(thread_time() - began)
    return median(taken) * n / part


EXPERIMENTS: dict[str, Experiment] = {
    "dailey-2008": dailey,
    "vandeveerdonk": van_de_veerdonk,
    "hillis-antigo": hillis,
    "hendley-2007": hendley,
}
