"""The page of a schedule (a match that runs again and again): each bot over all runs, and its changes.

A bot has a chart for each measure (score, moves per playout, seconds per move), with a point for each run.
The page is made from the rows of `history.csv` alone, so that it has removed runs too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from harness.arena.folder.history import LEVEL, ChangePoint, HistoryRow
from harness.report.html.charts import Line, line_chart, range_from_zero
from harness.report.html.page import render
from harness.report.numbers import amount
from harness.report.signs import PARITY_SIGNS
from harness.report.visible import time_text

FILE = "history.html"
MOST_RUNS = 300
"""Runs of a bot that are drawn and listed, the newest; history.csv has all. Chosen: about one per pixel."""

MOST_BOTS = 60
"""Bots on the page, those of the newest runs. Chosen: each has three charts, of some kilobytes."""

MOST_DOTS = 60
"""Runs of a chart that have a dot each. Chosen: more dots hide the line."""

MOST_STEPS = 5
"""Steps of scores that are explained, the largest. Chosen: some lines."""

MOST_LABELS = 3
"""Dates below a chart. Chosen: they fit on a phone."""

NORMAL_95 = 1.959963984540054
"""Half the width of a 95 % interval of a standard Normal variable."""


class _Value(NamedTuple):
    """The value of a measure in one run, with 95 % bounds if they are known."""

    value: float
    bounds: tuple[float, float] | None = None


@dataclass(frozen=True)
class _Measure:
    """A measure of a bot in each run.

    title      the title of its chart
    read       the value in a row of the history; None if it is not known
    text       a value as text
    y_range    returns the range of the y axis for the highest value; None: the chart fits the values
    """

    title: str
    read: Callable[[HistoryRow], _Value | None]
    text: Callable[[float], str]
    y_range: Callable[[float], tuple[float, float] | None]


class _Point(NamedTuple):
    """The value of a measure in run number `run`, from 1."""

    run: int
    value: _Value


def history_page(
    name: str,
    rows: Sequence[HistoryRow],
    changes: Sequence[ChangePoint],
    problems: Sequence[str] = (),
    steps: Sequence[ChangePoint] = (),
    up: str = "",
) -> str:
    """Return the page of the history of the config `name` as text.

    rows       those of the history, the oldest first
    changes    the change points of all bots, in the order in which they were found
    problems   a sentence for each damaged line of the history
    steps      large steps of scores that may be chance
    up         the address of the overview; empty without one
    """
    by_bot: dict[str, list[HistoryRow]] = {}
    for row in rows:
        by_bot.setdefault(row.bot, []).append(row)
    newest = sorted(by_bot, key=lambda bot: by_bot[bot][-1].time, reverse=True)[:MOST_BOTS]
    bots = []  # (bot, its rows with the newest first, its charts)
    for bot, all_of_bot in by_bot.items():
        if bot in newest:
            own = all_of_bot[-MOST_RUNS:]
            charts = _charts(own, [change for change in changes if change.bot == bot])
            bots.append((bot, list(reversed(own)), list(charts)))
    last = max(rows, key=lambda row: row.time).run if rows else ""
    games = {(row.run, row.bot): row.games or 0 for row in rows}
    return render(
        "history.html",
        name=name,
        bots=bots,
        runs=len({row.run for row in rows}),
        left_out=len(by_bot) - len(bots),
        changes=[
            (change, _versions(change, by_bot.get(change.bot, [])), MEASURES[change.measure].text)
            for change in reversed(changes)
        ],
        steps=[(step, games[step.run, step.bot]) for step in steps[:MOST_STEPS]],
        level=LEVEL,
        share_text=_share,
        share=lambda row: _share(_score(row)),
        parities=_parity,
        failed=[row.bot for row in rows if row.run == last and row.failures],
        problems=problems,
        signs=PARITY_SIGNS,
        up=up,
    )


def _charts(rows: Sequence[HistoryRow], changes: Sequence[ChangePoint]) -> Iterable[tuple[str, Markup]]:
    """(title, chart) of each measure that is known for the bot."""
    numbers = {row.run: number for number, row in enumerate(rows, 1)}
    references = [row.reference for row in rows if row.reference is not None and _is_possible(row.reference)]
    for name, measure in MEASURES.items():
        found = [(number, measure.read(row)) for number, row in enumerate(rows, 1)]
        points = [_Point(number, value) for number, value in found if value is not None]
        marks = [numbers[one.run] - 0.5 for one in changes if one.measure == name and one.run in numbers]
        levels = [(references[-1], "reference")] if name == LENGTHS and references else []
        dates = _dates([(point.run, rows[point.run - 1].time) for point in points])
        chart = _chart(name, points, marks, levels, dates)
        if chart:
            yield measure.title, chart


def _chart(
    name: str,
    points: Sequence[_Point],
    marks: Sequence[float],
    levels: Sequence[tuple[float, str]],
    dates: Sequence[tuple[float, str]],
) -> Markup:
    """The chart of the measure with this name; empty without points.

    `marks`, `levels` and `dates` are the `marks`, `levels` and `x_labels` of `line_chart`.
    """
    measure, highest = MEASURES[name], max([0.0, *(point.value.value for point in points)])
    bounds = [point.value.bounds for point in points if point.value.bounds is not None]
    line = Line(
        "runs",
        [(float(point.run), point.value.value) for point in points],
        band=bounds if len(bounds) == len(points) else (),
        dots=len(points) <= MOST_DOTS,
    )
    changed = f"; {amount(len(marks), 'change')}" if marks else ""
    return line_chart(
        [line],
        f"{measure.title} over {amount(len(points), 'run')}, the oldest first{changed}",
        "date of the run",
        measure.title.partition(",")[0].lower(),
        levels=levels,
        y_range=measure.y_range(highest),
        percent=name == SCORES,
        marks=marks,
        x_labels=dates,
    )


def _dates(runs: Sequence[tuple[int, str]]) -> list[tuple[float, str]]:
    """(number, date) of some of the runs (number, time) at equal distances, in UTC.

    If two of these runs are of one day, all dates have the time of the day, and no year.
    """
    step = -(-len(runs) // MOST_LABELS)
    times = [(float(number), time_text(time)) for number, time in runs[:: -max(1, step)]]  # the newest first
    days = Counter(time[:10] for _, time in times)
    # 2026-11-22; of two runs of one day: 11-22 08:00
    part = slice(0, 10) if max(days.values(), default=0) < 2 else slice(5, 16)
    return [(number, time[part]) for number, time in times]


def _read_score(row: HistoryRow) -> _Value | None:
    """The share of points, with bounds by the number of games."""
    score = _score(row)
    if score is None or not row.games:
        return None
    reach = NORMAL_95 * math.sqrt(0.25 / row.games)  # 0.25: the largest variance of a game's score
    return _Value(score, (max(0.0, score - reach), min(1.0, score + reach)))


def _read_length(row: HistoryRow) -> _Value | None:
    """The moves per playout, with the bounds that the match has judged."""
    if row.nodes_per_playout is None or not _is_possible(row.nodes_per_playout):
        return None
    bounds = None
    if row.low is not None and row.high is not None and row.reference is not None:
        # low and high bound the deviation; no playout has fewer than 0 moves
        bounds = (max(0.0, row.reference + row.low), row.reference + row.high)
    return _Value(row.nodes_per_playout, bounds if bounds and all(map(_is_possible, bounds)) else None)


def _read_time(row: HistoryRow) -> _Value | None:
    """The seconds per move."""
    seconds = row.seconds_per_move
    return _Value(seconds) if seconds is not None and _is_possible(seconds) else None


def _versions(change: ChangePoint, rows: Sequence[HistoryRow]) -> str:
    """The version of a bot in the run before a change and in the run of the change, in words."""
    index = next((number for number, row in enumerate(rows) if row.run == change.run), None)
    new = rows[index].version if index is not None else ""
    old = rows[index - 1].version if index else ""  # None or 0: no earlier run
    return f"{old or 'unknown'} → {new or 'unknown'}" if old != new else f"{new or 'unknown'}, as before"


def _score(row: HistoryRow) -> float | None:
    """The points per game of a row; None without games, or for numbers that cannot be."""
    if row.points is None or not row.games or not 0 <= row.points <= row.games:
        return None
    return row.points / row.games


def _share(score: float | None) -> str:
    """A score in percent; a dash for an unknown one."""
    return "–" if score is None else f"{100 * score:.1f} %"


def _parity(row: HistoryRow) -> tuple[tuple[str, str], ...]:
    """The pairs (opponent, verdict) in a cell such as `two: equal; three: different`."""
    found = (part.rpartition(": ") for part in row.parity.split("; "))
    return tuple((opponent, verdict) for opponent, _, verdict in found if verdict in PARITY_SIGNS)


def _is_possible(value: float) -> bool:
    """Return True for a possible mean of moves or of seconds. A damaged file may have any number."""
    return 0.0 <= value < 1e12


SCORES, LENGTHS, TIMES = "score", "nodes per playout", "seconds per move"
"""The names of the measures, as `ChangePoint` has them."""

MEASURES = {
    SCORES: _Measure("Score", _read_score, _share, lambda _: (0.0, 1.0)),
    LENGTHS: _Measure("Moves per playout, empty board", _read_length, "{:.3f}".format, lambda _: None),
    TIMES: _Measure("Seconds per move", _read_time, "{:.3g} s".format, range_from_zero),
}
"""The measures that have a chart, by name."""
