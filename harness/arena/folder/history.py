"""Reads `history.csv` (a row per bot and run of a config), and finds the change points of the bots.

A change point is a run from which on a figure of a bot differs from the runs before.
"""

from __future__ import annotations

import csv
import errno
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

from harness.files import read_file
from harness.gtp import printable_text
from harness.stats.change_points import Change, mean_changes, open_step, share_changes

FILE = "history.csv"
LONGEST = 300
"""Most characters of a text in the history. Chosen: a bot may report a name of any length."""
ERROR_RATE = 0.01
"""Probability of any change point for an unchanged bot, however long its history. Chosen: 1 bot in 100."""
LEVEL = ERROR_RATE / 3
"""A change of one of the three measures has at most this p-value."""
LEAST_STEP = 0.05
"""Smallest step of a score that is reported although it may be chance. Chosen: it is visible in the chart."""
MOST_BYTES = 64 << 20
"""Most bytes of a history that are read. Chosen: a row has 300 bytes, so ten bots a night take 60 years."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a text that a spreadsheet takes for a formula. The file has a ' before them."""


@dataclass(frozen=True)
class HistoryRow:
    """One bot in one run. The fields are the columns; docs/operations.md explains them. None: not known."""

    time: str
    run: str
    bot: str
    version: str = ""
    games: int | None = None
    points: float | None = None
    score: float | None = None
    elo: float | None = None
    elo_low: float | None = None
    elo_high: float | None = None
    nodes_per_playout: float | None = None
    reference: float | None = None
    deviation: float | None = None
    low: float | None = None
    high: float | None = None
    playouts: str = ""
    parity: str = ""
    seconds_per_move: float | None = None
    voids: int | None = None
    failures: int | None = None
    crashes: int | None = None
    timeouts: int | None = None
    illegal: int | None = None
    nodes_shift: float | None = None
    nodes_shift_p: float | None = None
    changed: str = ""
    size: int | None = None
    komi: float | None = None
    audited: int | None = None  # searches
    length_deviation: float | None = None
    score_deviation: float | None = None
    audit: str = ""  # the verdicts on lengths, scores and moves


COLUMNS = tuple(field.name for field in fields(HistoryRow))
"""The columns of the file, in order. Their names and order never change; new ones are added at the end."""


@dataclass(frozen=True)
class ChangePoint:
    """A change of a bot's figure: its mean `before` the run `run`, and `after` it, that run included.

    `measure` is "nodes per playout", "score" or "seconds per move". `version` is what the bot reported in
    `run`; `found` is the run after which the change was large enough to be seen.
    """

    bot: str
    measure: str
    run: str
    version: str
    found: str
    before: float
    after: float
    p_value: float

    def __str__(self) -> str:
        """The change in one sentence."""
        version = f" (version {self.version})" if self.version else ""
        return (
            f"{self.bot}: {self.measure} {self.before:.4g} → {self.after:.4g} since run {self.run}{version}, "
            f"p = {self.p_value:.1g}"
        )


@dataclass(frozen=True)
class History:
    """The rows of the file in their order, the change points, and a sentence for each damaged line."""

    rows: tuple[HistoryRow, ...] = ()
    changes: tuple[ChangePoint, ...] = ()
    problems: tuple[str, ...] = ()
    steps: tuple[ChangePoint, ...] = ()  # of scores in the newest runs; each may be chance


def read_history(folder: Path) -> History:
    """The history of the config whose runs are in `folder`; empty without a file. Raises OSError.

    A damaged line costs its own row alone, a damaged header all rows.
    """
    try:
        data = read_file(folder / FILE, most=MOST_BYTES + 1)
    except FileNotFoundError:
        return History()
    if len(data) > MOST_BYTES:
        reason = f"is longer than {MOST_BYTES:,} bytes; move it away, then run conform schedule --history"
        raise OSError(errno.EFBIG, reason, str(folder / FILE))
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    problems: list[str] = []
    with _cells_of_any_length():
        rows = tuple(_rows(lines, problems))
    found = tuple(f"{folder / FILE}:{problem}" for problem in problems)
    return History(rows, change_points(rows), found, open_steps(rows))


def change_points(rows: Sequence[HistoryRow]) -> tuple[ChangePoint, ...]:
    """The change points of all bots, in the order in which they were found.

    A figure is followed over the runs with the same board size, komi and opponents.
    """
    position = {run: number for number, run in enumerate(dict.fromkeys(row.run for row in rows))}
    found = [point for group in _series(rows) for point in _changes_in(group)]
    return tuple(sorted(found, key=lambda point: (position[point.found], position[point.run], point.bot)))


