"""The published experiments on playouts, run again with refbot. `run` runs one by the name of its table.

Each experiment is a function. Its arguments are the published table (a file of `data`), the number of
playouts per line (None: as published, or OTHER_PLAYOUTS if it was not) and a seed. It yields a `Row` for each
published figure.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
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

VAN_DE_VEERDONK_PLAYOUTS = 100_000  # as published
OTHER_PLAYOUTS = 100_000  # where the author gives no number; chosen: seconds of work
SD_MOVES = 16.02  # standard deviation of the moves of one uniform playout on 9x9
UNIT = 1.0  # largest rounding error of values that are published as whole numbers
KOMI = 7.5
TIMINGS = 7  # a speed is the median of this number of measurements; chosen
MATCH_TABLES = ("yamashita-2010-cutoff", "yamashita-2010-komi")
"""The published tables that are matches (`harness.seeds.matches`)."""


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
    """The tables to run: `tables`; if empty, all that need no match. Raises UnknownTableError."""
    for table in tables:
        if table not in (*EXPERIMENTS, *MATCH_TABLES):
            raise UnknownTableError(table)
    return list(tables) or list(EXPERIMENTS)


def run(table: str, count: int | None = None, seed: int = 1) -> list[Row]:
    """The rows of the experiment of a table in EXPERIMENTS. `count`: as for each experiment."""
    return list(EXPERIMENTS[table](published(table), count, seed))


def _moves_error(stats: PlayoutStats) -> float:
    """Standard error of the mean number of moves."""
    return stats.sd_moves / math.sqrt(stats.playouts)


def _wins_error(playouts: int) -> float:
    """Standard error of a share of wins near ½."""
    return 0.5 / math.sqrt(playouts)


def dailey(table: pd.DataFrame, count: int | None, seed: int) -> Iterator[Row]:
    """Don Dailey, 2008: uniform playouts; all moves, and Black's results at each komi.

    A line is "9,1000000,5.5,111030705,0.445677": board size, playouts, komi, moves of all playouts (empty if
    not published), Black's share of the wins.
    """
    for line in _lines(table):
        published_count = int(line.playouts)
        n = count or published_count
        size = int(line.size)
        load_kernels(kernels_of(size, n, amaf=False))
        stats = playouts(Position.empty(size), n, float(line.komi), seed=seed + line.Index)
        row = partial(Row, "dailey-2008", f"komi {line.komi:g}")
        if not math.isnan(line.moves):
            yield row(
                "moves per playout",
                published=line.moves / published_count,
                measured=stats.mean_moves,
                error=_moves_error(stats),
                published_error=SD_MOVES / math.sqrt(published_count),
            )
        yield row(
            "Black wins",
            published=line.score,
            measured=stats.black_rate,
            error=_wins_error(n),
            published_error=_wins_error(published_count),
        )


def van_de_veerdonk(table: pd.DataFrame, count: int | None, seed: int) -> Iterator[Row]:
    """Van de Veerdonk: for each policy of playouts, moves, results, speed and how often kinds of moves occur.

    A policy, such as "escape", prefers some kinds of moves, such as captures. The table has a line for each
    kind of a policy; the columns about the whole policy are the same in its lines.
    """
    n = count or VAN_DE_VEERDONK_PLAYOUTS
    for policy, lines in table.groupby("policy", sort=False):
        load_kernels(kernels_of(9, n, amaf=False, policy=str(policy)))
        stats = playouts(Position.empty(9), n, KOMI, policy=str(policy), seed=seed)
        first = _lines(lines)[0]
        row = partial(Row, "vandeveerdonk", str(policy))
        yield row(
            "moves per playout",
            published=first.moves,
            measured=stats.mean_moves,
            error=_moves_error(stats),
            published_error=SD_MOVES / math.sqrt(VAN_DE_VEERDONK_PLAYOUTS),
        )
        yield row(
            "Black wins",
            published=first.black_wins,
            measured=stats.black_rate,
            error=_wins_error(n),
            published_error=_wins_error(VAN_DE_VEERDONK_PLAYOUTS),
        )
        yield row(
            "1,000 playouts per second",
            published=first.kpps,
            measured=n / stats.seconds / 1000,
            error=0.0,
            comparable=False,
        )
        for line in _lines(lines):
            if line.kind in stats.kinds:
                yield from _shares(str(policy), line, stats)


def _shares(policy: str, line: Any, stats: PlayoutStats) -> Iterator[Row]:
    """One kind of move of a policy: how often playouts considered it, found it and accepted it.

    "considered" and "found" are numbers per playout; "found_pct" is the percentage of considered ones that
    were found. "accepted_pct" is the percentage of accepted ones, among the found ones for captures, and
    among the considered ones for other kinds.
    """
    kind = str(line.kind)
    counts = stats.kinds[kind]
    choosable = counts["found"] if kind == "capture" else counts["considered"]
    figures = [  # (column, measured value, number of cases that a percentage is of)
        ("considered", counts["considered"] / stats.playouts, None),
        ("found", counts["found"] / stats.playouts, None),
        ("found_pct", 100 * counts["found"] / counts["considered"], counts["considered"]),
        ("accepted_pct", 100 * counts["accepted"] / choosable, choosable),
    ]
    for column, measured, cases in figures:
        value = float(getattr(line, column))
        if math.isnan(value):
            continue
        if cases is None:
            # The error of a count per playout is taken as its square root (Poisson); most counts vary less.
            error = math.sqrt(measured / stats.playouts)
        else:
            share = measured / 100
            error = 100 * math.sqrt(share * (1 - share) / cases)
        quantity = f"{kind}: {column.replace('_pct', ', %')}"
        yield Row("vandeveerdonk", policy, quantity, value, measured, error, rounding=UNIT)


def hillis(table: pd.DataFrame, count: int | None, seed: int) -> Iterator[Row]:
    """Hillis, AntiGo: moves without passes, and the speed, with and without the mercy rule.

    The mercy rule ends a playout when one side leads by more stones than a threshold. A line is
    "9,25,29000,99": board size, threshold (empty: no mercy rule), playouts per second, moves without passes.
    """
    n = count or OTHER_PLAYOUTS
    for line in _lines(table):
        mercy = None if math.isnan(line.mercy_threshold) else int(line.mercy_threshold)
        options = Options(mercy=mercy)
        faults = ["nodes-no-passes"]  # counts moves as the author does
        load_kernels(kernels_of(2, 1, amaf=False, options=options, faults=faults))  # scalar: for all sizes
        placed = playouts(
            Position.empty(9), n, KOMI, options=options, kernel="scalar", seed=seed, faults=faults
        )
        row = partial(Row, "hillis-antigo", "no mercy" if mercy is None else f"mercy {mercy}")
        yield row(
            "moves without passes",
            published=line.moves_without_passes,
            measured=placed.mean_moves,
            error=_moves_error(placed),
            rounding=UNIT,
        )
        yield row(
            "playouts per second",
            published=line.playouts_per_second,
            measured=n / _seconds(options, n, seed),
            error=0.0,
            comparable=False,
        )


def hendley(table: pd.DataFrame, count: int | None, seed: int) -> Iterator[Row]:
    """Hendley, 2007: the speedup when a clear lead in stones decides a playout, and its errors.

    A line is "9,4,10": board size, least lead in points, speedup in percent. The share of playouts that the
    shortcut decides wrongly was not published.
    """
    n = count or OTHER_PLAYOUTS
    for line in _lines(table):
        row = partial(Row, "hendley-2007", f"threshold {line.threshold}")
        early = Options(early_score=float(line.threshold))
        plain, short = _seconds(NO_OPTIONS, n, seed), _seconds(early, n, seed)
        yield row(
            "faster by, %",
            published=line.speedup_pct,
            measured=100 * (plain / short - 1),
            error=0.0,
            comparable=False,
        )
        checked = Options(early_score=float(line.threshold), check_early_score=True)
        load_kernels(kernels_of(9, n, amaf=False, options=checked))
        counts = playouts(Position.empty(9), n, KOMI, options=checked, seed=seed).kinds["early-score"]
        wrong = counts["wrong"] / n
        yield row(
            "wrong results, %",
            published=math.nan,
            measured=100 * wrong,
            error=100 * math.sqrt(wrong * (1 - wrong) / n),
            comparable=False,
        )


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
"""By name of a published table: its experiment."""