def open_steps(rows: Sequence[HistoryRow]) -> tuple[ChangePoint, ...]:
    """Large steps of scores in the newest runs that are not change points, the largest first."""
    newest = {row.bot: row.run for row in rows}
    steps: list[ChangePoint] = []
    for group in _series(rows):
        scored = _scored(group)
        step = open_step(*_points_and_games(scored), LEVEL)
        if step and abs(step.after - step.before) >= LEAST_STEP and scored[-1].run == newest[group[0].bot]:
            steps += _with_measure("score", scored, [step])
    return tuple(sorted(steps, key=lambda step: -abs(step.after - step.before)))


def text_cell(text: str) -> str:
    """A text in the form of a cell: one line of at most LONGEST characters."""
    plain = printable_text(text)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


def _series(rows: Sequence[HistoryRow]) -> Iterable[list[HistoryRow]]:
    """The rows of each bot over the runs with the same board size, komi and opponents."""
    series: defaultdict[tuple[object, ...], list[HistoryRow]] = defaultdict(list)
    for row in rows:
        series[row.bot, row.size, row.komi, _opponents(row)].append(row)
    return series.values()


def _changes_in(rows: Sequence[HistoryRow]) -> Iterator[ChangePoint]:
    """Yield the change points of one bot in its three measures. `rows`: a series of `_series`."""
    nodes = [(row, row.nodes_per_playout) for row in rows if row.nodes_per_playout is not None]
    nodes = [(row, value) for row, value in nodes if math.isfinite(value)]
    changes = mean_changes([value for _, value in nodes], LEVEL)
    yield from _with_measure("nodes per playout", [row for row, _ in nodes], changes)
    timed = [(row, row.seconds_per_move) for row in rows if row.seconds_per_move is not None]
    timed = [(row, value) for row, value in timed if 0 < value < math.inf]
    changes = mean_changes([math.log(value) for _, value in timed], LEVEL)
    seconds = [
        Change(c.at, c.found, math.exp(c.before), math.exp(c.after), c.p_value) for c in changes
    ]  # geometric means: times vary in proportion to their size
    yield from _with_measure("seconds per move", [row for row, _ in timed], seconds)
    scored = _scored(rows)
    yield from _with_measure("score", scored, share_changes(*_points_and_games(scored), LEVEL))


def _scored(rows: Sequence[HistoryRow]) -> list[HistoryRow]:
    """The rows with a possible score: a damaged file may have others."""
    return [
        row for row in rows if row.games and row.points is not None and 0 <= row.points <= row.games < 10**9
    ]


def _points_and_games(scored: Sequence[HistoryRow]) -> tuple[list[float], list[int]]:
    return [row.points or 0.0 for row in scored], [row.games or 0 for row in scored]


def _with_measure(measure: str, rows: Sequence[HistoryRow], found: Iterable[Change]) -> Iterator[ChangePoint]:
    """Yield the changes as change points. A change has the indices of its runs in `rows`."""
    for change in found:
        row = rows[change.at]
        yield ChangePoint(
            row.bot,
            measure,
            row.run,
            row.version,
            rows[change.found].run,
            change.before,
            change.after,
            change.p_value,
        )


def _opponents(row: HistoryRow) -> tuple[str, ...]:
    """The opponents of a bot in a run, from a cell such as "a: equal; b: undecided"."""
    return tuple(sorted(pair.rpartition(": ")[0] for pair in row.parity.split("; ")))


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    """Let the csv module read cells of more than 131,072 characters: an earlier version stored such texts."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def _rows(lines: Sequence[str], problems: list[str]) -> Iterator[HistoryRow]:
    """Yield the rows of a file. A damaged line adds its number and a sentence to `problems`."""
    header = _cells(lines[0]) or []
    if not {"time", "run", "bot"} <= set(header) or len(set(header)) < len(header):
        problems.append("1: is not the header of a history")
        return
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        cells = _cells(line)
        row = _parsed(dict(zip(header, cells, strict=True))) if cells and len(cells) == len(header) else None
        if row is None:
            problems.append(f"{number}: is damaged")
        else:
            yield row


def _cells(line: str) -> list[str] | None:
    """The cells of a line; None if it is no line of a CSV file."""
    try:
        return next(csv.reader([line], strict=True), None)
    except csv.Error:
        return None


def _parsed(cells: dict[str, str]) -> HistoryRow | None:
    """The row with these cells, by column. A missing cell is empty.

    None if a cell does not fit its column, or if the time, the run or the bot is missing.
    """
    values: dict[str, object] = {}
    try:
        for field in fields(HistoryRow):
            cell = cells.get(field.name, "")
            values[field.name] = _value(cell, str(field.type))
        row = HistoryRow(**values)  # type: ignore[arg-type]  # _value follows the types of the fields
    except ValueError:
        return None
    return row if row.time and row.run and row.bot else None


def _value(cell: str, kind: str) -> object:
    """The value of a cell; `kind` is the type of its column, such as "float | None". Raises ValueError."""
    if kind == "str":
        return text_cell(cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell)
    if not cell:
        return None
    if kind.startswith("int"):
        return int(cell)
    number = float(cell)
    if math.isnan(number):
        raise ValueError
    return number  # Elo may be infinite
